/** Records requests outside all base paths. Reports the nearest operations if a request matches no operation. */

import { type Exchange, openExchange } from "../http/exchange.ts";
import type { IncomingRequest } from "../http/incoming-request.ts";
import {
  findNearMisses,
  findPrefix,
  listMounts,
  type Mount,
  NEAR_MISS_HEADER,
  type NearestOperation,
} from "../journal/near-miss.ts";
import type { SandboxCore } from "../sandbox/sandbox.ts";
import type { OutgoingResponse } from "./outgoing-response.ts";
import type { Route } from "./route.ts";

/** Parts of the requested path: `under` is the mount path in another app, `world` the world prefix, `path` the rest. */
type UnmatchedTarget = {
  readonly under: string;
  readonly world: string;
  readonly path: string;
  readonly mounts: readonly Mount[];
};

export function recordUnmatched(
  sandbox: SandboxCore,
  { method, headers, address }: IncomingRequest,
  { under, world, path, mounts }: UnmatchedTarget,
  sent: OutgoingResponse,
): OutgoingResponse {
  const near = findNearMisses(mounts, { method, path: world + path, under });
  const exchange = openExchange({
    seq: sandbox.journal.nextSeq(),
    world: sandbox.world.id,
    at: sandbox.world.clock.now(),
    method,
    path,
    search: address.search,
    headers,
    base: under + world,
    origin: address.origin,
    params: {},
  });
  const entry = sandbox.journal.open(exchange);
  const named = withNearest(near, exchange, sent);
  exchange.status = sent.status;
  exchange.responseHeaders = named.headers;
  sandbox.journal.end(entry);
  return named;
}

/** Reports the nearest operations if a request has the base path of a service, but matches none of its operations. */
export function withNearMiss(
  { services }: SandboxCore,
  route: Route,
  exchange: Exchange,
  sent: OutgoingResponse,
): OutgoingResponse {
  const { method, base, path } = exchange;
  const under = findPrefix(route);
  const target = { method, path: (base + path).slice(under.length), under };
  return withNearest(findNearMisses(listMounts(services, route), target), exchange, sent);
}

/** Adds the nearest operations to the exchange as findings, and the first one to the response as a header. */
function withNearest(near: readonly NearestOperation[], exchange: Exchange, sent: OutgoingResponse) {
  const [first] = near;
  if (first === undefined) return sent;
  for (const { message } of near) exchange.findings.push({ key: "nearMiss", message });
  return { ...sent, headers: { ...sent.headers, [NEAR_MISS_HEADER]: first.message } };
}
