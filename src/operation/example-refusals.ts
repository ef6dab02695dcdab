/**
 * The example refusals of an OpenAPI document: those that a client really gets. Each operation's example is broken in
 * one point after another, and the first answer with each documented problem is taken.
 */

import { headersOf } from "./asked.ts";
import type { AnyOperation, Example } from "./operation.ts";
import {
  bodyTooLarge,
  fail,
  isProblem,
  malformedBody,
  type Problem,
  type StandardProblem,
} from "./problem.ts";
import { documentedProblems, readingOf } from "./service.ts";
import { attempt, type Trial } from "./trial.ts";

/** Operation key -> problem key -> the problem with its text. */
export type Refusals = Readonly<Record<string, Readonly<Record<string, Problem>>>>;

export function exampleRefusals(trial: Trial): Refusals {
  const entries = Object.entries(trial.service.operations);
  return Object.fromEntries(entries.map(([key, operation]) => [key, refusalsOf(trial, operation)]));
}

function refusalsOf(trial: Trial, operation: AnyOperation): Readonly<Record<string, Problem>> {
  const open = new Set(documentedProblems(trial.service, operation));
  const found: Record<string, Problem> = {};
  for (const problem of outcomes(trial, operation)) {
    if (problem !== undefined && open.delete(problem.key)) found[problem.key] = problem;
    if (open.size === 0) break;
  }
  return found;
}

function* outcomes(trial: Trial, operation: AnyOperation): Generator<Problem | undefined> {
  const example = operation.example(trial.scratch());
  for (const broken of brokenBodies(example)) yield refusal(trial, operation, broken);
  for (const broken of brokenQueries(operation, example)) yield refusal(trial, operation, broken);
  for (const broken of brokenPaths(example)) yield refusal(trial, operation, broken);
  yield* unread(trial, operation);
  const state = trial.scratch();
  attempt(trial, operation, example, state);
  yield refusal(trial, operation, example, state);
}

function refusal(
  trial: Trial,
  operation: AnyOperation,
  example: Example,
  state?: unknown,
): Problem | undefined {
  const outcome = attempt(trial, operation, example, state);
  return isProblem(outcome) ? outcome : undefined;
}

/** Refusals of what was sent around the input. */
function* unread({ service, context: { exchange: asked, settings } }: Trial, operation: AnyOperation) {
  const { codec } = service;
  const exchange = {
    ...asked,
    suffix: undefined,
    headers: headersOf({ accept: "image/gif" }),
    media: undefined,
  };
  const context = { exchange, operation, settings };
  const own = (problem: StandardProblem) => codec.ownProblem(problem, context);
  const media = codec.negotiate(context);
  if (typeof media !== "string") yield own(media);
  if (operation.request.body === undefined) return;
  const { parse, limitBytes } = readingOf(service);
  const { error } = parse("{");
  if (error !== undefined) yield own(malformedBody(error));
  yield own(bodyTooLarge(operation.request.limitBytes ?? limitBytes));
  yield own(fail("unsupportedMedia"));
}

/** An id that nobody has. */
const NOBODY = "00000000-0000-4000-8000-000000000000";

/** One field of another type; one with a text that means nothing; one too long. */
function* brokenBodies({ body, ...rest }: Example): Generator<Example> {
  if (typeof body !== "object" || body === null) return;
  const fields = Object.entries(body);
  const changed = (name: string, value: unknown): Example => ({ ...rest, body: { ...body, [name]: value } });
  for (const [name, value] of fields.reverse()) yield changed(name, typeof value === "string" ? 7 : "7");
  for (const text of [NOBODY, "x", "x".repeat(256)])
    for (const [name, value] of fields) if (typeof value === "string") yield changed(name, text);
}

function* brokenQueries({ request }: AnyOperation, example: Example): Generator<Example> {
  for (const value of ["0", "x"])
    for (const name of Object.keys(request.query.shape).reverse())
      yield { ...example, query: { ...example.query, [name]: value } };
}

function* brokenPaths(example: Example): Generator<Example> {
  for (const value of [NOBODY, "x"])
    for (const name of Object.keys(example.params ?? {}))
      yield { ...example, params: { ...example.params, [name]: value } };
}
