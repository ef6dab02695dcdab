/** Compares a value with a condition: a literal, an object with some of the value's fields, or operators such as `$gt`. */

import { describeUnknown } from "../errors/nearest.ts";
import { quote } from "../errors/quote.ts";
import { FloatLiteral } from "../http/json.ts";
import { prefixIssues, type ValidationIssue } from "../operation/issue.ts";
import { getJsonType } from "../operation/wording.ts";
import { findPatternError, matchesPattern } from "./pattern.ts";

export type Condition =
  | string
  | number
  | boolean
  | null
  | readonly Condition[]
  | { readonly [key: string]: Condition };

/** A name or glob (`account.list*`), a list of them, or operators: `{ "$exists": false }`. */
export type Names = string | readonly string[] | Operators;
export type Operators = { readonly [operator: `$${string}`]: Condition };

const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"] as const;

/** In text mode (headers, parameters, users) the string `"5"` also equals the number 5, and `"true"` equals true. JSON mode is exact. */
export type CompareMode = { readonly textual: boolean };
export const TEXT_MODE: CompareMode = { textual: true };
export const JSON_MODE: CompareMode = { textual: false };

type Operator = {
  readonly about: string;
  readonly check: (operand: unknown) => readonly ValidationIssue[];
  /** Runs only if `operand` has passed `check`. The casts below rely on this. */
  readonly test: (value: unknown, operand: unknown, mode: CompareMode) => boolean;
};

const NONE: readonly never[] = [];
const failUnless = (fits: boolean, message: string): readonly ValidationIssue[] =>
  fits ? NONE : [{ path: [], message }];
const createComparison = (about: string, fits: (order: number) => boolean): Operator => ({
  about,
  check: (operand) =>
    failUnless(typeof operand === "number" || typeof operand === "string", "must be a number or a string"),
  test: (value, operand, mode) => fits(compareOrder(value, operand, mode)),
});
const checkList = (operand: unknown): readonly ValidationIssue[] =>
  Array.isArray(operand) && operand.length > 0
    ? checkEntries(operand.entries())
    : failUnless(false, "must be a list that is not empty");
const checkFlag = (operand: unknown): readonly ValidationIssue[] =>
  failUnless(typeof operand === "boolean", "must be true or false");
const toList = (operand: unknown) => operand as readonly unknown[]; // Safe cast: `checkList` has accepted the operand.

export const OPERATORS: Readonly<Record<string, Operator>> = {
  $eq: { about: "The value equals this value, and has no other fields.", check: () => NONE, test: isEqual },
  $ne: {
    about: "The value is different from this value.",
    check: () => NONE,
    test: (value, operand, mode) => !isEqual(value, operand, mode),
  },
  $in: {
    about: "The value equals an item of this list.",
    check: checkList,
    test: (value, operand, mode) => toList(operand).some((item) => isEqual(value, item, mode)),
  },
  $gt: createComparison("The value is greater than this number or text.", (order) => order > 0),
  $gte: createComparison("The value is at least this number or text.", (order) => order >= 0),
  $lt: createComparison("The value is less than this number or text.", (order) => order < 0),
  $lte: createComparison("The value is at most this number or text.", (order) => order <= 0),
  $regex: {
    about: "A part of the text matches this regular expression (RE2 syntax).",
    check(operand) {
      const message = typeof operand === "string" ? findPatternError(operand) : "must be a string";
      return message === undefined ? NONE : [{ path: [], message }];
    },
    test: (value, operand) => typeof value === "string" && matchesPattern(value, String(operand)),
  },
  $contains: {
    about: "The text contains this text, or the list has an item that matches.",
    check: checkCondition,
    test: (value, operand, mode) =>
      typeof value === "string"
        ? value.includes(String(operand))
        : Array.isArray(value) && value.some((item) => matchesCondition(item, operand, mode)),
  },
  $exists: {
    about: "`true`: the value exists. `false`: the value is missing.",
    check: checkFlag,
    test: (value, operand) => (value !== undefined) === operand,
  },
  $empty: {
    about: "`true`: the value is missing, `null` or empty. `false`: it is not.",
    check: checkFlag,
    test: (value, operand) => isEmpty(value) === operand,
  },
  $type: {
    about: "The value has this JSON type. `integer` is also a type.",
    check: (operand) => {
      const message = describeUnknown("type", String(operand), TYPES);
      return failUnless((TYPES as readonly unknown[]).includes(operand), message);
    },
    test: hasType,
  },
  $not: {
    about: "The value does not match this condition.",
    check: checkCondition,
    test: (value, operand, mode) => !matchesCondition(value, operand, mode),
  },
  $all: {
    about: "The value matches every condition of this list.",
    check: checkList,
    test: (value, operand, mode) => toList(operand).every((item) => matchesCondition(value, item, mode)),
  },
  $any: {
    about: "The value matches at least one condition of this list.",
    check: checkList,
    test: (value, operand, mode) => toList(operand).some((item) => matchesCondition(value, item, mode)),
  },
};

export function checkCondition(condition: unknown): readonly ValidationIssue[] {
  if (typeof condition !== "object" || condition === null || Array.isArray(condition)) return NONE;
  const entries = Object.entries(condition);
  if (!hasOperators(condition)) return checkEntries(entries);
  return entries.flatMap(([key, operand]) => {
    const operator = findOperator(key);
    return operator === undefined
      ? [{ path: [key], message: describeUnknown("operator", key, Object.keys(OPERATORS)) }]
      : prefixIssues([key], operator.check(operand));
  });
}

function checkEntries(entries: Iterable<readonly [string | number, unknown]>): readonly ValidationIssue[] {
  return [...entries].flatMap(([key, child]) => prefixIssues([key], checkCondition(child)));
}

export function matchesCondition(value: unknown, condition: unknown, mode: CompareMode): boolean {
  return findDifferences(value, condition, "", mode).length === 0;
}

/** Lists the differences of value and condition: `body.price is 5, not 1`. `label` (here `body`) is the name of the value. */
export function findDifferences(
  value: unknown,
  condition: unknown,
  label: string,
  mode: CompareMode,
): readonly string[] {
  if (typeof condition !== "object" || condition === null || Array.isArray(condition))
    return isEqual(value, condition, mode)
      ? NONE
      : [`${label} is ${formatValue(value)}, not ${formatValue(condition)}`];
  const entries = Object.entries(condition);
  if (hasOperators(condition))
    return entries
      .filter(([key, operand]) => findOperator(key)?.test(unwrapNumber(value), operand, mode) !== true)
      .flatMap(([key, operand]) =>
        key === "$eq" && isPlainObject(value) && isPlainObject(operand)
          ? findUnequalFields(value, operand, label, mode)
          : [`${label} is ${formatValue(value)}, not ${key} ${formatValue(operand)}`],
      );
  if (!isPlainObject(value)) return [`${label} is ${formatValue(value)}, not an object`];
  return entries.flatMap(([key, child]) => {
    // Reads own properties only: a field may have the name of a member of Object.prototype.
    const inner = Object.hasOwn(value, key) ? value[key] : undefined;
    return findDifferences(inner, child, label === "" ? key : `${label}.${key}`, mode);
  });
}

/** Lists the fields that differ between two objects. A field that only one of them has also differs. */
function findUnequalFields(
  value: JsonObject,
  expected: JsonObject,
  label: string,
  mode: CompareMode,
): string[] {
  return [...new Set([...Object.keys(expected), ...Object.keys(value)])].flatMap((key) => {
    const read = (whole: JsonObject) => (Object.hasOwn(whole, key) ? whole[key] : undefined);
    const [actual, wanted] = [read(value), read(expected)];
    const name = label === "" ? key : `${label}.${key}`;
    if (isPlainObject(actual) && isPlainObject(wanted)) return findUnequalFields(actual, wanted, name, mode);
    if (isEqual(actual, wanted, mode)) return [];
    return [`${name} is ${formatValue(actual)}, not ${formatValue(wanted)}`];
  });
}

type JsonObject = Readonly<Record<string, unknown>>;

function isPlainObject(value: unknown): value is JsonObject {
  const isObject = typeof value === "object" && value !== null;
  return isObject && !Array.isArray(value) && !(value instanceof FloatLiteral);
}

/** True for operators such as `{ "$gt": 5 }`. False for fields such as `{ "price": 5 }`. */
export function hasOperators(condition: object): boolean {
  return Object.keys(condition).some((key) => key.startsWith("$"));
}

function findOperator(key: string): Operator | undefined {
  return Object.hasOwn(OPERATORS, key) ? OPERATORS[key] : undefined;
}

function isEqual(actual: unknown, expected: unknown, mode: CompareMode): boolean {
  const value = unwrapNumber(actual);
  if (mode.textual && typeof value === "string" && typeof expected !== "object")
    return value === String(expected) || (typeof expected === "number" && toNumber(value) === expected);
  if (Array.isArray(expected)) {
    return (
      Array.isArray(value) &&
      value.length === expected.length &&
      expected.every((item, index) => isEqual(value[index], item, mode))
    );
  }
  if (typeof expected === "object" && expected !== null) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const keys = Object.keys(expected);
    return (
      Object.keys(value).length === keys.length &&
      keys.every(
        (key) =>
          Object.hasOwn(value, key) &&
          // Safe casts: both are JSON objects with this key.
          isEqual((value as Record<string, unknown>)[key], (expected as Record<string, unknown>)[key], mode),
      )
    );
  }
  return value === expected;
}

/** Returns a negative number, 0 or a positive number, like a sort function. Returns NaN if the values cannot be compared. */
function compareOrder(value: unknown, operand: unknown, { textual }: CompareMode): number {
  if (typeof operand === "number") {
    const number = textual && typeof value === "string" ? toNumber(value) : value;
    return typeof number === "number" ? number - operand : Number.NaN;
  }
  if (typeof value !== "string" || typeof operand !== "string") return Number.NaN;
  return value < operand ? -1 : value > operand ? 1 : 0;
}

/** Parses a decimal number. Returns NaN for other strings. */
function toNumber(text: string): number {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function hasType(value: unknown, type: unknown): boolean {
  if (value === undefined) return false;
  return type === "integer" ? Number.isInteger(value) : getJsonType(value) === type;
}

function unwrapNumber(value: unknown): unknown {
  return value instanceof FloatLiteral ? value.value : value;
}

export function formatValue(value: unknown): string {
  return value === undefined ? "absent" : quote(value);
}
