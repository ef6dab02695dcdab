// What browsers and proxies read of a journal: every part of an entry, and the error where no whole answer left.

import { expect, test } from "vitest";
import { type Har, toHar } from "../../src/journal/har.ts";
import type { RecordedExchange } from "../../src/journal/recorded-exchange.ts";
import { arrivesWhole, cutsBody, FAULTS, type FaultKind } from "../../src/rules/effect.ts";

const EXCHANGE: RecordedExchange = {
  seq: 1,
  world: "main",
  state: "ended",
  at: "2026-03-01T09:00:00.000Z",
  durationMs: 12,
  service: "museum",
  environment: "museum",
  operation: "museum.createSpecialEvent",
  method: "POST",
  origin: "http://localhost",
  base: "/museum/v1.1",
  path: "/special-events/a%2Fb",
  search: "?q=[redacted 9 characters, #1a2b3c4d]&page=2",
  params: {},
  query: {},
  headers: { accept: "application/json" },
  requestText: '{"name":"Él"}',
  status: 201,
  responseHeaders: { "content-type": "application/json", location: "/special-events/1" },
  responseBody: '{"id":"1"}',
  rules: [],
  findings: [],
  changes: [],
};
type Entry = { readonly request: object; readonly response: { readonly _error?: string } };
const entryOf = (change: Partial<RecordedExchange>): Entry => {
  const { log }: Har = toHar([{ ...EXCHANGE, ...change }], "0.1.0");
  const [entry] = log["entries"] as readonly Entry[];
  return entry ?? expect.unreachable("there is one");
};

test("an entry has all that the format asks for", () => {
  const { log } = toHar([EXCHANGE], "0.1.0");
  expect(log).toMatchObject({ version: "1.2", creator: { name: "vitrine", version: "0.1.0" }, pages: [] });
  expect(log["entries"]).toEqual([
    {
      startedDateTime: "2026-03-01T09:00:00.000Z",
      time: 12,
      request: {
        method: "POST",
        url: "http://localhost/museum/v1.1/special-events/a%2Fb?q=%5Bredacted%209%20characters,%20%231a2b3c4d%5D&page=2",
        httpVersion: "HTTP/1.1",
        cookies: [],
        headers: [{ name: "accept", value: "application/json" }],
        queryString: [
          { name: "q", value: "[redacted 9 characters, #1a2b3c4d]" },
          { name: "page", value: "2" },
        ],
        postData: { mimeType: "application/json", text: '{"name":"Él"}' },
        headersSize: -1,
        bodySize: 14,
      },
      response: {
        status: 201,
        statusText: "",
        httpVersion: "HTTP/1.1",
        cookies: [],
        headers: [
          { name: "content-type", value: "application/json" },
          { name: "location", value: "/special-events/1" },
        ],
        content: { size: 10, mimeType: "application/json", text: '{"id":"1"}' },
        redirectURL: "",
        headersSize: -1,
        bodySize: 10,
      },
      cache: {},
      timings: { send: 0, wait: 12, receive: 0 },
      _vitrine: {
        state: "ended",
        seq: 1,
        at: "2026-03-01T09:00:00.000Z",
        operation: "museum.createSpecialEvent",
        rules: [],
        findings: [],
        unmatched: false,
      },
    },
  ]);
});

test("an entry has no postData if the request had no body, and otherwise the media type of the request", () => {
  expect(entryOf({ requestText: undefined as never }).request).not.toHaveProperty("postData");
  expect(entryOf({ headers: { "content-type": "text/plain" } }).request).toMatchObject({
    postData: { mimeType: "text/plain" },
  });
});

test("an entry has the wall-clock time, and the full size of a body that was cut", () => {
  const entry = entryOf({ startedMs: Date.UTC(2030, 0, 2), requestText: "a… [cut after 1 of 9000 bytes]" });
  expect(entry).toMatchObject({ startedDateTime: "2030-01-02T00:00:00.000Z", request: { bodySize: 9_000 } });
});

/** Undefined: all is well. */
const ERRORS = {
  reset: "net::ERR_CONNECTION_RESET",
  empty: "net::ERR_EMPTY_RESPONSE",
  garbage: "net::ERR_INVALID_HTTP_RESPONSE",
  hang: "net::ERR_TIMED_OUT",
  truncate: "net::ERR_CONTENT_LENGTH_MISMATCH",
  "bad-chunk": "net::ERR_INVALID_CHUNKED_ENCODING",
  "slow-close": undefined,
  dribble: undefined,
} satisfies Readonly<Record<FaultKind, string | undefined>>;
const NONE = { status: undefined as never, responseHeaders: {}, responseBody: undefined as never };
test.each<[what: string, change: Partial<RecordedExchange>, error: string | undefined]>([
  ["an answer", {}, undefined],
  ["a refusal", { status: 404 }, undefined],
  ...FAULTS.map((fault): [string, Partial<RecordedExchange>, string | undefined] => [
    `the fault ${fault}`,
    { fault, ...(cutsBody(fault) ? { sent: { bytes: 5, of: 10 } } : arrivesWhole(fault) ? {} : NONE) },
    ERRORS[fault],
  ]),
  ["a client that left", { ...NONE, fault: "reset", gone: true }, "net::ERR_ABORTED"],
])("%s is recorded as a browser would record it", (_what, change, error) => {
  const { response } = entryOf(change);
  expect(response._error).toBe(error);
  const size = change.sent?.bytes ?? ("status" in change && change.status === undefined ? -1 : 10);
  expect(response).toMatchObject({ bodySize: size, status: size < 0 ? 0 : (change.status ?? 201) });
});
