// How bodies are parsed: which numbers are kept, and what becomes of the others.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FloatLiteral, LostNumber, parseJson } from "../../src/http/json.ts";

const double = fc.double({ noNaN: true, noDefaultInfinity: true });
const integer = fc
  .tuple(fc.bigInt({ min: -(2n ** 90n), max: 2n ** 90n }), fc.nat(20))
  .map(([value, zeros]) => (value / 10n ** BigInt(zeros)) * 10n ** BigInt(zeros));

describe("a number", () => {
  test("that JavaScript prints is parsed exactly, with any number of digits", () => {
    fc.assert(
      fc.property(double, fc.integer({ min: 17, max: 60 }), (value, digits) => {
        for (const text of [String(value), value.toPrecision(digits)])
          expect(parseJson(`[${text}]`), text).toEqual({ value: [Number(text)] });
      }),
    );
  });

  test("that is an integer is kept exactly if a double has this value or prints these digits", () => {
    fc.assert(
      fc.property(integer, (value) => {
        const { value: parsed } = parseJson(`{"id": ${value}}`, "declared") as { value: { id: unknown } };
        expect(parsed.id instanceof LostNumber).toBe(
          BigInt(Number(value)) !== value && writtenOut(Number(value)) !== String(value),
        );
      }),
    );
  });

  test.each([
    "1e-3",
    "0.001",
    "100e-5",
    "0.0010",
    "1E2",
    "-0.0",
    "0e9",
    "1.10e+1",
    "5e-324",
    "9007199254740992",
    "1e-400",
    "0.10000000000000000556",
    "9007199254740993.5",
    `0.${"3".repeat(150)}`,
  ])("%s fits in a double", (text) => {
    expect(parseJson(`[${text}]`)).toEqual({ value: [Number(text)] });
  });

  test.each(["1e309", "-1e309", "9007199254740993", `1${"0".repeat(400)}`])("%s is no double", (text) => {
    expect(parseJson(`[${text}]`)).toEqual({
      error: expect.stringContaining(`a 64-bit float cannot represent the number ${text.slice(0, 20)}`),
    });
  });

  test("that a double cannot represent is an error if all numbers must be exact", () => {
    const error = "a 64-bit float cannot represent the number 9007199254740993";
    expect(parseJson('{"a": [9007199254740993, 1e400]}')).toEqual({ error });
    expect(parseJson("1e400")).toEqual({ error: "a 64-bit float cannot represent the number 1e400" });
  });
});

/** As JSON writes a whole number, without an exponent. */
function writtenOut(value: number): string {
  const [digits = "", power] = String(value).split("e+");
  const [whole = "", fraction = ""] = digits.split(".");
  return power === undefined ? digits : whole + fraction.padEnd(Number(power), "0");
}

test("the last of several members with the same name decides how its number is parsed", () => {
  for (const [text, value] of [
    ['{"a": 1.0, "a": 1}', { a: 1 }],
    ['{"a": 1, "a": 1.0}', { a: new FloatLiteral(1) }],
    ['{"a": 1.0, "a": "x"}', { a: "x" }],
    ['{"a": 1.0, "a": {"b": 1.0}}', { a: { b: new FloatLiteral(1) } }],
    ['{"a": {"b": 1.0}, "a": {}}', { a: {} }],
    ['{"a": [1.0], "a": [[2]]}', { a: [[2]] }],
  ] as const)
    expect(parseJson(text, "literal"), text).toEqual({ value });
});
