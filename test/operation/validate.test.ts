// What a value that does not fit is told, in words and with its place; and that a long list costs no more than its first
// mistakes.

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { check, createUnknownIssue, validate } from "../../src/operation/validate.ts";
import { formatIssue, formatIssues } from "../../src/operation/wording.ts";

const told = (schema: z.ZodType, value: unknown): string => {
  const { issues = [], more = "" } = check(schema, value);
  return [formatIssues(issues), more].filter(Boolean).join(" ");
};

describe("an invalid value is reported", () => {
  const event = z.strictObject({ name: z.string(), price: z.number().optional() });
  const level = z.enum(["low", "high"]);

  const cases: readonly (readonly [schema: z.ZodType, value: unknown, expected: string])[] = [
    [z.string(), 5, "body must be a string, not a number."],
    [z.string(), undefined, "body is required."],
    [z.string("must be the name of a hall"), undefined, "body must be the name of a hall."],
    [z.number(), Number.POSITIVE_INFINITY, "body must be a number, not Infinity."],
    [z.int(), 1.5, "body must be a whole number, not 1.5."],
    [z.int(), {}, "body must be a number, not an object."],
    [z.null(), [], "body must be null, not an array."],
    [z.record(z.string(), z.string()), "x", "body must be an object, not a string."],
    [z.tuple([z.string()]), "x", "body must be an array, not a string."],
    [z.array(z.string()), null, "body must be an array, not null."],
    [z.literal(true), false, "body must be true or omitted."],
    [z.literal(7), 8, "body must be 7, not 8."],
    [z.literal([1, 2, 3]), 4, "body must be 1, 2 or 3, not 4."],
    [z.literal([1, 2]), [], "body must be 1 or 2, not an array."],
    [level, "hihg", 'Unknown value "hihg". Did you mean "high"? Known: low, high.'],
    [z.object({ level }), { level: "hihg" }, 'Unknown level "hihg". Did you mean "high"? Known: low, high.'],
    [
      z.object({ levels: z.array(level) }),
      { levels: ["low", "hihg"] },
      'Unknown value "hihg". Did you mean "high"? Known: low, high.',
    ],
    [z.number().min(1), 0, "body must be at least 1, not 0."],
    [z.number().max(1), 2, "body must be at most 1, not 2."],
    [z.number().gt(1), 1, "body must be more than 1, not 1."],
    [z.number().lt(1), 1, "body must be less than 1, not 1."],
    [z.string().min(1), "", "body must have at least 1 character, not 0."],
    [z.string().max(2), "abc", "body must have at most 2 characters, not 3."],
    [z.array(z.string()).min(1), [], "body must have at least 1 item, not 0."],
    [z.array(z.string()).max(0), ["a"], "body must have at most 0 items, not 1."],
    [z.union([z.string(), z.int()]), {}, "body must be a string or a number, not an object."],
    [
      z.union([z.array(z.string()), z.record(z.string(), z.string())]),
      1,
      "body must be an array or an object, not a number.",
    ],
    [z.union([event, z.string()]), { name: 5 }, "name must be a string, not a number."],
    [
      z.union([z.string(), z.array(event)]),
      [{ name: "x", prise: 5 }],
      'Unknown field "prise". Did you mean "price"? Known: name, price.',
    ],
    [
      z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") }), z.object({ kind: z.literal("b") })]),
      { kind: "c" },
      "kind does not match any allowed form.",
    ],
    [z.iso.date(), "x", "body is not valid."],
    [z.string().refine(() => false, "must be kind"), "x", "body must be kind."],
    [
      event,
      { name: 5, prise: 1 },
      'name must be a string, not a number. Unknown field "prise". Did you mean "price"? Known: name, price.',
    ],
    [
      z.object({ a: z.string(), b: z.int() }),
      { a: 1, b: "1" },
      "a must be a string, not a number; b must be a number, not a string.",
    ],
    [
      z.object({ at: z.object({ name: z.string() }), dates: z.array(z.string()) }),
      { at: {}, dates: ["x", 1] },
      "at.name is required; dates[1] must be a string, not a number.",
    ],
    [z.strictObject({ at: event }), { at: { name: "x" }, price: 5 }, 'The field "price" belongs in "at".'],
  ];

  test.each(cases.map(([schema, value, expected]) => ({ schema, value, expected })))(
    "$expected",
    ({ schema, value, expected }) => {
      expect(told(schema, value)).toBe(expected);
    },
  );

  test("with its kind, so that each issue can be classified", () => {
    const own = z.string("must be told"); // which says more than that it is missing
    const schema = z.strictObject({ a: z.string(), b: z.string(), c: z.string().min(2), own });
    const { issues = [] } = validate(schema, { b: 1, c: "x", d: 1 });
    expect(issues.map(({ path, kind, in: where }) => [path, kind, where])).toEqual([
      [["d"], "unknown", "body"],
      [["a"], "missing", "body"],
      [["b"], "type", "body"],
      [["c"], "value", "body"],
      [["own"], "type", "body"],
    ]);
  });

  test("in the query if a parameter was sent twice or is unknown", () => {
    const schema = z.object({ page: z.string(), limit: z.string().optional() });
    const { issues = [], unknown } = validate(schema, { page: ["1", "2"], limt: "3" }, "query");
    expect(issues.map((issue) => formatIssue(issue))).toEqual(["page must be sent once."]);
    expect(unknown.map((name) => createUnknownIssue(name, schema, "query").message)).toEqual([
      'Unknown query parameter "limt". Did you mean "limit"? Known: page, limit.',
    ]);
  });
});

describe("a rule for several fields", () => {
  const schema = z.object({ from: z.string(), until: z.string(), size: z.int() });
  const rule = () => [
    { path: ["until"], message: "must come later" },
    { path: ["from"], message: "must come earlier" },
  ];

  test("adds no issue to an invalid field, and its issues are sorted by field", () => {
    const { issues = [] } = validate(schema, { from: 1, until: "b", size: "x" }, "body", rule);
    expect(issues.map((issue) => formatIssue(issue))).toEqual([
      "from must be a string, not a number.",
      "until must come later.",
      "size must be a number, not a string.",
    ]);
    expect(issues[1]).toMatchObject({ in: "body", kind: "value", received: "b" });
  });

  test("receives only the valid fields", () => {
    const seen: unknown[] = [];
    const look = (right: unknown) => {
      seen.push(right);
      return [];
    };
    validate(schema, { from: "a", until: 5, size: 1, more: true }, "body", look);
    expect(validate(schema, { from: "a", until: "b", size: 1 }, "body", look)).toMatchObject({ unknown: [] });
    expect(seen).toEqual([
      { from: "a", size: 1 },
      { from: "a", until: "b", size: 1 },
    ]);
  });
});

describe("a list of more than a thousand items", () => {
  const long = (item: unknown, count = 1_001) => Array.from({ length: count }, () => item);

  test("reports the first twenty errors, and the number of unchecked items", () => {
    const { issues = [], more } = check(z.object({ dates: z.array(z.string()) }), { dates: long(1) });
    expect(issues.map(({ path }) => path)).toEqual(
      Array.from({ length: 20 }, (_, index) => ["dates", index]),
    );
    expect(more).toBe("… and 981 items not checked.");
  });

  test("reports only its length if the schema allows fewer items", () => {
    expect(told(z.array(z.string()).max(1_000), long(1))).toBe(
      "body must have at most 1000 items, not 1001.",
    );
  });

  test("reports a few errors together with those of other fields", () => {
    const schema = z.object({ dates: z.array(z.string()), name: z.string() });
    expect(told(schema, { dates: [...long("x"), 5], name: 1 })).toBe(
      "dates[1001] must be a string, not a number; name must be a string, not a number.",
    );
  });

  test("is valid for a schema of anything, and invalid for a schema without lists", () => {
    const list = long("x");
    expect(check(z.object({ any: z.unknown() }), { any: list })).toEqual({ value: { any: list } });
    expect(told(z.object({ name: z.string() }), { name: list })).toBe("name must be a string, not an array.");
    expect(check(z.record(z.string(), z.array(z.string())), { a: list })).toEqual({ value: { a: list } });
  });
});

test("an object with many errors reports twenty of them, and the number of the others", () => {
  const names = Array.from({ length: 27 }, (_, index) => `field${index}`);
  const { issues = [], more } = check(
    z.object(Object.fromEntries(names.map((name) => [name, z.string()]))),
    {},
  );
  expect([issues.length, more]).toEqual([20, "… and 7 more."]);
  const unknown = check(z.strictObject({}), Object.fromEntries(names.map((name) => [name, 1])));
  expect([unknown.issues?.length, unknown.more]).toEqual([20, "… and 7 more."]);
});
