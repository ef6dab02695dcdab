/**
 * The example answers of an OpenAPI document: what each operation answers to its own example, in each JSON form,
 * rendered by the service's own codec.
 */

import type { AnyOperation } from "./operation.ts";
import { isProblem } from "./problem.ts";
import { attempt, type Trial } from "./trial.ts";

/** Media type -> body. */
type Forms = Readonly<Record<string, unknown>>;

/** Operation key -> media type -> body. */
export type Answers = Readonly<Record<string, Forms>>;

export function exampleAnswers(trial: Trial): Answers {
  const entries = Object.entries(trial.service.operations);
  return Object.fromEntries(entries.map(([key, operation]) => [key, formsOf(trial, operation)]));
}

function formsOf(trial: Trial, operation: AnyOperation): Forms {
  const { codec } = trial.service;
  const { exchange, settings } = trial.context;
  const state = trial.scratch();
  const answer = attempt(trial, operation, operation.example(state), state);
  if (answer === undefined || isProblem(answer)) return {};
  const schema = operation.responses[answer.status];
  if (schema === undefined) return {};
  const medias = Object.keys(codec.forms(schema)).filter((media) => /json/.test(media));
  const bodies = medias.flatMap((media) => {
    const context = { exchange: { ...exchange, suffix: undefined, search: "", media }, operation, settings };
    const rendered = codec.render(answer, context);
    return "body" in rendered ? [[media, JSON.parse(String(rendered.body))]] : [];
  });
  return Object.fromEntries(bodies);
}
