/**
 * One condition on one value: a literal means equals, an object is a subset, `$` keys are operators. Tells
 * every difference, field by field, in words for the journal, for failed verifications and for `explain`.
 */

import { unknownName } from "../errors/nearest.ts";
import { quoted } from "../errors/quote.ts";
import { FloatLiteral } from "../http/json.ts";
import { issuesUnder, type ValidationIssue } from "../operation/issue.ts";
import { jsonType } from "../operation/wording.ts";
import { matchesPattern, patternError } from "./pattern.ts";

/** Any JSON value. */
export type Condition =
  | string
  | number
  | boolean
  | null
  | readonly Condition[]
  | { readonly [key: string]: Condition };

/** A name, several, or globs (`account.list*`); or operators: `{ "$exists": false }`. */
export type Names = string | readonly string[] | Operators;
export type Operators = { readonly [operator: `$${string}`]: Condition };

const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"] as const;

/** What the values are: texts (headers, query, path), which also equal the number or boolean that they read as; or JSON. */
export type Mode = { readonly textual: boolean };
export const TEXTS: Mode = { textual: true };
export const JSON_VALUES: Mode = { textual: false };

type Operator = {
  /** For the manual. */
  readonly about: string;
  /** What is wrong with the operand, with the paths inside it. */
  readonly check: (operand: unknown) => readonly ValidationIssue[];
  /** `operand` has passed `check`, which is what the casts below rely on. */
  readonly test: (value: unknown, operand: unknown, mode: Mode) => boolean;
};

const NONE: readonly never[] = [];
const unless = (fits: boolean, message: string): readonly ValidationIssue[] =>
  fits ? NONE : [{ path: [], message }];
const comparable = (operand: unknown): readonly ValidationIssue[] =>
  unless(typeof operand === "number" || typeof operand === "string", "must be a number or a string");
const list = (operand: unknown): readonly ValidationIssue[] =>
  Array.isArray(operand) && operand.length > 0
    ? issuesIn(operand.entries())
    : unless(false, "must be a list that is not empty");
const flag = (operand: unknown): readonly ValidationIssue[] =>
  unless(typeof operand === "boolean", "must be true or false");

export const OPERATORS: Readonly<Record<string, Operator>> = {
  $eq: { about: "equals; an object as a whole", check: () => NONE, test: equal },
  $ne: {
    about: "does not equal",
    check: () => NONE,
    test: (value, operand, mode) => !equal(value, operand, mode),
  },
  $in: {
    about: "equals one of a list",
    check: list,
    test: (value, operand, mode) => (operand as unknown[]).some((one) => equal(value, one, mode)),
  },
  $gt: {
    about: "is greater; texts by code unit",
    check: comparable,
    test: (value, operand, mode) => order(value, operand, mode) > 0,
  },
  $gte: {
    about: "is greater or equal",
    check: comparable,
    test: (value, operand, mode) => order(value, operand, mode) >= 0,
  },
  $lt: {
    about: "is less",
    check: comparable,
    test: (value, operand, mode) => order(value, operand, mode) < 0,
  },
  $lte: {
    about: "is less or equal",
    check: comparable,
    test: (value, operand, mode) => order(value, operand, mode) <= 0,
  },
  $regex: {
    about: "matches a regular expression (RE2) somewhere",
    check(operand) {
      const message = typeof operand === "string" ? patternError(operand) : "must be a string";
      return message === undefined ? NONE : [{ path: [], message }];
    },
    test: (value, operand) => typeof value === "string" && matchesPattern(value, String(operand)),
  },
  $contains: {
    about: "a text that has this part; a list that has such an item",
    check: conditionIssues,
    test: (value, operand, mode) =>
      typeof value === "string"
        ? value.includes(String(operand))
        : Array.isArray(value) && value.some((one) => matches(one, operand, mode)),
  },
  $exists: {
    about: "is there (`true`), or absent (`false`)",
    check: flag,
    test: (value, operand) => (value !== undefined) === operand,
  },
  $empty: {
    about: "is absent, null, or has nothing in it",
    check: flag,
    test: (value, operand) => isEmpty(value) === operand,
  },
  $type: {
    about: "has this JSON type, or is an `integer`",
    check: (operand) =>
      unless(TYPES.includes(operand as (typeof TYPES)[number]), unknownName("type", String(operand), TYPES)),
    test: hasType,
  },
  $not: {
    about: "does not match a condition",
    check: conditionIssues,
    test: (value, operand, mode) => !matches(value, operand, mode),
  },
  $all: {
    about: "matches every condition of a list",
    check: list,
    test: (value, operand, mode) => (operand as unknown[]).every((one) => matches(value, one, mode)),
  },
  $any: {
    about: "matches one condition of a list",
    check: list,
    test: (value, operand, mode) => (operand as unknown[]).some((one) => matches(value, one, mode)),
  },
};

/** All that is wrong with a condition. */
export function conditionIssues(condition: unknown): readonly ValidationIssue[] {
  if (typeof condition !== "object" || condition === null || Array.isArray(condition)) return NONE;
  const entries = Object.entries(condition);
  if (!hasOperators(condition)) return issuesIn(entries);
  return entries.flatMap(([key, operand]) => {
    const operator = operatorOf(key);
    return operator === undefined
      ? [{ path: [key], message: unknownName("operator", key, Object.keys(OPERATORS)) }]
      : issuesUnder([key], operator.check(operand));
  });
}

function issuesIn(entries: Iterable<readonly [string | number, unknown]>): readonly ValidationIssue[] {
  return [...entries].flatMap(([key, child]) => issuesUnder([key], conditionIssues(child)));
}

export function matches(value: unknown, condition: unknown, mode: Mode): boolean {
  return differences(value, condition, "", mode).length === 0;
}

/** Where `value`, called `label`, differs from a condition: `body.price is 5, not 1`. Empty when it matches. */
export function differences(
  value: unknown,
  condition: unknown,
  label: string,
  mode: Mode,
): readonly string[] {
  if (typeof condition !== "object" || condition === null || Array.isArray(condition))
    return equal(value, condition, mode) ? NONE : [`${label} is ${show(value)}, not ${show(condition)}`];
  const entries = Object.entries(condition);
  if (hasOperators(condition))
    return entries
      .filter(([key, operand]) => operatorOf(key)?.test(plain(value), operand, mode) !== true)
      .map(([key, operand]) => `${label} is ${show(value)}, not ${key} ${show(operand)}`);
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof FloatLiteral)
    return [`${label} is ${show(value)}, not an object`];
  return entries.flatMap(([key, child]) => {
    // An own property or nothing: a field named like one of Object.prototype is an ordinary field.
    const inner = Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
    return differences(inner, child, label === "" ? key : `${label}.${key}`, mode);
  });
}

/** True for `{ "$gt": 5 }`, false for a subset such as `{ "price": 5 }`. */
export function hasOperators(condition: object): boolean {
  return Object.keys(condition).some((key) => key.startsWith("$"));
}

function operatorOf(key: string): Operator | undefined {
  return Object.hasOwn(OPERATORS, key) ? OPERATORS[key] : undefined;
}

function equal(actual: unknown, expected: unknown, mode: Mode): boolean {
  const value = plain(actual);
  if (mode.textual && typeof value === "string" && typeof expected !== "object")
    return value === String(expected) || (typeof expected === "number" && toNumber(value) === expected);
  if (Array.isArray(expected)) {
    return (
      Array.isArray(value) &&
      value.length === expected.length &&
      expected.every((one, index) => equal(value[index], one, mode))
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
          // Both are plain JSON objects that own the key.
          equal((value as Record<string, unknown>)[key], (expected as Record<string, unknown>)[key], mode),
      )
    );
  }
  return value === expected;
}

/** Below, at or above zero; NaN when the two cannot be compared, so that every comparison is false. */
function order(value: unknown, operand: unknown, { textual }: Mode): number {
  if (typeof operand === "number") {
    const number = textual && typeof value === "string" ? toNumber(value) : value;
    return typeof number === "number" ? number - operand : Number.NaN;
  }
  if (typeof value !== "string" || typeof operand !== "string") return Number.NaN;
  return value < operand ? -1 : value > operand ? 1 : 0;
}

/** The number that a text reads as; NaN for anything but a decimal one. */
function toNumber(text: string): number {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function hasType(value: unknown, type: unknown): boolean {
  if (value === undefined) return false;
  return type === "integer" ? Number.isInteger(value) : jsonType(value) === type;
}

function plain(value: unknown): unknown {
  return value instanceof FloatLiteral ? value.value : value;
}

export function show(value: unknown): string {
  return value === undefined ? "absent" : quoted(value);
}
