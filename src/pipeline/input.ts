/** From a raw request to an operation's typed input: path, query, the resource that the path names, body. */

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

/** A call while it is filled. */
export type PartialCall = { -readonly [K in keyof AnyCall]: AnyCall[K] };

const NO_QUERY: ReturnType<Service["codec"]["query"]> = { values: Object.freeze(Object.create(null)) };
const PART_LABELS = { params: "path", query: "query", body: "body" } as const;

/** Puts the input into the call, part by part; ends with the reason where one is wrong. */
export function readInput(
  service: Service,
  operation: AnyOperation,
  asked: IncomingRequest,
  context: RenderContext,
  call: PartialCall,
): Problem | undefined | Promise<Problem | undefined> {
  const { exchange } = context;
  const { codec } = service;
  const own = (problem: StandardProblem | undefined) => problem && codec.ownProblem(problem, context);
  const { accepts = codec.accepts, body, limitBytes, mostMembers } = operation.request;
  const wrongPath = checkPart("params", exchange.params, service, operation, context, call);
  if (wrongPath !== undefined) return own(wrongPath);

  const search = exchange.search === "" ? NO_QUERY : codec.query(exchange.search);
  exchange.query = search.values;
  if (search.unreadable !== undefined) return own(toQueryProblem(search.unreadable));
  const wrongQuery = checkPart("query", search.values, service, operation, context, call);
  if (wrongQuery !== undefined) return own(wrongQuery);

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
  const read = readBody(asked, exchange, { accepts, mostMembers }, whole);
  return read instanceof Promise ? read.then(take) : take(read);
}

/** Checks one part and puts it into the call; notes the fields that are unknown to the contract. */
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
  const put = (right: unknown): void => {
    call[part] = right as PartialCall["params"]; // an object, where it is not the body
  };
  const find = (right: unknown) => {
    put(right);
    return own?.(call) ?? [];
  };
  const validated = validate(schema, raw, where, own && find);
  put(validated.value);
  for (const name of validated.unknown.slice(0, MAX_ISSUES)) {
    const message = `${quote(name)} in the ${where} is not known to ${exchange.operation}.`;
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
  for (const _name in fields as object) return false; // path and query are objects
  return true;
}

function toQueryProblem(parameter: string): StandardProblem {
  return createMalformedTarget(`The query parameter ${quote(parameter)} is not valid percent-encoding.`);
}
