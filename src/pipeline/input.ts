/** Parses and validates the input of an operation: path, query, resource, body. */

import { quote } from "../errors/quote.ts";
import type { IncomingRequest } from "../http/incoming-request.ts";
import { MAX_ISSUES } from "../operation/issue.ts";
import { type AnyCall, type AnyOperation, noFields } from "../operation/operation.ts";
import {
  createInvalidInput,
  createMalformedTarget,
  isProblem,
  type Problem,
  type StandardProblem,
} from "../operation/problem.ts";
import { getBodyReader, type RenderContext, type Service } from "../operation/service.ts";
import { createUnknownIssue, validate } from "../operation/validate.ts";
import { type BodyResult, readBody } from "./body.ts";

/** Argument of an operation's handler, writable so that `readInput` can add the input. */
export type PartialCall = { -readonly [K in keyof AnyCall]: AnyCall[K] };

const NO_QUERY: ReturnType<Service["codec"]["query"]> = { values: Object.freeze(Object.create(null)) };
const PART_LABELS = { params: "path", query: "query", body: "body" } as const;

/** Adds the input to the call, part by part. Returns the problem of the first invalid part. */
export function readInput(
  service: Service,
  operation: AnyOperation,
  incoming: IncomingRequest,
  context: RenderContext,
  call: PartialCall,
): Problem | undefined | Promise<Problem | undefined> {
  const { exchange } = context;
  const { codec } = service;
  const own = (problem: StandardProblem | undefined) => problem && codec.ownProblem(problem, context);
  const { accepts = codec.accepts, body, limitBytes, mostMembers } = operation.request;
  const pathProblem = checkPart("params", exchange.params, service, operation, context, call);
  if (pathProblem !== undefined) return own(pathProblem);

  const search = exchange.search === "" ? NO_QUERY : codec.query(exchange.search);
  exchange.query = search.values;
  if (search.unreadable !== undefined) return own(toQueryProblem(search.unreadable));
  const queryProblem = checkPart("query", search.values, service, operation, context, call);
  if (queryProblem !== undefined) return own(queryProblem);

  call.resource = operation.resource?.(call);
  if (isProblem(call.resource)) return call.resource;
  if (body === undefined) return undefined;

  const take = (read: BodyResult): Problem | undefined => {
    if ("kind" in read) return own(read);
    const fields = codec.body === undefined ? read.value : codec.body(read.value);
    return own(checkPart("body", fields, service, operation, context, call));
  };
  const reading = getBodyReader(service);
  const whole = limitBytes === undefined ? reading : { ...reading, limitBytes };
  const read = readBody(incoming, exchange, { accepts, mostMembers }, whole);
  return read instanceof Promise ? read.then(take) : take(read);
}

/** Validates one part and adds it to the call. Reports unknown fields as findings. */
function checkPart(
  part: "params" | "query" | "body",
  raw: unknown,
  { codec }: Service,
  { request, rules }: AnyOperation,
  { exchange, settings }: RenderContext,
  call: PartialCall,
): StandardProblem | undefined {
  const schema = request[part];
  const own = part === "params" ? undefined : rules[part];
  if (schema === undefined || (schema === noFields && isEmpty(raw))) return undefined;
  const where = PART_LABELS[part];
  const put = (value: unknown): void => {
    call[part] = value as PartialCall["params"]; // Safe cast: path and query are objects, and a body can have any type.
  };
  const find = (value: unknown) => {
    put(value);
    return own?.(call) ?? [];
  };
  const validated = validate(schema, raw, where, own && find);
  put(validated.value);
  for (const name of validated.unknown.slice(0, MAX_ISSUES)) {
    const message = `${exchange.operation} has no ${quote(name)} in its ${where}.`;
    exchange.findings.push({ key: where === "query" ? "unknownQuery" : "unknownField", message });
  }
  const refused = validated.unknown.length > 0 && codec.refusesUnknown(settings) ? validated.unknown : [];
  if (validated.issues === undefined && refused.length === 0) return undefined;
  const unknown = refused.slice(0, MAX_ISSUES).map((name) => createUnknownIssue(name, schema, where));
  const issues = [...(validated.issues ?? []), ...unknown];
  const left = refused.length - unknown.length;
  return createInvalidInput(issues, validated.more || (left > 0 ? `… and ${left} more.` : ""));
}

function isEmpty(fields: unknown): boolean {
  for (const _name in fields as object) return false; // Safe cast: only path and query use `noFields`, and both are objects.
  return true;
}

function toQueryProblem(parameter: string): StandardProblem {
  return createMalformedTarget(`The query parameter ${quote(parameter)} is not valid percent-encoding.`);
}
