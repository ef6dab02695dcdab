/**
 * The export of a journal as HTTP Archive 1.2, which browsers and proxies can open. Secrets are redacted as
 * in the journal; instants are those of the sandbox's clock.
 */

import { isUnmatched, type RecordedExchange } from "./recorded-exchange.ts";

export type Har = { readonly log: { readonly version: "1.2" } & Readonly<Record<string, unknown>> };

/** `version` is that of the package. */
export function toHar(exchanges: readonly RecordedExchange[], version: string): Har {
  return {
    log: {
      version: "1.2",
      creator: { name: "vitrine", version },
      pages: [],
      entries: exchanges.map(toEntry),
    },
  };
}

function toEntry(exchange: RecordedExchange): object {
  const { at, durationMs = 0, method, origin, base, path, search, headers, requestText } = exchange;
  const { status = 0, responseHeaders, responseBody = "" } = exchange;
  const { seq, operation, problem, fault, rules, findings } = exchange;
  const address = encodeURI(origin + base + path).replaceAll("%25", "%");
  return {
    startedDateTime: at,
    time: durationMs,
    request: {
      method,
      url: address + search.replace(/[\s"<>[\]…#]/g, encodeURIComponent),
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: pairsOf(Object.entries(headers)),
      queryString: pairsOf(new URLSearchParams(search)),
      ...(requestText === undefined
        ? {}
        : { postData: { mimeType: headers["content-type"] ?? "application/json", text: requestText } }),
      headersSize: -1,
      bodySize: sizeOf(requestText ?? ""),
    },
    response: {
      status,
      statusText: "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: pairsOf(Object.entries(responseHeaders)),
      content: {
        size: sizeOf(responseBody),
        mimeType: responseHeaders["content-type"] ?? "",
        text: responseBody,
      },
      redirectURL: "",
      headersSize: -1,
      bodySize: sizeOf(responseBody),
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    // Custom fields begin with an underscore, as the format requires.
    _vitrine: { seq, operation, problem, fault, rules, findings, unmatched: isUnmatched(exchange) },
  };
}

function pairsOf(entries: Iterable<[name: string, value: string]>): object[] {
  return Array.from(entries, ([name, value]) => ({ name, value }));
}

function sizeOf(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}
