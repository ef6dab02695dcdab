// The last step of an answer.

import { expect, test } from "vitest";
import { NO_HEADERS } from "../../src/operation/asked.ts";
import { openExchange } from "../../src/operation/exchange.ts";
import { complete } from "../../src/request/sent.ts";

test("the head of a stream of events ends the stream, and nobody goes on to fill it", () => {
  let ended = 0;
  const body: AsyncIterableIterator<string> = {
    next: () => new Promise(() => {}),
    return: async () => {
      ended += 1;
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => body,
  };
  const opening = {
    ...{ seq: 1, world: "main", at: 0, path: "/events", suffix: undefined, search: "", headers: NO_HEADERS },
    ...{ base: "/_vitrine", origin: "http://localhost", service: undefined, environment: undefined },
    ...{ operation: undefined, params: {}, startedMs: undefined },
  };
  const sent = { status: 200, headers: {}, body };
  expect(complete(sent, openExchange({ ...opening, method: "GET" }), undefined).body).toBe(body);
  expect(ended).toBe(0);
  expect(complete(sent, openExchange({ ...opening, method: "HEAD" }), undefined).body).toBeUndefined();
  expect(ended).toBe(1);
});
