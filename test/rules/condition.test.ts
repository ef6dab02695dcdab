// Conditions at their borders: what is compared, as what, and what cannot be.

import { expect, test } from "vitest";
import { checkCondition, findDifferences } from "../../src/rules/condition.ts";

const holds = (value: unknown, condition: unknown, textual = false): boolean =>
  findDifferences(value, condition, "value", { textual }).length === 0;

test.each([
  [1, [false, false, true, true]],
  [2, [false, true, false, true]],
  [3, [true, true, false, false]],
  ["2", [false, false, false, false]],
  [null, [false, false, false, false]],
])("%j is compared with 2: greater, greater or equal, less, less or equal", (value, expected) => {
  expect(["$gt", "$gte", "$lt", "$lte"].map((operator) => holds(value, { [operator]: 2 }))).toEqual(expected);
});

test.each([
  ["a", [false, false, true, true]],
  ["b", [false, true, false, true]],
  ["c", [true, true, false, false]],
  [2, [false, false, false, false]],
])('%j is compared with "b" as a text', (value, expected) => {
  expect(["$gt", "$gte", "$lt", "$lte"].map((operator) => holds(value, { [operator]: "b" }))).toEqual(
    expected,
  );
});

test.each(["20", "+20", "20.0", "20.", "2e1", "2E+1", "200e-1"])("in a query %s is the number 20", (text) => {
  expect([holds(text, 20, true), holds(text, { $gte: 20 }, true)]).toEqual([true, true]);
  expect(holds(text, 20)).toBe(false);
});

test.each(["", "20a", "0x14", " 20", "1_0", "Infinity", ".", "e1"])("in a query %j is no number", (text) => {
  expect([holds(text, { $gte: 0 }, true), holds(text, { $lt: 0 }, true)]).toEqual([false, false]);
});

test("a number may start with the decimal point", () => {
  expect(holds(".5", { $gt: 0.4, $lt: 0.6 }, true)).toBe(true);
});

test("only an object matches a condition that is an object", () => {
  for (const value of [null, undefined, [], "x", 1]) expect(holds(value, { name: "x" })).toBe(false);
  expect(holds({ name: "x", more: 1 }, { name: "x" })).toBe(true);
  expect(holds([null], [{ name: "x" }])).toBe(false);
  expect(holds([{ name: "x", more: 1 }], [{ name: "x" }])).toBe(false);
});

test("a value that differs from an object is reported field by field, including additional fields", () => {
  const value = { price: 5, more: 1, place: { hall: 2, row: 1 } };
  const condition = { $eq: { price: 1, place: { hall: 2 } } };
  const expected = [
    "body.price is 5, not 1",
    "body.place.row is 1, not absent",
    "body.more is 1, not absent",
  ];
  expect(findDifferences(value, condition, "body", { textual: false })).toEqual(expected);
});

test.each(["abc", [], null, 5, {}])("in, all and any need a list that is not empty, not %j", (operand) => {
  for (const operator of ["$in", "$all", "$any"])
    expect(checkCondition({ price: { [operator]: operand } })).toEqual([
      { path: ["price", operator], message: "must be a list that is not empty" },
    ]);
});

test("the empty operator matches absent, null and empty values, but no number", () => {
  for (const value of [undefined, null, "", [], {}]) expect(holds(value, { $empty: true })).toBe(true);
  for (const value of [0, false, " ", [0], { a: 1 }]) expect(holds(value, { $empty: true })).toBe(false);
});
