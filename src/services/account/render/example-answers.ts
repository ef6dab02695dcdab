// Owns the example answers of the OpenAPI document: what the reading operations answer to the first user of the base
// data, in each JSON form. A write answers with what its resource reads as. Shows what is there, changes nothing.

import type { z } from "zod";
import { type AnyOperation, fail, reply } from "../../../operation/operation.ts";
import { isRefusal } from "../../../operation/problem.ts";
import type { Service, Speech } from "../../../operation/service.ts";
import type { AccountState } from "../state.ts";
import { toJsonLd, toPlain, toShown } from "./json-ld.ts";
import { JSON_TYPE, LD_JSON } from "./media.ts";
import { settingsOf } from "./speech.ts";

/** Enough to show what a page is. */
const PAGE_SIZE = 2;

type Answers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Operation key -> media type -> body. */
export function exampleAnswers({ operations }: Service, state: AccountState, asked: Speech): Answers {
  const settings = { ...settingsOf(asked), pageSize: PAGE_SIZE };
  const speech: Speech = { ...asked, settings, exchange: { ...asked.exchange, search: "" } };
  const values = new Map<z.ZodType, unknown>();
  for (const operation of Object.values(operations)) {
    if (operation.method !== "get") continue;
    for (const schema of Object.values(operation.responses))
      values.set(schema, read(operation, state, speech));
  }
  return Object.fromEntries(
    Object.entries(operations).map(([key, operation]) => [key, answerOf(operation, values, speech)]),
  );
}

function answerOf(
  operation: AnyOperation,
  values: ReadonlyMap<z.ZodType, unknown>,
  { exchange, settings }: Speech,
): Answers[string] {
  const [schema] = Object.values(operation.responses);
  const value = schema === undefined ? undefined : values.get(schema);
  const shown = value === undefined ? undefined : toShown(schema, value);
  if (shown === undefined) return {};
  return {
    [LD_JSON]: toJsonLd(shown, operation, exchange, settingsOf({ settings })),
    [JSON_TYPE]: toPlain(shown),
  };
}

/** What a reading operation answers to its own example; undefined when there is no data for one. */
function read(operation: AnyOperation, state: AccountState, { exchange, settings }: Speech): unknown {
  const [identity] = state.world.identities.of(state.environment).all();
  const { params = {}, query = {} } = operation.example(state);
  const early = { params, identity, state, settings, now: exchange.at, exchange, fail };
  const subject = operation.subject?.(early);
  if (identity === undefined || isRefusal(subject)) return undefined;
  const answer = operation.handle({ ...early, query, body: undefined, subject, reply });
  return "kind" in answer && answer.kind === "reply" ? answer.value : undefined;
}
