/** Requests under no base address: the journal records them, and the answer names the closest operation. */

import { type Guess, type Mount, NEAR_MISS_HEADER, nearMisses } from "../journal/near-miss.ts";
import type { Asked } from "../operation/asked.ts";
import { type Exchange, openExchange } from "../operation/exchange.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Sent } from "./sent.ts";

/** Where the request went, in parts (inside another app, world, the rest), and all there is to meet. */
type Missed = {
  readonly under: string;
  readonly world: string;
  readonly path: string;
  readonly mounts: readonly Mount[];
};

/** Records the exchange. */
export function recordUnmatched(
  sandbox: Sandbox,
  { method, headers, address }: Asked,
  { under, world, path, mounts }: Missed,
  sent: Sent,
): Sent {
  const near = nearMisses(mounts, { method, path: world + path, under });
  const exchange = openExchange({
    seq: sandbox.journal.nextSeq(),
    world: sandbox.world.id,
    at: sandbox.world.clock.now(),
    method,
    path,
    suffix: undefined,
    search: address.search,
    headers,
    base: under + world,
    origin: address.origin,
    service: undefined,
    environment: undefined,
    operation: undefined,
    params: {},
    startedMs: undefined,
  });
  const named = withNearest(near, exchange, sent);
  exchange.status = sent.status;
  exchange.responseHeaders = named.headers;
  sandbox.journal.record(exchange);
  return named;
}

/** Notes the nearest operations, if there are any, and adds the first to the answer. */
export function withNearest(near: readonly Guess[], exchange: Exchange, sent: Sent): Sent {
  const [first] = near;
  if (first === undefined) return sent;
  for (const { message } of near) exchange.findings.push({ key: "nearMiss", message });
  return { ...sent, headers: { ...sent.headers, [NEAR_MISS_HEADER]: first.message } };
}
