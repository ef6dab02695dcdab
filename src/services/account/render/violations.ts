// Owns the border between 400 and 422, and the texts on both sides. The rule: a field of another JSON type, null
// included, is 400 and names the first such field in the order sent; a field that is missing or breaks a rule is 422,
// and all of them are told at once, in the order of the schema. With the setting `typeErrors: 422` the former join the
// latter. Schemas name the broken rule in their message: `NotBlank`, `Email`, …
// Assumed: texts and codes (Symfony's constraints).

import { z } from "zod";
import { FloatLiteral } from "../../../operation/json.ts";
import { type Issue, propertyPath, type Violation } from "../../../operation/problem.ts";
import { beneath, kindOf } from "./field.ts";

type Constraint = { readonly message: string; readonly code: string };

const CONSTRAINTS: Readonly<Record<string, Constraint>> = {
  NotBlank: { message: "This value should not be blank.", code: "c1051bb4-d103-4f74-8988-acbcafc7fdc3" },
  NotNull: { message: "This value should not be null.", code: "ad32d13f-c3d4-423b-909a-857b961eb720" },
  Email: {
    message: "This value is not a valid email address.",
    code: "bd79c0ab-ddba-46cc-a703-a7a4b08de310",
  },
  Choice: {
    message: "The value you selected is not a valid choice.",
    code: "8e179f1b-97aa-4560-a02f-2a8b42e49df7",
  },
  Regex: { message: "This value is not valid.", code: "de1e3db3-5ed4-4941-aae4-59f3667cc3a3" },
  PositiveOrZero: {
    message: "This value should be either positive or zero.",
    code: "ea4e51d1-3342-48bd-87f1-9e672cd90cad",
  },
};
const NOT_A_UUID = "This is not a valid UUID.";
const TYPE_CODE = "ba785a8c-82cb-4283-967c-3cf342181b40";
const TOO_LONG_CODE = "d94b19cc-114f-4f44-9cc4-4138e80a87b9";

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
  const field = fieldOf(schema, issue.path[0]);
  const broken = (name: string): Violation => ({
    propertyPath: path,
    ...(CONSTRAINTS[name] ?? { message: issue.message }),
  });
  if (issue.received === undefined) return [broken(phpType(field) === "string" ? "NotBlank" : "NotNull")];
  if (isTypeError(issue, schema)) {
    const message = `This value should be of type ${phpType(field)}.`;
    return [{ propertyPath: path, message, code: TYPE_CODE }];
  }
  if (issue.message === "Uuid")
    return [{ propertyPath: path, message: NOT_A_UUID, code: uuidCode(String(issue.received)) }];
  if (issue.message === "Length") return [{ propertyPath: path, ...tooLong(beneath(field)) }];
  if (beneath(field) instanceof z.ZodEnum)
    return issue.received === "" ? [broken("NotBlank"), broken("Choice")] : [broken("Choice")];
  return [broken(issue.message)];
}

/** Beyond the length that the schema declares. */
function tooLong(field: unknown): Constraint {
  const limit = field instanceof z.ZodString ? field.maxLength : undefined;
  return {
    message: `This value is too long. It should have ${limit} characters or less.`,
    code: TOO_LONG_CODE,
  };
}

/** Which code of the Uuid constraint: what is wrong first. Version and variant are not looked at: test data makes them up. */
function uuidCode(text: string): string {
  if (text.length < 36) return "aa314679-dac9-4f54-bf97-b2049df8f2a3";
  if (text.length > 36) return "494897dd-36f8-4d31-8923-71a8d5f3000d";
  if (/[^0-9a-f-]/i.test(text)) return "51120b12-a2bc-41bf-aa53-cd73daf330d0";
  return "98469c83-0309-4f5d-bf95-a496dcaa869c";
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
