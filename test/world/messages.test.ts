// Names and values in messages: which name was meant, how many are listed, and how a value is shown.

import { expect, test } from "vitest";
import { describeUnknown, findNearestName } from "../../src/errors/nearest.ts";
import { quote } from "../../src/errors/quote.ts";

const names = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `name-${String.fromCharCode(97 + index)}`);

test("up to twelve known names are listed, and of more, the first twelve", () => {
  expect(describeUnknown("thing", "unlike", names(12))).toBe(
    `Unknown thing "unlike". Known: ${names(12).join(", ")}.`,
  );
  expect(describeUnknown("thing", "unlike", names(13))).toBe(
    `Unknown thing "unlike". Known: ${names(12).join(", ")}, ….`,
  );
  expect(describeUnknown("thing", "unlike", [])).toBe('Unknown thing "unlike". Known: none.');
});

test("a name is suggested where it is near, whatever its case", () => {
  expect(findNearestName("ADVNCE", ["rewind", "Advance"])).toBe("Advance");
  expect(findNearestName("something else", ["rewind", "Advance"])).toBeUndefined();
});

test("a long string is cut inside its quotes, and another value is printed as JSON", () => {
  expect(quote("x".repeat(201))).toBe(`"${"x".repeat(200)}…"`);
  expect(quote("x".repeat(200))).toBe(`"${"x".repeat(200)}"`);
  expect(quote([1, "a"])).toBe('[1,"a"]');
});
