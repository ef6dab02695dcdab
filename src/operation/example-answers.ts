/**
 * The example answers of an OpenAPI document: what the reading operations answer, in each JSON form, rendered
 * by the service's own codec. A write shows its resource as it is read. Reads existing data, changes nothing.
 */

import type { z } from "zod";
import type { AnyOperation } from "./operation.ts";
import { fail, isProblem, reply } from "./problem.ts";
import type { RenderContext, Service } from "./service.ts";

/** Media type -> body. */
type Forms = Readonly<Record<string, unknown>>;

/** Operation key -> media type -> body. */
export type Answers = Readonly<Record<string, Forms>>;

/** The state that is read, the identity that reads it, and the exchange that the document answers. */
export type ExampleContext = {
  readonly state: unknown;
  readonly identity: unknown;
  readonly context: RenderContext;
};

export function exampleAnswers(service: Service, example: ExampleContext): Answers {
  const operations = Object.entries(service.operations);
  const values = new Map<z.ZodType, unknown>();
  for (const [, operation] of operations) {
    if (operation.method !== "get") continue;
    for (const schema of Object.values(operation.responses)) values.set(schema, read(operation, example));
  }
  return Object.fromEntries(
    operations.map(([key, operation]) => [key, formsOf(service, operation, values, example.context)]),
  );
}

function formsOf(
  { codec }: Service,
  operation: AnyOperation,
  values: ReadonlyMap<z.ZodType, unknown>,
  { exchange, settings }: RenderContext,
): Forms {
  const [status = "", schema] = Object.entries(operation.responses)[0] ?? [];
  const value = schema === undefined ? undefined : values.get(schema);
  if (schema === undefined || value === undefined) return {};
  const medias = Object.keys(codec.forms(schema)).filter((media) => /json/.test(media));
  const bodies = medias.flatMap((media) => {
    const context = { exchange: { ...exchange, search: "", media }, operation, settings };
    const rendered = codec.render({ kind: "reply", status: Number(status), value, headers: {} }, context);
    return "body" in rendered ? [[media, JSON.parse(String(rendered.body))]] : [];
  });
  return Object.fromEntries(bodies);
}

/** What a reading operation answers to its own example; undefined where there is no data for one. */
function read(operation: AnyOperation, { state, identity, context }: ExampleContext): unknown {
  const { exchange, settings } = context;
  const example = operation.example(state);
  const params = operation.request.params.safeParse(example.params ?? {});
  const query = operation.request.query.safeParse(example.query ?? {});
  if (!params.success || !query.success) return undefined;
  const early = { params: params.data, identity, state, settings, now: exchange.at, exchange, fail };
  const resource = operation.resource?.(early);
  if (isProblem(resource)) return undefined;
  const client = new AbortController();
  const answer = operation.handle({ ...early, query: query.data, body: undefined, resource, client, reply });
  return "kind" in answer && answer.kind === "reply" ? answer.value : undefined;
}
