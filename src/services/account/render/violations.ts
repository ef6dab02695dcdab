// Owns the border between 400 and 422, and the texts on both sides. The rule: a field of another JSON type, null
// included, is 400 and names the first such field in the order sent; a field that is missing or breaks a rule is 422,
// and all of them are told at once, in the order of the schema. With the setting `typeErrors: 422` the former join the
// latter. Schemas name the broken rule in their message: `NotBlank`, `Email`, …

import { z } from "zod";
import { FloatLiteral } from "../../../operation/json.ts";
import { type Issue, propertyPath, type Violation } from "../../../operation/problem.ts";
import { type Constraint, constraints, noUuid, tooLong, wrongType } from "../constraints.ts";
import { beneath, kindOf } from "./field.ts";

const known: Readonly<Record<string, Constraint>> = constraints;

/** The first field of another JSON type, told as PHP's serializer does; undefined: all types are right. */
export function typeErrorText(
  issues: readonly Issue[],
  schema: z.ZodType,
  body: unknown,
): string | undefined {
  const sent = typeof body === "object" && body !== null ? Object.keys(body) : [];
  const [first] = issues
    .filter((issue) => isTypeError(issue, schema))
    .sort((one, other) => sent.indexOf(String(one.path[0])) - sent.indexOf(String(other.path[0])));
  if (first === undefined) return undefined;
  if (first.path.length === 0) return "The body must be a JSON object.";
  const [field] = first.path;
  return `The type of the "${field}" attribute must be "${phpType(fieldOf(schema, field))}", "${givenType(first.received)}" given.`;
}

/** Every broken rule, in the order of the schema. */
export function violationsOf(issues: readonly Issue[], schema: z.ZodType): readonly Violation[] {
  const order = Object.keys(schema instanceof z.ZodObject ? schema.shape : {});
  return issues
    .flatMap((issue) => violationsOfIssue(issue, schema))
    .sort((one, other) => order.indexOf(one.propertyPath) - order.indexOf(other.propertyPath));
}

function violationsOfIssue(issue: Issue, schema: z.ZodType): readonly Violation[] {
  const path = propertyPath(issue.path);
  return brokenRules(issue, schema).map((rule) => ({ propertyPath: path, ...rule }));
}

function brokenRules(issue: Issue, schema: z.ZodType): readonly Omit<Violation, "propertyPath">[] {
  const { received, message } = issue;
  const { NotBlank, NotNull, Choice } = constraints;
  const field = fieldOf(schema, issue.path[0]);
  if (received === undefined) return [phpType(field) === "string" ? NotBlank : NotNull];
  if (isTypeError(issue, schema)) return [wrongType(phpType(field))];
  const type = beneath(field);
  if (type instanceof z.ZodEnum) return received === "" ? [NotBlank, Choice] : [Choice];
  if (message === "Uuid") return [noUuid(String(received))];
  if (message === "Length" && type instanceof z.ZodString) return [tooLong(type.maxLength ?? 0)];
  return [known[message] ?? { message }];
}

/** The schema's field decides, so that the border does not depend on how a rule is written. */
function isTypeError({ path, received }: Issue, schema: z.ZodType): boolean {
  if (path.length === 0) return true;
  if (received === undefined) return false;
  const field = fieldOf(schema, path[0]);
  return !(received === null ? isNullable(field) : GIVEN[phpType(field)] === givenType(received));
}

function fieldOf(schema: z.ZodType, name: string | number | undefined): unknown {
  return schema instanceof z.ZodObject && typeof name === "string" ? schema.shape[name] : undefined;
}

/** PHP's declaration of a field. */
function phpType(field: unknown): "int" | "bool" | "string" {
  const kind = kindOf(field);
  return kind === "integer" ? "int" : kind === "boolean" ? "bool" : "string";
}

function isNullable(field: unknown): boolean {
  return field instanceof z.ZodType && field.safeParse(null).success;
}

const GIVEN = { int: "integer", bool: "boolean", string: "string" } as const;

/** What PHP's `gettype` calls a decoded JSON value. A number beyond the safe range counts as a float. */
function givenType(value: unknown): string {
  if (value === null) return "NULL";
  if (value instanceof FloatLiteral) return "double";
  if (typeof value === "number") return "integer";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "string" ? "string" : "array";
}
