/** From a raw request to an operation's typed input: path, query, the resource that the path names, body. */

import type { z } from "zod";
import type { ValidationIssue } from "../operation/issue.ts";
import type { AnyEarly, AnyOperation } from "../operation/operation.ts";
import {
  invalidInput,
  isProblem,
  malformedTarget,
  type Problem,
  type StandardProblem,
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

export async function toInput(
  service: Service,
  operation: AnyOperation,
  request: Request,
  context: RenderContext,
  known: Omit<AnyEarly, "params">,
): Promise<Input | Problem> {
  const { exchange } = context;
  const { codec } = service;
  const own = (problem: StandardProblem): Problem => codec.ownProblem(problem, context);
  const params = check(operation.request.params, exchange.params, "path", service, context);
  if (isProblem(params)) return own(params);

  const search = codec.query(exchange.search);
  exchange.query = search.values;
  if (search.unreadable !== undefined) return own(unreadable(search.unreadable));
  const early = { ...known, params: params.value as Fields }; // an object schema, like that of the query
  const query = check(operation.request.query, search.values, "query", service, context, (right) =>
    operation.rules.query?.({ ...early, query: right as Fields }),
  );
  if (isProblem(query)) return own(query);

  const input = { params: early.params, query: query.value as Fields };
  const resource = operation.resource?.(early);
  if (isProblem(resource)) return resource;
  if (operation.request.body === undefined) return { ...input, resource, body: undefined };

  const read = await readBody(
    request,
    exchange,
    operation.request.accepts ?? codec.accepts,
    service.bodies ?? usualBodies(codec),
  );
  if (isProblem(read)) return own(read);
  const fields = codec.body === undefined ? read.value : codec.body(read.value);
  const body = check(operation.request.body, fields, "body", service, context, (right) =>
    operation.rules.body?.({ ...early, body: right }),
  );
  return isProblem(body) ? own(body) : { ...input, resource, body: body.value };
}

/** Checks one part, and notes the fields that are unknown to the contract. */
function check(
  schema: z.ZodType,
  raw: unknown,
  where: NonNullable<ValidationIssue["in"]>,
  service: Service,
  { exchange, settings }: RenderContext,
  rules: (right: unknown) => readonly ValidationIssue[] | undefined = () => [],
): { readonly value: unknown } | StandardProblem {
  const validated = validate(schema, raw, where, (right) => rules(right) ?? []);
  for (const name of validated.unknown) {
    const key = where === "query" ? "unknownQuery" : "unknownField";
    exchange.findings.push({
      key,
      message: `${JSON.stringify(name)} in the ${where} is not known to ${exchange.operation}.`,
    });
  }
  const refused = service.codec.refusesUnknown(settings) ? validated.unknown : [];
  const issues = [...(validated.issues ?? []), ...refused.map((name) => unknownIssue(name, schema, where))];
  if (issues.length > 0 || validated.issues !== undefined) return invalidInput(issues);
  return { value: validated.value };
}

function unreadable(parameter: string): StandardProblem {
  return malformedTarget(`The query parameter ${JSON.stringify(parameter)} is not valid percent-encoding.`);
}
