/**
 * One condition on one value: a literal means equals, an object is a subset, `$` keys are operators. Returns
 * why a value does not match, in words for the journal and for `explain`.
 */

import type { ValidationIssue } from "../operation/issue.ts";
import { FloatLiteral } from "../operation/json.ts";
import { jsonType } from "../operation/wording.ts";
import { unknownName } from "../world/nearest.ts";
import { matchesPattern, patternError } from "./pattern.ts";

const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"] as const;

type Mode = {
  /** Values are texts (headers, query, path): a number or boolean in the condition is compared as one. */
  readonly textual: boolean;
};

type Operator = {
  /** Why the operand cannot be used, with the path to the fault inside it. */
  readonly check: (operand: unknown) => ValidationIssue | undefined;
  /** `operand` has passed `check`, which is what the casts below rely on. */
  readonly test: (value: unknown, operand: unknown, mode: Mode) => boolean;
};

const unless = (fits: boolean, message: string): ValidationIssue | undefined =>
  fits ? undefined : { path: [], message };
const comparable = (operand: unknown): ValidationIssue | undefined =>
  unless(typeof operand === "number" || typeof operand === "string", "must be a number or a string");
const list = (operand: unknown): ValidationIssue | undefined =>
  Array.isArray(operand) && operand.length > 0
    ? firstFault(operand.entries())
    : unless(false, "must be a list that is not empty");
const flag = (operand: unknown): ValidationIssue | undefined =>
  unless(typeof operand === "boolean", "must be true or false");
const matches = (value: unknown, matcher: unknown, mode: Mode): boolean =>
  mismatch(value, matcher, "", mode) === undefined;

export const OPERATORS: Readonly<Record<string, Operator>> = {
  $eq: { check: () => undefined, test: equal },
  $ne: { check: () => undefined, test: (value, operand, mode) => !equal(value, operand, mode) },
  $in: {
    check: list,
    test: (value, operand, mode) => (operand as unknown[]).some((one) => equal(value, one, mode)),
  },
  $gt: { check: comparable, test: (value, operand, mode) => order(value, operand, mode) > 0 },
  $gte: { check: comparable, test: (value, operand, mode) => order(value, operand, mode) >= 0 },
  $lt: { check: comparable, test: (value, operand, mode) => order(value, operand, mode) < 0 },
  $lte: { check: comparable, test: (value, operand, mode) => order(value, operand, mode) <= 0 },
  $regex: {
    check(operand) {
      const message = typeof operand === "string" ? patternError(operand) : "must be a string";
      return message === undefined ? undefined : { path: [], message };
    },
    test: (value, operand) => typeof value === "string" && matchesPattern(value, String(operand)),
  },
  $contains: {
    check: matcherFault,
    test: (value, operand, mode) =>
      typeof value === "string"
        ? value.includes(String(operand))
        : Array.isArray(value) && value.some((one) => matches(one, operand, mode)),
  },
  $exists: { check: flag, test: (value, operand) => (value !== undefined) === operand },
  $empty: { check: flag, test: (value, operand) => isEmpty(value) === operand },
  $type: {
    check: (operand) =>
      TYPES.includes(operand as (typeof TYPES)[number])
        ? undefined
        : { path: [], message: unknownName("type", String(operand), TYPES) },
    test: hasType,
  },
  $not: { check: matcherFault, test: (value, operand, mode) => !matches(value, operand, mode) },
  $all: {
    check: list,
    test: (value, operand, mode) => (operand as unknown[]).every((one) => matches(value, one, mode)),
  },
  $any: {
    check: list,
    test: (value, operand, mode) => (operand as unknown[]).some((one) => matches(value, one, mode)),
  },
};

/** What is wrong with a condition, or undefined. */
export function matcherFault(matcher: unknown): ValidationIssue | undefined {
  if (Array.isArray(matcher)) return undefined;
  if (typeof matcher !== "object" || matcher === null) return undefined;
  const entries = Object.entries(matcher);
  if (!hasOperators(matcher)) return firstFault(entries);
  for (const [key, operand] of entries) {
    const operator = operatorOf(key);
    if (operator === undefined)
      return { path: [key], message: unknownName("operator", key, Object.keys(OPERATORS)) };
    const fault = operator.check(operand);
    if (fault !== undefined) return { path: [key, ...fault.path], message: fault.message };
  }
  return undefined;
}

function firstFault(entries: Iterable<readonly [string | number, unknown]>): ValidationIssue | undefined {
  for (const [key, child] of entries) {
    const fault = matcherFault(child);
    if (fault !== undefined) return { path: [key, ...fault.path], message: fault.message };
  }
  return undefined;
}

/** Why `value` does not match, naming it as `label`; undefined when it does. */
export function mismatch(value: unknown, matcher: unknown, label: string, mode: Mode): string | undefined {
  if (typeof matcher !== "object" || matcher === null || Array.isArray(matcher))
    return equal(value, matcher, mode) ? undefined : `${label} is ${show(value)}, not ${show(matcher)}`;
  const entries = Object.entries(matcher);
  if (hasOperators(matcher)) {
    for (const [key, operand] of entries) {
      if (operatorOf(key)?.test(plain(value), operand, mode) !== true)
        return `${label} is ${show(value)}, not ${key} ${show(operand)}`;
    }
    return undefined;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof FloatLiteral)
    return `${label} is ${show(value)}, not an object`;
  for (const [key, child] of entries) {
    // An own property or nothing: a field named like one of Object.prototype is an ordinary field.
    const inner = Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
    const why = mismatch(inner, child, label === "" ? key : `${label}.${key}`, mode);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** True for `{ "$gt": 5 }`, false for a subset such as `{ "price": 5 }`. */
export function hasOperators(matcher: object): boolean {
  return Object.keys(matcher).some((key) => key.startsWith("$"));
}

function operatorOf(key: string): Operator | undefined {
  return Object.hasOwn(OPERATORS, key) ? OPERATORS[key] : undefined;
}

function equal(actual: unknown, expected: unknown, mode: Mode): boolean {
  const value = plain(actual);
  if (mode.textual && typeof value === "string" && typeof expected !== "object")
    return value === String(expected);
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
    const number = textual && typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    return typeof number === "number" ? number - operand : Number.NaN;
  }
  if (typeof value !== "string" || typeof operand !== "string") return Number.NaN;
  return value < operand ? -1 : value > operand ? 1 : 0;
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

function show(value: unknown): string {
  if (value === undefined) return "absent";
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
