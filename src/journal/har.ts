/** Exports exchanges as HTTP Archive (HAR) 1.2. `_error` is Chromium's error name if the response did not arrive whole. */

import { findFaultEffect } from "../rules/effect.ts";
import { parseCutLength, type RecordedExchange } from "./recorded-exchange.ts";
import { isUnmatched } from "./unmatched.ts";

export type Har = { readonly log: { readonly version: "1.2" } & Readonly<Record<string, unknown>> };

export function toHar(exchanges: readonly RecordedExchange[], version: string): Har {
  const creator = { name: "vitrine", version };
  return { log: { version: "1.2", creator, pages: [], entries: exchanges.map(toEntry) } };
}

function toEntry(exchange: RecordedExchange): object {
  const { method, origin, base, path, search, headers, requestText, startedMs, durationMs = 0 } = exchange;
  const { status = 0, responseHeaders, responseBody = "" } = exchange;
  const { seq, at, state, waits, operation, problem, fault, gone, made, sent, rules, findings } = exchange;
  const notes = { rules, findings, unmatched: isUnmatched(exchange) };
  const error = gone === true ? "net::ERR_ABORTED" : findFaultEffect(fault)?.chromium;
  const sentType = headers["content-type"] ?? "application/json";
  const address = encodeURI(origin + base + path).replaceAll("%25", "%");
  return {
    startedDateTime: startedMs === undefined ? at : new Date(startedMs).toISOString(),
    time: durationMs,
    request: {
      method,
      url: address + search.replace(/[\s"<>[\]…#]/g, encodeURIComponent),
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: toPairs(Object.entries(headers)),
      queryString: toPairs(new URLSearchParams(search)),
      ...(requestText === undefined ? {} : { postData: { mimeType: sentType, text: requestText } }),
      headersSize: -1,
      bodySize: countBytes(requestText ?? ""),
    },
    response: {
      status,
      statusText: "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: toPairs(Object.entries(responseHeaders)),
      content: {
        size: countBytes(responseBody),
        mimeType: responseHeaders["content-type"] ?? "",
        text: responseBody,
      },
      redirectURL: "",
      headersSize: -1,
      bodySize: status === 0 ? -1 : (sent?.bytes ?? countBytes(responseBody)),
      ...(error === undefined ? {} : { _error: error }),
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    // HAR requires an underscore before custom fields.
    _vitrine: { seq, at, state, waits, operation, problem, fault, gone, made, sent, ...notes },
  };
}

const toPairs = (entries: Iterable<[name: string, value: string]>) =>
  Array.from(entries, ([name, value]) => ({ name, value }));
const countBytes = (text: string) => parseCutLength(text) ?? new TextEncoder().encode(text).byteLength;
