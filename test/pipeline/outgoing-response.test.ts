// The last step of an answer.

import { expect, test } from "vitest";
import { openExchange } from "../../src/http/exchange.ts";
import { NO_HEADERS } from "../../src/http/incoming-request.ts";
import { completeResponse } from "../../src/pipeline/outgoing-response.ts";

const OPENING = {
  ...{ seq: 1, world: "main", at: 0, path: "/events", suffix: undefined, search: "", headers: NO_HEADERS },
  ...{ base: "/_vitrine", origin: "http://localhost", service: undefined, environment: undefined },
  ...{ operation: undefined, params: {}, startedMs: undefined },
};

test("a HEAD request for an event stream ends the stream immediately", () => {
  let ended = 0;
  const body: AsyncIterableIterator<string> = {
    next: () => new Promise(() => {}),
    return: async () => {
      ended += 1;
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => body,
  };
  const sent = { status: 200, headers: {}, body };
  expect(completeResponse(sent, openExchange({ ...OPENING, method: "GET" }), undefined).body).toBe(body);
  expect(ended).toBe(0);
  expect(
    completeResponse(sent, openExchange({ ...OPENING, method: "HEAD" }), undefined).body,
  ).toBeUndefined();
  expect(ended).toBe(1);
});

test.for([
  [{ status: 200, body: "{}" }, "GET", false],
  [{ status: 200, body: "{}" }, "HEAD", true],
  [{ status: 200, body: "" }, "GET", true],
  [{ status: 200, body: new Uint8Array() }, "GET", true],
  [{ status: 200, body: undefined }, "GET", true],
  [{ status: 204, body: undefined }, "DELETE", true],
  [{ status: 304, body: "{}" }, "GET", true],
] as const)("a cut of %o to %s is the fault empty if there is no body: %s", ([reply, method, isEmpty]) => {
  for (const kind of ["truncate", "bad-chunk", "slow-close"] as const) {
    const exchange = openExchange({ ...OPENING, method });
    const { fault } = completeResponse({ ...reply, headers: {}, fault: { kind } }, exchange, 200);
    const expected = isEmpty && kind !== "slow-close" ? "empty" : kind;
    expect([fault?.kind, exchange.fault]).toEqual([expected, expected]);
    expect(exchange.status).toBe(expected === "empty" ? undefined : reply.status);
  }
});
