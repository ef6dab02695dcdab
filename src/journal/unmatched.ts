/** Detects unmatched requests. Verification ignores the automatic requests of browsers and crawlers. */

import type { Exchange } from "../http/exchange.ts";
import type { RecordedExchange } from "./recorded-exchange.ts";

const PROBE_PATHS = /^\/(favicon\.ico|robots\.txt|apple-touch-icon(-[\w-]+)?\.png|\.well-known\/.*)$/;

/** `path` is relative to the world and the base path. */
export function isBrowserProbe({ method, path }: Pick<Exchange, "method" | "path">): boolean {
  return (method === "GET" || method === "HEAD") && PROBE_PATHS.test(path);
}

type ExchangeOutcome = Pick<
  Exchange,
  "state" | "operation" | "method" | "path" | "status" | "made" | "fault"
>;

/** Whether a request matched no operation and no document of a service. False while the exchange is open. */
export function isUnmatched(exchange: ExchangeOutcome | RecordedExchange): boolean {
  const { state, operation, status, made = status, fault } = exchange;
  if (state === "open" || operation !== undefined || isBrowserProbe(exchange)) return false;
  return (made ?? (fault === undefined ? 404 : 0)) >= 400;
}
