// Owns the step from raw input to typed input: runs a schema, and tells what is wrong in terms a service can put into
// its own words. Knows no service.

import type { z } from "zod";
import { FloatLiteral } from "./json.ts";
import type { Issue } from "./problem.ts";

export type Validated =
  | { readonly value: unknown; readonly unknown: readonly string[]; readonly issues?: undefined }
  | { readonly issues: readonly Issue[]; readonly unknown: readonly string[] };

/** Checks one part of a request against its schema. `unknown` are top-level fields that the schema does not have. */
export function validate(schema: z.ZodType, input: unknown, where: Issue["in"]): Validated {
  const unknown = unknownFields(schema, input);
  const result = schema.safeParse(input);
  if (result.success) return { value: result.data, unknown };
  return { issues: result.error.issues.map((issue) => toIssue(issue, input, where)), unknown };
}

/** An issue for a field that nobody declared, for services that refuse these. */
export function unknownIssue(name: string, where: Issue["in"]): Issue {
  return { in: where, path: [name], code: "unknown", message: "is not a known field", received: undefined };
}

function unknownFields(schema: z.ZodType, input: unknown): string[] {
  const shape = (schema as { shape?: Record<string, unknown> }).shape; // only object schemas have one
  if (shape === undefined || typeof input !== "object" || input === null || Array.isArray(input)) return [];
  return Object.keys(input).filter((name) => !Object.hasOwn(shape, name));
}

function toIssue(issue: z.core.$ZodIssue, input: unknown, where: Issue["in"]): Issue {
  const path = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
  const received = valueAt(input, path);
  const expected = "expected" in issue ? String(issue.expected).replace(/^int$/, "integer") : undefined;
  const wrongType = issue.code === "invalid_type";
  const code = wrongType ? (received === undefined ? "missing" : "type") : "rule";
  return { in: where, path, code, message: describe(code, issue, expected, received), expected, received };
}

function valueAt(input: unknown, path: readonly (string | number)[]): unknown {
  let value = input;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string | number, unknown>)[part];
  }
  return value;
}

function describe(
  code: Issue["code"],
  issue: z.core.$ZodIssue,
  expected: string | undefined,
  received: unknown,
): string {
  if (code === "missing") return "is required";
  if (code === "type")
    return `must be ${article(expected ?? "another type")}, not ${article(jsonType(received))}`;
  return issue.message;
}

function article(type: string): string {
  if (type === "null") return type;
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** The JSON type of a value: `null`, `array`, `object`, `string`, `number`, `boolean`. */
export function jsonType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return value instanceof FloatLiteral ? "number" : typeof value;
}
