/** Requests that met no operation. What browsers and crawlers ask of every origin, no verification counts. */

import type { Exchange } from "../http/exchange.ts";
import type { RecordedExchange } from "./recorded-exchange.ts";

const PROBE_PATHS = /^\/(favicon\.ico|robots\.txt|apple-touch-icon(-[\w-]+)?\.png|\.well-known\/.*)$/;

/** `path` is the one below the world and the base address. */
export function isBrowserProbe({ method, path }: Pick<Exchange, "method" | "path">): boolean {
  return (method === "GET" || method === "HEAD") && PROBE_PATHS.test(path);
}

type ExchangeOutcome = Pick<
  Exchange,
  "state" | "operation" | "method" | "path" | "status" | "made" | "fault"
>;

/** Whether a request met no operation and no document of any service, as far as its answer was made. */
export function isUnmatched(exchange: ExchangeOutcome | RecordedExchange): boolean {
  const { state, operation, status, made = status, fault } = exchange;
  if (state === "open" || operation !== undefined || isBrowserProbe(exchange)) return false;
  return (made ?? (fault === undefined ? 404 : 0)) >= 400;
}
