/**
 * Turns requests that fail before any handler into the account's refusals: which problem, which text, and 400 or
 * 422. A field of another JSON type, null included, is 400 and names the first such field in the order sent; a
 * field that is missing or fails a check is 422, and all of them are reported at once, in the order of the schema.
 * With the setting `typeErrors: 422` the former join the latter. Schemas name the failed check in their message:
 * `NotBlank`, `Email`, … Assumed: the texts (API Platform); the document shows none.
 */

import { z } from "zod";
import type { Exchange } from "../../../operation/exchange.ts";
import { FloatLiteral } from "../../../operation/json.ts";
import { propertyPath } from "../../../operation/path.ts";
import {
  type Issue,
  type Refusal,
  type Rejection,
  refusal,
  type Violation,
} from "../../../operation/problem.ts";
import type { RenderContext } from "../../../operation/service.ts";
import { type Constraint, constraints, noUuid, tooLong, wrongType } from "../constraints.ts";
import type { problems } from "../problems.ts";
import { kindOf, unwrap } from "./json-ld.ts";
import { HTML, isLogin, MEDIA_TYPES, quoted, SUFFIXES, settingsOf } from "./media.ts";

/** At the sign-in, which takes only JSON and does not exist for anything else. */
const SIGN_IN: Partial<Record<Rejection["kind"], keyof typeof problems>> = {
  unsupportedMedia: "pathNotFound",
  malformedBody: "malformedLogin",
  invalidInput: "malformedLogin",
};

export function toRefusal(rejection: Rejection, context: RenderContext): Refusal {
  const { exchange, operation } = context;
  const signIn = isLogin(context) ? SIGN_IN[rejection.kind] : undefined;
  if (signIn !== undefined) return refusal(signIn);
  switch (rejection.kind) {
    case "unknownPath":
      return operation !== undefined && exchange.suffix !== undefined
        ? unknownFormat(exchange.suffix)
        : refusal("pathNotFound", { title: noRoute(exchange) });
    case "wrongMethod": {
      const allow = rejection.allow.join(", ");
      const title = `${noRoute(exchange)}: Method Not Allowed (Allow: ${allow})`;
      return refusal("methodNotAllowed", { title, headers: { Allow: allow } });
    }
    case "badTarget":
      return refusal("malformedTarget", { title: rejection.message });
    case "notAcceptable":
      return notAcceptable(rejection.accept, exchange.suffix);
    case "bodyTooLarge":
      return refusal("bodyTooLarge", { title: `The body is larger than ${rejection.limitBytes} bytes.` });
    case "unsupportedMedia":
      return unsupportedMedia(rejection.contentType, rejection.message);
    case "malformedBody":
      return malformedBody(rejection.message, exchange);
    case "invalidInput":
      return invalidInput(rejection.issues, context);
  }
}

/** For a path that exists, but not in the form that its suffix asks for. */
export function unknownFormat(suffix: string): Refusal {
  return refusal("pathNotFound", { title: `Format "${suffix}" is not supported` });
}

function noRoute({ method, origin, base, path }: Exchange): string {
  return `No route found for "${method} ${origin}${base}${path}"`;
}

function notAcceptable(accept: string, suffix: string | undefined): Refusal {
  const own = suffix === undefined ? undefined : SUFFIXES[suffix];
  const offered = own === undefined ? MEDIA_TYPES : [own];
  return refusal("notAcceptable", {
    title: `Requested format "${accept}" is not supported. Supported MIME types are ${quoted(offered)}.`,
  });
}

function unsupportedMedia(contentType: string | undefined, message: string | undefined): Refusal {
  if (contentType === undefined)
    return refusal("unsupportedMedia", { title: 'The "Content-Type" header must exist.' });
  const title = `The content-type "${contentType}" is not supported. Supported MIME types are ${quoted(MEDIA_TYPES)}.`;
  return refusal("unsupportedMedia", { title: message ?? title });
}

/** PHP's texts for the bodies that its parser cannot read either; the sandbox has limits of its own. */
const PHP_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/not valid JSON|is empty/, "Syntax error"],
  [/UTF-8/, "Malformed UTF-8 characters, possibly incorrectly encoded"],
  [/nested/, "Maximum stack depth exceeded"],
];

/** A body sent as text/html is read as JSON; one that is not JSON can only be HTML, which is not supported. */
function malformedBody(message: string, { headers }: Exchange): Refusal {
  const contentType = headers.get("content-type") ?? "";
  if (contentType.split(";")[0]?.trim() === HTML) return unsupportedMedia(contentType, undefined);
  const [, phpText] = PHP_TEXTS.find(([pattern]) => pattern.test(message)) ?? [];
  return refusal("malformedBody", { title: phpText ?? `The body cannot be read: ${message}.` });
}

function invalidInput(issues: readonly Issue[], context: RenderContext): Refusal {
  const { exchange, operation } = context;
  const schema = operation?.request.body;
  const key = operation?.invalid;
  // Path and query are texts to their schemas; the handlers interpret them.
  if (schema === undefined || key === undefined) return refusal("malformedTarget");
  const { typeErrors, nulls } = settingsOf(context);
  const reported = nulls === 422 ? issues.map(nullAsMissing) : issues;
  const typeError = typeErrorText(reported, schema, exchange.body);
  const asViolation = typeErrors === 422 && reported.every(({ path }) => path.length > 0);
  if (typeError !== undefined && !asViolation) return refusal("malformedBody", { title: typeError });
  // A presale that does not exist is a problem of its own, unless more is wrong.
  const problem = reported.every(({ message }) => message === "UnknownPreSale") ? "unknownPreSale" : key;
  return refusal(problem, { violations: violationsOf(reported, schema) });
}

function nullAsMissing(issue: Issue): Issue {
  return issue.received === null && issue.path.length > 0 ? { ...issue, received: undefined } : issue;
}

const known: Readonly<Record<string, Constraint>> = constraints;

/** The first field of another JSON type, reported as PHP's serializer does; undefined: all types are right. */
function typeErrorText(issues: readonly Issue[], schema: z.ZodType, body: unknown): string | undefined {
  const sent = typeof body === "object" && body !== null ? Object.keys(body) : [];
  const [first] = issues
    .filter((issue) => isTypeError(issue, schema))
    .sort((one, other) => sent.indexOf(String(one.path[0])) - sent.indexOf(String(other.path[0])));
  if (first === undefined) return undefined;
  if (first.path.length === 0) return "The body must be a JSON object.";
  const [field] = first.path;
  return `The type of the "${field}" attribute must be "${phpType(fieldOf(schema, field))}", "${givenType(first.received)}" given.`;
}

/** Every failed check, in the order of the schema. */
function violationsOf(issues: readonly Issue[], schema: z.ZodType): readonly Violation[] {
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
  const type = unwrap(field);
  if (type instanceof z.ZodEnum) return received === "" ? [NotBlank, Choice] : [Choice];
  if (message === "Uuid") return [noUuid(String(received))];
  if (message === "Length" && type instanceof z.ZodString) return [tooLong(type.maxLength ?? 0)];
  return [known[message] ?? { message }];
}

/** The schema's field decides, so that 400 or 422 does not depend on how a check is written. */
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
