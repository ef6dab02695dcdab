/** From a raw request to an operation's typed input: path, query, the resource that the path names, body. */

import type { z } from "zod";
import type { AnyEarly, AnyOperation } from "../operation/operation.ts";
import {
  type BrokenRule,
  type Issue,
  isRefusal,
  type Refusal,
  type Rejection,
} from "../operation/problem.ts";
import type { RenderContext, Service } from "../operation/service.ts";
import { unknownIssue, validate } from "../operation/validate.ts";
import { readBody, usualBodies } from "./body.ts";

type Fields = Readonly<Record<string, unknown>>;
export type Input = {
  readonly params: Fields;
  readonly query: Fields;
  readonly body: unknown;
  readonly resource: unknown;
};
type Rejected = { readonly rejection: Rejection };

export async function toInput(
  service: Service,
  operation: AnyOperation,
  request: Request,
  context: RenderContext,
  known: Omit<AnyEarly, "params">,
): Promise<Input | Refusal | Rejected> {
  const { exchange } = context;
  const { codec } = service;
  const params = check(operation.request.params, exchange.params, "path", service, context);
  if ("rejection" in params) return params;

  const search = codec.query(exchange.search);
  exchange.query = search.values;
  if (search.unreadable !== undefined) return { rejection: unreadable(search.unreadable) };
  const early = { ...known, params: params.value as Fields }; // an object schema, like that of the query
  const query = check(operation.request.query, search.values, "query", service, context, (right) =>
    operation.rules.query?.({ ...early, query: right as Fields }),
  );
  if ("rejection" in query) return query;

  const input = { params: early.params, query: query.value as Fields };
  const resource = operation.resource?.(early);
  if (isRefusal(resource)) return resource;
  if (operation.request.body === undefined) return { ...input, resource, body: undefined };

  const read = await readBody(
    request,
    exchange,
    operation.request.accepts ?? codec.accepts,
    service.bodies ?? usualBodies(codec),
  );
  if ("rejection" in read) return read;
  const fields = codec.body === undefined ? read.value : codec.body(read.value);
  const body = check(operation.request.body, fields, "body", service, context, (right) =>
    operation.rules.body?.({ ...early, body: right }),
  );
  return "rejection" in body ? body : { ...input, resource, body: body.value };
}

/** Checks one part, and notes the fields that are unknown to the contract. */
function check(
  schema: z.ZodType,
  raw: unknown,
  where: Issue["in"],
  service: Service,
  { exchange, settings }: RenderContext,
  rules: (right: unknown) => readonly BrokenRule[] | undefined = () => [],
): { readonly value: unknown } | Rejected {
  const validated = validate(schema, raw, where, (right) => rules(right) ?? []);
  for (const name of validated.unknown) {
    const key = where === "query" ? "unknownQuery" : "unknownField";
    exchange.findings.push({
      key,
      message: `${JSON.stringify(name)} in the ${where} is not known to ${exchange.operation}.`,
    });
  }
  const refused = service.codec.refusesUnknown(settings) ? validated.unknown : [];
  const issues = [...(validated.issues ?? []), ...refused.map((name) => unknownIssue(name, where))];
  if (issues.length > 0 || validated.issues !== undefined)
    return { rejection: { kind: "invalidInput", issues } };
  return { value: validated.value };
}

function unreadable(parameter: string): Rejection {
  return {
    kind: "badTarget",
    message: `The query parameter ${JSON.stringify(parameter)} is not valid percent-encoding.`,
  };
}
