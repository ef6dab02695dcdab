/** Converts problems that the pipeline finds, such as `notAcceptable`, to problems of the account. Assumed: messages of API Platform. */

import { z } from "zod";
import type { Exchange } from "../../../http/exchange.ts";
import { FloatLiteral } from "../../../http/json.ts";
import { formatPath } from "../../../http/json-pointer.ts";
import { type AnySchema, stripWrappers } from "../../../operation/fields.ts";
import type { ValidationIssue } from "../../../operation/issue.ts";
import { fail, type Problem, type StandardKey, type StandardProblem } from "../../../operation/problem.ts";
import type { RenderContext } from "../../../operation/service.ts";
import {
  buildLengthConstraint,
  buildTypeConstraint,
  buildUuidConstraint,
  type Constraint,
  constraints,
} from "../constraints.ts";
import type { problems } from "../problems.ts";
import { getFieldKind } from "./json-ld.ts";
import { isLogin, listOffers, MEDIA_TYPES, quoteTypes, settingsOf } from "./media.ts";

/** Problems of the login, by the pipeline's problem. In Symfony, the path of the login exists only for requests with JSON. */
const SIGN_IN_PROBLEMS: { readonly [K in StandardKey]?: keyof typeof problems } = {
  unsupportedMedia: "pathNotFound",
  malformedBody: "malformedLogin",
  invalidInput: "malformedLogin",
};

export function toAccountProblem(problem: StandardProblem, context: RenderContext): Problem {
  const { exchange } = context;
  const { key, title, issues, headers } = problem;
  if (key === "invalidInput" && issues === undefined) return fail("malformedTarget", { title });
  const signIn = isLogin(context) ? SIGN_IN_PROBLEMS[key] : undefined;
  if (signIn !== undefined) return fail(signIn);
  switch (key) {
    case "pathNotFound":
      return title === undefined ? fail(key, { title: describeNoRoute(exchange) }) : toFormatProblem(title);
    case "methodNotAllowed": {
      const text = `${describeNoRoute(exchange)}: Method Not Allowed (Allow: ${headers?.["Allow"]})`;
      return fail(key, { title: text, headers });
    }
    case "notAcceptable": {
      const { headers, suffix } = exchange;
      const text = `Requested format "${headers.get("accept") ?? ""}" is not supported. Supported MIME types are ${quoteTypes(listOffers(suffix))}.`;
      return fail(key, { title: text });
    }
    case "unsupportedMedia":
      return toMediaProblem(exchange, title);
    case "bodyTooLarge":
    case "notStored":
    case "storageFull":
      return problem;
    case "malformedBody":
      return fail(key, { title: PHP_TEXTS.find(([pattern]) => pattern.test(title ?? ""))?.[1] ?? title });
    case "invalidInput":
      return toInputProblem(issues ?? [], context);
  }
}

/** Returns the problem of a path with an unknown suffix, such as `.xml`. `negotiate` passes the suffix in the title of its problem. */
export function toFormatProblem(suffix: string): Problem {
  return fail("unknownFormat", { title: `Format "${suffix}" is not supported` });
}

function describeNoRoute({ method, origin, base, path }: Exchange): string {
  return `No route found for "${method} ${origin}${base}${path}"`;
}

function toMediaProblem({ headers }: Exchange, title?: string): Problem {
  const contentType = headers.get("content-type");
  if (contentType === null)
    return fail("unsupportedMedia", { title: 'The "Content-Type" header must exist.' });
  const usual = `The content-type "${contentType}" is not supported. Supported MIME types are ${quoteTypes(MEDIA_TYPES)}.`;
  return fail("unsupportedMedia", { title: title ?? usual });
}

/** PHP's messages for the sandbox's messages about bodies. The message about too many members stays, because PHP has no such limit. */
const PHP_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/not valid JSON|is empty/, "Syntax error"],
  [/UTF-8/, "Malformed UTF-8 characters, possibly incorrectly encoded"],
  [/nested/, "Maximum stack depth exceeded"],
  [/control character/, "Control character error, possibly incorrectly encoded"],
  [/surrogate/, "Single unpaired UTF-16 surrogate in unicode escape"],
];

/** By default, returns 400 for the first field with a wrong JSON type. Otherwise, returns 422 with all violations in schema order. */
function toInputProblem(issues: readonly ValidationIssue[], context: RenderContext): Problem {
  const { exchange, operation } = context;
  const schema = operation?.request.body;
  const key = operation?.invalid;
  // The operation has no body, so its path or query is invalid.
  if (schema === undefined || key === undefined) return fail("malformedTarget");
  const { typeErrors, nulls } = settingsOf(context);
  const reported = nulls === "missing" ? issues.map(treatNullAsMissing) : issues;
  const typeError = describeTypeError(reported, schema, exchange.body);
  const asViolation = typeErrors === 422 && reported.every(({ path }) => path.length > 0);
  if (typeError !== undefined && !asViolation) return fail("malformedBody", { title: typeError });
  // An unknown presale is a separate problem if it is the only error.
  const problem = reported.every(({ message }) => message === "UnknownPreSale") ? "unknownPreSale" : key;
  return fail(problem, { issues: translateIssues(reported, schema) });
}

function treatNullAsMissing(issue: ValidationIssue): ValidationIssue {
  return issue.received === null && issue.path.length > 0 ? { ...issue, received: undefined } : issue;
}

/** Describes the first field of the body with a wrong JSON type, like Symfony's serializer, or returns undefined. */
function describeTypeError(issues: readonly ValidationIssue[], schema: z.ZodType, body: unknown) {
  const sent = typeof body === "object" && body !== null ? Object.keys(body) : [];
  const [first] = issues
    .filter((issue) => isTypeError(issue, schema))
    .sort((a, b) => sent.indexOf(String(a.path[0])) - sent.indexOf(String(b.path[0])));
  if (first === undefined) return undefined;
  if (first.path.length === 0) return "The body must be a JSON object.";
  const [field] = first.path;
  return `The type of the "${field}" attribute must be "${toPhpType(findField(schema, field))}", "${getPhpValueType(first.received)}" given.`;
}

/** Converts issues of the zod schema to violations with Symfony's messages and codes, in the order of the schema's fields. */
function translateIssues(issues: readonly ValidationIssue[], schema: z.ZodType): readonly ValidationIssue[] {
  const order = Object.keys(schema instanceof z.ZodObject ? schema.shape : {});
  const place = ({ path }: ValidationIssue): number => order.indexOf(formatPath(path));
  return issues
    .flatMap((issue) => findConstraints(issue, schema).map((broken) => ({ path: issue.path, ...broken })))
    .sort((a, b) => place(a) - place(b));
}

type BrokenRule = Pick<ValidationIssue, "message" | "code">;

function findConstraints(issue: ValidationIssue, schema: z.ZodType): readonly BrokenRule[] {
  const { received, message } = issue;
  const { NotBlank, NotNull, Choice } = constraints;
  const field = findField(schema, issue.path[0]);
  if (received === undefined) return [toPhpType(field) === "string" ? NotBlank : NotNull];
  if (isTypeError(issue, schema)) return [buildTypeConstraint(toPhpType(field))];
  const type: unknown = stripWrappers(field as AnySchema); // Safe cast: stripWrappers accepts any value.
  if (type instanceof z.ZodEnum) return received === "" ? [NotBlank, Choice] : [Choice];
  if (message === "Uuid") return [buildUuidConstraint(String(received))];
  if (message === "Length" && type instanceof z.ZodString)
    return [buildLengthConstraint(type.maxLength ?? 0)];
  return [(constraints as Readonly<Record<string, Constraint>>)[message] ?? { message }];
}

/** Whether a value has the wrong JSON type. Does not use zod's kind of error, which depends on how the schema is written. */
function isTypeError({ path, received }: ValidationIssue, schema: z.ZodType): boolean {
  if (path.length === 0) return true;
  if (received === undefined) return false;
  const field = findField(schema, path[0]);
  if (received === null) return !(field instanceof z.ZodType && field.safeParse(null).success);
  return PHP_VALUE_TYPES[toPhpType(field)] !== getPhpValueType(received);
}

function findField(schema: z.ZodType, name: string | number | undefined): unknown {
  return schema instanceof z.ZodObject && typeof name === "string" ? schema.shape[name] : undefined;
}

function toPhpType(field: unknown): "int" | "bool" | "string" {
  const kind = getFieldKind(field);
  return kind === "integer" ? "int" : kind === "boolean" ? "bool" : "string";
}

const PHP_VALUE_TYPES = { int: "integer", bool: "boolean", string: "string" } as const;

/** Returns the result of PHP's `gettype` for a JSON value. FloatLiteral: a number with a fraction or exponent, or an unsafe integer. */
function getPhpValueType(value: unknown): string {
  if (value === null) return "NULL";
  if (value instanceof FloatLiteral) return "double";
  if (typeof value === "number") return "integer";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "string" ? "string" : "array";
}
