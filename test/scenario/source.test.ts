// A scenario's text, and where in it each value is; a value that has no text is refused for the same tricks.

import { describe, expect, test } from "vitest";
import { UsageError } from "../../src/errors/usage-error.ts";
import { createValueSource, readSource } from "../../src/scenario/source.ts";

const TEXT = `{
  "version": 1,
  "rules": [
    { "id": "one", "then": { "pass": true } }
  ]
}`;

/** The message, which ends with the place. */
function refusalOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof UsageError) return error.message;
  }
  return expect.unreachable("it is refused");
}

test("each value and key has a line and column, and a missing value has the nearest existing position", () => {
  const source = readSource(TEXT, "a.json");
  expect(source.value).toEqual(JSON.parse(TEXT));
  expect(source.locate(["version"])).toEqual({ file: "a.json", line: 2, column: 14, pointer: "/version" });
  expect(source.locate(["version"], "key")).toMatchObject({ line: 2, column: 3 });
  expect(source.locate(["rules", 0, "then"])).toMatchObject({
    line: 4,
    column: 28,
    pointer: "/rules/0/then",
  });
  expect(source.locate(["rules", 0], "key")).toMatchObject({ line: 4, column: 5 });
  expect(source.locate([])).toMatchObject({ line: 1, column: 1, pointer: "" });
  expect(source.locate(["rules", 3, "then"])).toMatchObject({
    line: 3,
    column: 12,
    pointer: "/rules/3/then",
  });
  expect(source.locate(["title"], "key")).toMatchObject({ line: 1, column: 1 });
});

describe("a scenario text is rejected", () => {
  test.each([
    ["", 'a.json:1:1: The file is empty. The smallest scenario is { "version": 1 }.'],
    [" \n ", "The file is empty."],
    ["\uFEFF{}", "a.json:1:1: The file begins with a byte order mark. Save it as UTF-8 without BOM."],
    ["{} // end", "This is not valid JSON: comments are not allowed."],
    [
      '{"a": 1,}',
      "a.json:1:9: This is not valid JSON: a property name in double quotes is expected (no trailing comma).",
    ],
    ["[1,]", "a.json:1:4: This is not valid JSON: a value is expected (no trailing comma)."],
    ['{"a": }', "This is not valid JSON: a value is expected (no trailing comma)."],
    ['{"a": 1 "b": 2}', "a.json:1:9: This is not valid JSON: a comma is missing."],
    ['{"a" 1}', "This is not valid JSON: a colon is missing."],
    ['{"a": 1', "This is not valid JSON: a closing } is missing."],
    ["[1", "This is not valid JSON: a closing ] is missing."],
    ["{} {}", "a.json:1:4: This is not valid JSON: unexpected content after the end."],
    ["{a: 1}", "This is not valid JSON: this is not a JSON value."],
    ['{"a": "x', "a.json:1:7: This is not valid JSON: a string is not closed."],
    ['{"a": "\\x"}', "This is not valid JSON: unknown escape in a string."],
    ['{"a": "\t"}', "This is not valid JSON: a control character must be escaped."],
    ['{"a": {"b": 1, "b": 2}}', 'Duplicate key "b".'],
    ['{"__proto__": 1}', 'The key "__proto__" is not allowed here.'],
    ['[{"constructor": {"prototype": 1}}]', 'The key "prototype" is not allowed here.'],
    [`${"[".repeat(66)}1${"]".repeat(66)}`, "Nested deeper than 64 levels."],
    [`{"a": "${"x".repeat(1_048_576)}"}`, "The file has more than 1 MiB."],
  ])("%#", (text, told) => {
    expect(refusalOf(() => readSource(text, "a.json"))).toContain(told);
  });

  test("with the position of the error", () => {
    expect(refusalOf(() => readSource('{\n "a": 1,\n "a": 2 }', "a.json"))).toBe(
      'a.json:3:2: Duplicate key "a". (at /a)',
    );
    expect(refusalOf(() => readSource("{\n // no\n}", undefined))).toMatch(
      /^2:2: .*comments are not allowed/,
    );
  });

  test("but not if it is just within the limits, or has suspicious but allowed names", () => {
    const deep = `${"[".repeat(64)}1${"]".repeat(64)}`;
    expect(readSource(deep, undefined).value).toEqual(JSON.parse(deep));
    expect(readSource('{"constructor": 1, "b": {"prototype": 1}}', undefined).value).toMatchObject({ b: {} });
  });
});

describe("a scenario value is rejected", () => {
  test.each<[value: unknown, told: string]>([
    [
      JSON.parse('{"rules": [{"__proto__": {}}]}'),
      'The key "__proto__" is not allowed here. (at /rules/0/__proto__)',
    ],
    [
      { constructor: { prototype: 1 } },
      'The key "prototype" is not allowed here. (at /constructor/prototype)',
    ],
    [JSON.parse(`${'{"a":'.repeat(66)}1${"}".repeat(66)}`), "Nested deeper than 64 levels."],
  ])("%#", (value, told) => {
    expect(refusalOf(() => createValueSource(value, "a.json"))).toContain(told);
    expect(refusalOf(() => createValueSource(value, "a.json"))).toMatch(/^a\.json/);
  });

  test("but not if it is plain JSON, whose positions have no line", () => {
    const value = { a: [null, 1, { b: "x" }] };
    const source = createValueSource(value);
    expect(source.value).toBe(value);
    expect(source.locate(["a", 2, "b"])).toEqual({ file: undefined, pointer: "/a/2/b" });
  });
});
