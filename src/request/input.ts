// Owns the step from a raw request to an operation's typed input: path, then the thing the path names, query, body.

import type { z } from "zod";
import type { AnyEarly, AnyOperation } from "../operation/operation.ts";
import {
  type BrokenRule,
  type Issue,
  isRefusal,
  type Refusal,
  type Rejection,
} from "../operation/problem.ts";
import type { Service, Speech } from "../operation/service.ts";
import { unknownIssue, validate } from "../operation/validate.ts";
import { readBody, usualBodies } from "./body.ts";

type Fields = Readonly<Record<string, unknown>>;
export type Input = {
  readonly params: Fields;
  readonly query: Fields;
  readonly body: unknown;
  readonly subject: unknown;
};
type Rejected = { readonly rejection: Rejection };

export async function toInput(
  service: Service,
  operation: AnyOperation,
  request: Request,
  speech: Speech,
  known: Omit<AnyEarly, "params">,
): Promise<Input | Refusal | Rejected> {
  const { exchange } = speech;
  const { voice } = service;
  const params = check(operation.request.params, exchange.params, "path", service, speech);
  if ("rejection" in params) return params;

  const search = voice.query(exchange.search);
  exchange.query = search.values;
  if (search.unreadable !== undefined) return { rejection: unreadable(search.unreadable) };
  const early = { ...known, params: params.value as Fields }; // the schema is of an object, here and of the query
  const query = check(operation.request.query, search.values, "query", service, speech, (right) =>
    operation.rules.query?.({ ...early, query: right as Fields }),
  );
  if ("rejection" in query) return query;

  const input = { params: early.params, query: query.value as Fields };
  const subject = operation.subject?.(early);
  if (isRefusal(subject)) return subject;
  if (operation.request.body === undefined) return { ...input, subject, body: undefined };

  const read = await readBody(
    request,
    exchange,
    operation.request.accepts ?? voice.accepts,
    service.bodies ?? usualBodies(voice),
  );
  if ("rejection" in read) return read;
  const fields = voice.body === undefined ? read.value : voice.body(read.value);
  const body = check(operation.request.body, fields, "body", service, speech, (right) =>
    operation.rules.body?.({ ...early, body: right }),
  );
  return "rejection" in body ? body : { ...input, subject, body: body.value };
}

/** Checks one part, and notes the fields that the contract does not know. */
function check(
  schema: z.ZodType,
  raw: unknown,
  where: Issue["in"],
  service: Service,
  { exchange, settings }: Speech,
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
  const refused = service.voice.refusesUnknown(settings) ? validated.unknown : [];
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
