// A matcher in the query of a GET, written and read: text where that says it, JSON where it begins like JSON.

import { expect, test } from "vitest";
import { readMatcherQuery, writeMatcherQuery } from "../../src/control/matcher-query.ts";
import type { Matcher } from "../../src/rules/grammar.ts";

test.each<[matcher: Matcher, query: Readonly<Record<string, string>>]>([
  [{ operation: "museum.list*" }, { operation: "museum.list*" }],
  [{ method: ["PUT", "PATCH"] }, { method: '["PUT","PATCH"]' }],
  [
    { query: { page: 2 }, status: 404 },
    { query: '{"page":2}', status: "404" },
  ],
  [{ status: { $gte: 400 } }, { status: '{"$gte":400}' }],
  [{ user: '"ada"' }, { user: '"\\"ada\\""' }],
  [{ user: "[ada]" }, { user: '"[ada]"' }],
  [{ body: "x" }, { body: '"x"' }],
  [{ body: { price: 1 } }, { body: '{"price":1}' }],
  [
    { gone: true, after: 3 },
    { gone: "true", after: "3" },
  ],
  [{ text: '{"price"' }, { text: '{"price"' }],
  [
    { since: "2026-03-01", until: "2026-03-02" },
    { since: "2026-03-01", until: "2026-03-02" },
  ],
])("%j is written as %j and read back", (matcher, query) => {
  expect(writeMatcherQuery(matcher)).toEqual(query);
  expect(readMatcherQuery(query)).toEqual(matcher);
});

test("a date is written as a string, and undefined is omitted", () => {
  expect(writeMatcherQuery({ since: new Date(0), user: undefined })).toEqual({
    since: "1970-01-01T00:00:00.000Z",
  });
});

test("an invalid value is kept as a string, so that the matcher rejects it", () => {
  expect(readMatcherQuery({ status: "many", gone: "yes", after: "soon", body: "x y" })).toEqual({
    status: "many",
    gone: "yes",
    after: "soon",
    body: "x y",
  });
  const twice = { user: ["ada", "bob"] };
  expect(readMatcherQuery(twice)).toEqual(twice);
});

test.each(["query", "user", "body", "status"])(
  "%s that begins like JSON but is invalid is rejected with its position",
  (part) => {
    expect(() => readMatcherQuery({ [part]: '{"page"' })).toThrow(
      expect.objectContaining({
        code: "badOption",
        message: `${part} begins like JSON but is not valid JSON: write ${part}={"$exists":true}, or plain text. (at /${part})`,
      }),
    );
  },
);
