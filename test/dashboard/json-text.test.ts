// Where the values of a JSON text stand, and where it stops being JSON: what the editor of rules underlines.

import fc from "fast-check";
import { expect, test } from "vitest";
import { findSpan, formatJson, formatPosition, readJson } from "../../src/dashboard/json-text.ts";

const RULE =
  '{\n  "when": { "operation": "nope", "a/b": [1, { "~": null }] },\n  "then": { "delay": -1.5e3 }\n}';

const shown = (pointer: string) => {
  const span = findSpan(readJson(RULE), pointer);
  return span === undefined ? undefined : RULE.slice(span.start, span.end);
};

test.each([
  ["", RULE],
  ["/when/operation", '"nope"'],
  ["/when/a~1b/0", "1"],
  ["/when/a~1b/1/~0", "null"],
  ["/then/delay", "-1.5e3"],
  ["/then/fault", '{ "delay": -1.5e3 }'],
  ["/limit/times", RULE],
])("the pointer %j finds %s", (pointer, text) => {
  expect(shown(pointer)).toBe(text);
});

test.each([
  ["{", "1:1"],
  ['{ "a": }', "1:8"],
  ['{\n  "a": 1\n  "b": 2\n}', "3:3"],
  ['{ "a": 1 } x', "1:12"],
  ['{ "a": TRUE }', "1:8"],
  ["[1, 2", "1:5"],
  ["", "1:1"],
])("%j stops being JSON at %s", (text, place) => {
  const { broken } = readJson(text);
  expect(broken && formatPosition(text, broken.start)).toBe(place);
});

test("a text is indented, and digits, escapes and duplicate members stay as sent", () => {
  const text = '{"a":9007199254740993,"a":1.10,"b":["\\u0041 {,}",{}, [ ]],"c":{"d":[-0]}}';
  expect(formatJson(text).replace(/\n */g, "").replaceAll(": ", ":")).toBe(text.replace(", [ ]", ",[]"));
  expect(formatJson('{"b":[{},1]}')).toBe('{\n  "b": [\n    {},\n    1\n  ]\n}');
  expect(formatJson('{"b":')).toBe('{"b":');
});

test("the reader accepts exactly the strings that JSON.parse accepts", () => {
  const parses = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const almost = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom("", "{", "}", ",", '"', "1", " ", "\\", "\n", "-", "true"))
    .map(([json, at, more]) => {
      const place = at % (json.length + 1);
      return json.slice(0, place) + more + json.slice(place + (at % 2));
    });
  fc.assert(
    fc.property(fc.oneof(fc.json(), almost), (text) => {
      expect([text, readJson(text).broken === undefined]).toEqual([text, parses(text)]);
    }),
    { seed: 7, numRuns: 3_000 },
  );
});
