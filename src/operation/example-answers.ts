// Owns the example answers of an OpenAPI document: what the reading operations answer, in each JSON form, said by the
// service's own voice. A write shows what its resource reads as. Shows what is there, changes nothing.

import type { z } from "zod";
import { type AnyOperation, fail, reply } from "./operation.ts";
import { isRefusal } from "./problem.ts";
import type { Service, Speech } from "./service.ts";

/** Media type -> body. */
type Forms = Readonly<Record<string, unknown>>;

/** Operation key -> media type -> body. */
export type Answers = Readonly<Record<string, Forms>>;

/** Who asks for the examples: the state that is read, in whose name, and the exchange that the document answers. */
export type Asked = { readonly state: unknown; readonly identity: unknown; readonly speech: Speech };

export function exampleAnswers(service: Service, asked: Asked): Answers {
  const operations = Object.entries(service.operations);
  const values = new Map<z.ZodType, unknown>();
  for (const [, operation] of operations) {
    if (operation.method !== "get") continue;
    for (const schema of Object.values(operation.responses)) values.set(schema, read(operation, asked));
  }
  return Object.fromEntries(
    operations.map(([key, operation]) => [key, formsOf(service, operation, values, asked.speech)]),
  );
}

function formsOf(
  { voice }: Service,
  operation: AnyOperation,
  values: ReadonlyMap<z.ZodType, unknown>,
  { exchange, settings }: Speech,
): Forms {
  const [status = "", schema] = Object.entries(operation.responses)[0] ?? [];
  const value = schema === undefined ? undefined : values.get(schema);
  if (schema === undefined || value === undefined) return {};
  const medias = Object.keys(voice.forms(schema)).filter((media) => /json/.test(media));
  const bodies = medias.flatMap((media) => {
    const speech = { exchange: { ...exchange, search: "", media }, operation, settings };
    const rendered = voice.render({ kind: "reply", status: Number(status), value, headers: {} }, speech);
    return "body" in rendered ? [[media, JSON.parse(String(rendered.body))]] : [];
  });
  return Object.fromEntries(bodies);
}

/** What a reading operation answers to its own example; undefined where there is no data for one. */
function read(operation: AnyOperation, { state, identity, speech }: Asked): unknown {
  const { exchange, settings } = speech;
  const example = operation.example(state);
  const params = operation.request.params.safeParse(example.params ?? {});
  const query = operation.request.query.safeParse(example.query ?? {});
  if (!params.success || !query.success) return undefined;
  const early = { params: params.data, identity, state, settings, now: exchange.at, exchange, fail };
  const subject = operation.subject?.(early);
  if (isRefusal(subject)) return undefined;
  const answer = operation.handle({ ...early, query: query.data, body: undefined, subject, reply });
  return "kind" in answer && answer.kind === "reply" ? answer.value : undefined;
}
