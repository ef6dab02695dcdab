/** Lists the documented responses of an operation, and mutations of its responses, each with a rule that causes it. */

import { createUnknownError } from "../errors/nearest.ts";
import { type AnySchema, stripWrappers } from "../operation/fields.ts";
import { listOperations, listProblems, type NamedOperation, type Service } from "../operation/service.ts";
import type { RuleInput } from "../rules/grammar.ts";
import type { NamedMutation } from "../rules/mutation.ts";

export type DocumentedOutcome = {
  readonly operation: string;
  readonly status: number;
  /** Key of the problem, or undefined for a success. */
  readonly problem: string | undefined;
  readonly title: string;
  /** Document and section that define the response. */
  readonly source: string;
  /** Rule for `sandbox.use` that triggers the response once. */
  readonly rule: RuleInput;
};

/** Lists the successful responses of an operation, then its problems. Throws a UsageError for an unknown operation. */
export function listOutcomes(name: string, services: readonly Service[]): readonly DocumentedOutcome[] {
  const { service, operation } = findOperation(name, services);
  const when = { operation: name };
  const limit = { times: 1 };
  const successes = Object.keys(operation.responses).map(
    (status): DocumentedOutcome => ({
      operation: name,
      status: Number(status),
      problem: undefined,
      title: operation.summary,
      source: operation.source,
      rule: { when, limit, then: { pass: true } },
    }),
  );
  const problems = listProblems(service, operation).map((problem): DocumentedOutcome => {
    const { status = 0, title = "", source = "" } = service.problems[problem] ?? {};
    return { operation: name, status, problem, title, source, rule: { when, limit, then: { problem } } };
  });
  return [...successes, ...problems];
}

/** A change of a valid response, such as an extra or missing field, to test whether a client is robust. */
export type ReplyMutation = {
  readonly operation: string;
  readonly mutation: string;
  readonly rule: RuleInput;
};

/** Mutations that apply only to fields of one type. The keys are the types. */
const KINDS_BY_TYPE: Readonly<Record<string, readonly ("enum" | "long")[]>> = {
  enum: ["enum"],
  string: ["long"],
};

/** Derives mutations from the response fields of an operation. Returns an empty list if the operation returns no body. */
export function listMutations(name: string, services: readonly Service[]): readonly ReplyMutation[] {
  const { service, operation } = findOperation(name, services);
  const fields = Object.values(operation.responses).flatMap((schema) => {
    const form = service.codec.forms(schema)["application/json"] as AnySchema | undefined; // Safe cast: AnySchema requires no members.
    return Object.entries(unwrapList(form)?.shape ?? {});
  });
  const mutations = fields.flatMap(([field, schema]): NamedMutation[] => {
    const kinds = KINDS_BY_TYPE[String(stripWrappers(schema)?.def?.type)] ?? [];
    return (["drop", "null", ...kinds] as const).map((kind) => `${kind}:/${field}` as const);
  });
  if (fields.length > 0) mutations.unshift("extra", "empty");
  return mutations.map((mutation) => ({
    operation: name,
    mutation,
    rule: { when: { operation: name }, limit: { times: 1 }, then: { mutate: mutation } },
  }));
}

function findOperation(name: string, services: readonly Service[]): NamedOperation {
  const all = listOperations(services);
  const found = all.find((candidate) => candidate.name === name);
  if (found !== undefined) return found;
  const names = all.map((candidate) => candidate.name);
  throw createUnknownError("operation", name, names);
}

function unwrapList(schema: AnySchema | undefined): AnySchema | undefined {
  const whole = stripWrappers(schema);
  return whole?.element === undefined ? whole : unwrapList(whole.element);
}
