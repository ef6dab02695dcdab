// Which requests a rule matches: each operator, in each place.

import { describe, expect, test } from "vitest";
import { matcherFault, mismatch } from "../../src/rules/matcher.ts";
import { matchesGlob } from "../../src/rules/pattern.ts";
import { createSandbox } from "../../src/vitrine.ts";

const JSON_VALUES = { textual: false };
const TEXTS = { textual: true };
const matches = (value: unknown, matcher: unknown, mode = JSON_VALUES): boolean =>
  mismatch(value, matcher, "it", mode) === undefined;

describe("a condition", () => {
  const event = { name: "Night", price: 12.5, dates: ["2026-03-31"], place: { hall: 2, floor: null } };

  test.each<[matcher: unknown, expected: boolean]>([
    [{ name: "Night" }, true],
    [{ name: "night" }, false],
    [{ place: { hall: 2 } }, true],
    [{ place: { hall: 2, floor: null } }, true],
    [{ place: { hall: "2" } }, false],
    [{ absent: null }, false],
    [{ dates: ["2026-03-31"] }, true],
    [{ dates: [] }, false],
    [{ place: { $eq: { hall: 2 } } }, false],
    [{ place: { $eq: { floor: null, hall: 2 } } }, true],
    [{ name: { $ne: "Day" } }, true],
    [{ name: { $in: ["Day", "Night"] } }, true],
    [{ price: { $gt: 12, $lt: 13 } }, true],
    [{ price: { $gte: 12.5, $lte: 12.5 } }, true],
    [{ price: { $gt: "12" } }, false],
    [{ name: { $gt: 1 } }, false],
    [{ name: { $gte: "N" } }, true],
    [{ name: { $regex: "^n(?i)" } }, false],
    [{ name: { $regex: "(?i)^n" } }, true],
    [{ price: { $regex: "12" } }, false],
    [{ name: { $contains: "igh" } }, true],
    [{ dates: { $contains: { $regex: "^2026" } } }, true],
    [{ absent: { $exists: false } }, true],
    [{ name: { $exists: false } }, false],
    [{ dates: { $empty: false } }, true],
    [{ place: { floor: { $empty: true } } }, true],
    [{ price: { $type: "number" } }, true],
    [{ price: { $type: "integer" } }, false],
    [{ place: { hall: { $type: "integer" }, floor: { $type: "null" } } }, true],
    [{ dates: { $type: "array" } }, true],
    [{ absent: { $type: "string" } }, false],
    [{ name: { $not: { $contains: "x" } } }, true],
    [{ name: { $all: [{ $contains: "N" }, { $contains: "t" }] } }, true],
    [{ name: { $any: ["Day", { $regex: "ght$" }] } }, true],
    [{ constructor: { $exists: true } }, false],
    [{ toString: { $exists: true } }, false],
    ["Night", false],
  ])("%j on an event: %s", (matcher, expected) => {
    expect(matches(event, matcher)).toBe(expected);
  });

  test("on texts compares numbers and booleans as they are written", () => {
    expect(matches("2026", 2026, TEXTS)).toBe(true);
    expect(matches("true", true, TEXTS)).toBe(true);
    expect(matches("31", { $gt: 4 }, TEXTS)).toBe(true);
    expect(matches("", { $lt: 4 }, TEXTS)).toBe(false);
    expect(matches("2026", 2026)).toBe(false);
  });

  test("tells why it does not match", () => {
    expect(mismatch({ price: 5 }, { price: { $gt: 100 } }, "body", JSON_VALUES)).toBe(
      "body.price is 5, not $gt 100",
    );
    expect(mismatch(undefined, "ada", "user", TEXTS)).toBe('user is absent, not "ada"');
  });

  test.each([
    "^(a+)+$",
    "(a|aa)+$",
    "(a*)*b",
    "^(a?){40}a{40}$",
    "(x+x+)+y",
    "(.*a){20}b$",
    "([a-z]+)*-",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(a|a)*b",
    "(a|b|ab)*c",
    "^(\\w+\\s?)*$",
    "^(a|a?)+$",
    "(.*)*x",
    "^([a-z0-9])(([.-]|_+)?([a-z0-9]+))*@[a-z0-9]+$",
  ])(
    "with the evil pattern %s on the longest subject has an answer, where backtracking would never end",
    ($regex) => {
      expect(matches(`${"a".repeat(8_191)}!`, { $regex })).toBe(false);
    },
  );

  test.each(["([a-z]?[a-z]?){400}[0-9]", "((a?){100}){10}b", "a".repeat(257), "(", "(?<=a)b", "(a)\\1"])(
    "with the pattern %s is refused before it can cost anything",
    ($regex) => {
      expect(matcherFault({ name: { $regex } })).toMatchObject({ path: ["name", "$regex"] });
    },
  );

  test.each([
    ["account.list*", "account.listPreSales", true],
    ["account.list*", "account.getPreSale", false],
    ["*Sale*", "account.createPreSaleAction", true],
    ["a*b*c", "abc", true],
    ["a*b*c", "acb", false],
    ["*", "", true],
    ["ab*ba", "aba", false],
    ["a.c", "abc", false],
  ])("glob %s on %s: %s", (glob, text, expected) => {
    expect(matchesGlob(text, glob)).toBe(expected);
  });
});

describe("a rule means the requests", () => {
  const cases = [
    ["of an operation", { operation: "museum.listSpecialEvents" }, true],
    ["of one of several operations", { operation: ["museum.getMuseumHours", "museum.list*"] }, true],
    ["of another operation", { operation: "museum.getMuseumHours" }, false],
    ["to a path", { method: "GET", path: "/special-events" }, true],
    ["to another method", { method: "POST", path: "/special-events" }, false],
    ["to an environment", { environment: "museum" }, true],
    ["to another environment", { environment: "account*" }, false],
    ["with a query", { operation: "museum.list*", query: { page: { $gte: 2 }, limit: 5 } }, true],
    ["without a query", { operation: "museum.list*", query: { startDate: { $exists: true } } }, false],
    ["with a header", { headers: { "X-Client": { $regex: "^shop/" } } }, true],
    ["with another header", { headers: { "x-client": "shop" } }, false],
    ["of a user", { user: "ada" }, true],
    ["of another user", { user: { $not: "ada" } }, false],
    ["that accept a form", { accept: { $contains: "json" } }, true],
    ["that accept another form", { accept: { $contains: "html" } }, false],
  ] as const;

  test.each(cases)("%s", async (_about, when, expected) => {
    await using sandbox = await createSandbox({ clock: "2026-03-02T09:00:00Z" });
    sandbox.use({ when: when as object, then: { respond: { status: 503 } } });
    const reply = await sandbox.museum.listSpecialEvents({
      query: { page: 2, limit: 5 },
      headers: { ...sandbox.auth.basic("ada", "x"), "x-client": "shop/1" },
    });
    expect(reply.status).toBe(expected ? 503 : 200);
  });

  test("with a parameter of the path, and with a body", async () => {
    await using sandbox = await createSandbox({ clock: "2026-03-02T09:00:00Z" });
    const [one, other] = sandbox.data.museum.specialEvents.all().map(({ eventId }) => eventId);
    sandbox.use({
      when: {
        operation: "museum.updateSpecialEvent",
        params: { eventId: one ?? "" },
        body: { price: { $gt: 100 } },
      },
      then: { problem: "invalidInput" },
    });
    const update = async (eventId = "", price = 0) =>
      (await sandbox.museum.updateSpecialEvent({ params: { eventId }, body: { price } })).status;
    expect([await update(one, 101), await update(one, 100), await update(other, 101)]).toEqual([
      400, 200, 200,
    ]);
  });
});
