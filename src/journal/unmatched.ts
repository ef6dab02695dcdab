/** Detects requests that matched no operation. Ignores automatic requests of browsers and crawlers. */

import type { Exchange } from "../http/exchange.ts";
import type { RecordedExchange } from "./recorded-exchange.ts";

const PROBE_PATHS = /^\/(favicon\.ico|robots\.txt|apple-touch-icon(-[\w-]+)?\.png|\.well-known\/.*)$/;

/** Whether a browser or crawler sent the request automatically. `path` has no world prefix and no base path. */
export function isBrowserProbe({ method, path }: Pick<Exchange, "method" | "path">): boolean {
  return (method === "GET" || method === "HEAD") && PROBE_PATHS.test(path);
}

type ExchangeOutcome = Pick<
  Exchange,
  "state" | "operation" | "method" | "path" | "status" | "made" | "fault"
>;

/** Whether a request matched neither an operation nor a document of a service. False for open exchanges and browser probes. */
export function isUnmatched(exchange: ExchangeOutcome | RecordedExchange): boolean {
  const { state, operation, status, made = status, fault } = exchange;
  if (state === "open" || operation !== undefined || isBrowserProbe(exchange)) return false;
  return (made ?? (fault === undefined ? 404 : 0)) >= 400;
}
