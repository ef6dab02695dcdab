/**
 * From raw input to typed input: runs a schema, and reports what is wrong in a form that each service can
 * word for itself. Knows no service.
 */

import type { z } from "zod";
import { valueAt } from "./path.ts";
import type { BrokenRule, Issue } from "./problem.ts";
import { inWords, jsonType } from "./wording.ts";

export type Validated =
  | { readonly value: unknown; readonly unknown: readonly string[]; readonly issues?: undefined }
  | { readonly issues: readonly Issue[]; readonly unknown: readonly string[] };

/** Checks beyond the schema: they receive the value or, for an object with issues, the fields that have none. */
type Rules = (right: unknown) => readonly BrokenRule[];

/**
 * Checks one part of a request against its schema and `rules`. Issues come in the order of the schema's fields;
 * `unknown` are top-level fields that the schema does not have.
 */
export function validate(
  schema: z.ZodType,
  input: unknown,
  where: Issue["in"],
  rules: Rules = () => [],
): Validated {
  const unknown = unknownFields(schema, input);
  const result = schema.safeParse(input, { error: inWords });
  const found = result.success ? [] : result.error.issues.map((issue) => toIssue(issue, input, where));
  const broken = rules(result.success ? result.data : rightFields(schema, input))
    .filter(({ path: [field] }) => !found.some((issue) => issue.path[0] === field))
    .map((rule) => ({ in: where, ...rule, code: "rule" as const, received: valueAt(input, rule.path) }));
  if (result.success && broken.length === 0) return { value: result.data, unknown };
  const order = Object.keys(shapeOf(schema) ?? {});
  const place = ({ path: [field] }: Issue): number => order.indexOf(String(field));
  return { issues: [...found, ...broken].sort((one, other) => place(one) - place(other)), unknown };
}

/** An issue for an undeclared field, for services that refuse these. */
export function unknownIssue(name: string, where: Issue["in"]): Issue {
  return { in: where, path: [name], code: "unknown", message: "is not a known field", received: undefined };
}

function unknownFields(schema: z.ZodType, input: unknown): string[] {
  const shape = shapeOf(schema);
  if (shape === undefined || jsonType(input) !== "object") return [];
  return Object.keys(input as object).filter((name) => !Object.hasOwn(shape, name)); // an object, as just checked
}

/** The fields of an object that fit their own schemas. */
function rightFields(schema: z.ZodType, input: unknown): Readonly<Record<string, unknown>> {
  const checked = Object.entries(shapeOf(schema) ?? {}).map(
    ([name, field]) => [name, field.safeParse(valueAt(input, [name]))] as const,
  );
  return Object.fromEntries(
    checked.filter(([, { success }]) => success).map(([name, { data }]) => [name, data]),
  );
}

function shapeOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> | undefined {
  return (schema as { shape?: Readonly<Record<string, z.ZodType>> }).shape; // only object schemas have one
}

function toIssue(found: z.core.$ZodIssue, input: unknown, where: Issue["in"]): Issue {
  const issue = innermost(found);
  const path = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
  const received = valueAt(input, path);
  const expected = "expected" in issue ? String(issue.expected).replace(/^int$/, "integer") : undefined;
  const wrongType = issue.code === "invalid_type";
  const code = wrongType ? (received === undefined ? "missing" : "type") : "rule";
  return { in: where, path, code, message: issue.message, expected, received };
}

/** For a value that fits none of several forms: what is wrong inside the form that it follows furthest. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== "invalid_union") return issue;
  const inner = issue.errors.flat().find(({ path }) => path.length > 0);
  return inner === undefined ? issue : innermost({ ...inner, path: [...issue.path, ...inner.path] });
}
