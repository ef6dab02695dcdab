/** Requests under no base address: the journal records them, and the answer names the closest operation. */

import { type Mount, NEAR_MISS_HEADER, nearMiss } from "../journal/near-miss.ts";
import type { Exchange } from "../operation/exchange.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";

/** Records the exchange; `path` is that of the request without world prefix. */
export function recordUnmatched(
  sandbox: Sandbox,
  request: Request,
  {
    path,
    prefix,
    mounts,
  }: { readonly path: string; readonly prefix: string; readonly mounts: readonly Mount[] },
  response: Response,
): Response {
  const url = new URL(request.url);
  const near = nearMiss(mounts, { method: request.method, path: prefix + path });
  if (near !== undefined) response.headers.set(NEAR_MISS_HEADER, near.message);
  const exchange: Exchange = {
    seq: sandbox.journal.nextSeq(),
    world: sandbox.world.id,
    at: sandbox.world.clock.now(),
    method: request.method,
    path,
    search: url.search,
    headers: request.headers,
    base: prefix,
    origin: url.origin,
    params: {},
    query: {},
    findings: near === undefined ? [] : [{ key: "nearMiss", message: near.message }],
    rules: [],
    changes: [],
    status: response.status,
    responseHeaders: new Headers(response.headers),
  };
  sandbox.journal.record(exchange);
  return response;
}
