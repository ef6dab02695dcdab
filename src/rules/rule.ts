/** Schema of rules, their stages (`at`), and the choice of the next action in a sequence. */

import { z } from "zod";
import { quote } from "../errors/quote.ts";
import { type SourceLocation, UsageError } from "../errors/usage-error.ts";
import { once } from "../world/lazy.ts";
import { type Action, RuleAction } from "./action.ts";
import { toDribble } from "./delay.ts";
import { breaksReply, findFaultEffect } from "./effect.ts";
import type { RequestMatcher, RuleInput } from "./grammar.ts";
import { Limit, type RuleCount } from "./limit.ts";
import { When } from "./matcher-schema.ts";
import { name } from "./primitives.ts";

export const STAGES = ["edge", "handler", "response"] as const;
export const MAX_RULES = 1_000;
export const Rule = once(() =>
  z.strictObject({
    id: name.optional().describe("Unique id, shown in the journal and in messages."),
    title: z.string().optional(),
    when: When().optional().describe("Requests that the rule applies to. Default: all."),
    limit: Limit().optional().describe("How often the rule applies."),
    at: z.enum(STAGES).optional().describe("Stage of the request handling. Default: depends on the effect."),
    then: RuleAction().describe("Effect of the rule."),
  }),
);
export type Rule = z.output<ReturnType<typeof Rule>>;
export type RuleStage = (typeof STAGES)[number];

export type CheckedRule = {
  readonly id: string;
  readonly at: RuleStage;
  readonly when: RequestMatcher;
  readonly rule: Rule;
};

/** A rule with its counters. */
export type RuleStatus = RuleCount & {
  readonly id: string;
  readonly at: RuleStage;
  readonly when: RequestMatcher;
  readonly rule: RuleInput;
  readonly origin: "run time" | "scenario";
  /** False if the rule is turned off. */
  readonly enabled: boolean;
};

export function listActions({ then }: Rule): readonly Action[] {
  return then.sequence ?? [then];
}

/** Whether the rule can inject a fault after which browsers may send the request again. */
export function losesReplies(rule: Rule): boolean {
  return listActions(rule).some(({ fault }) => findFaultEffect(fault)?.repeated === true);
}

/** Returns the action for the nth time that the rule applies. Undefined: its sequence has ended, so the service responds. */
export function selectAction({ id, rule: { then } }: CheckedRule, nth: number): Action | undefined {
  const { sequence, after = "pass" } = then;
  if (sequence === undefined) return then;
  if (nth <= sequence.length) return sequence[nth - 1];
  if (after === "last") return sequence.at(-1);
  if (after === "cycle") return sequence[(nth - 1) % sequence.length];
  if (after === "pass") return undefined;
  const detail = `The sequence of the rule ${id} has ended after ${sequence.length} actions, and its "after" is "fail".`;
  const body = { type: "urn:vitrine:sandbox", title: "The sequence has ended", detail };
  return { respond: { status: 500, body } };
}

/** Returns the earliest stage that can evaluate all conditions of the rule. */
export function findEarliestStage(rule: Rule): RuleStage {
  const { query, body, user } = rule.when ?? {};
  const late = query !== undefined || body !== undefined || user !== undefined || rule.limit?.per === "user";
  return late ? "handler" : "edge";
}

/** Whether the action changes the service's response, so that the service must respond first. */
export function needsReply(action: Action): boolean {
  const { mutate, fault, delay, problem, respond } = action;
  if (mutate !== undefined) return true;
  if (fault !== undefined) return breaksReply(fault);
  return toDribble(delay) !== undefined && problem === undefined && respond === undefined;
}

/** Returns the default of `at`: the earliest possible stage, but `handler` or later for problems, responses and gates. */
export function getDefaultStage(rule: Rule): RuleStage {
  const stages = listActions(rule).map((action): RuleStage => {
    if (needsReply(action)) return "response";
    const { problem, respond, hold } = action;
    return (problem ?? respond ?? hold) === undefined ? "edge" : "handler";
  });
  return stages.reduce((last, stage) => (isBefore(last, stage) ? stage : last), findEarliestStage(rule));
}

export function isBefore(stage: RuleStage, limit: RuleStage): boolean {
  return STAGES.indexOf(stage) < STAGES.indexOf(limit);
}

/** Throws a UsageError for too many rules, or if an added rule has the id of an existing one: counters use the id as key. */
export function assertRulesFit(
  added: readonly CheckedRule[],
  existing: readonly CheckedRule[],
  location?: SourceLocation,
): void {
  if (added.length + existing.length > MAX_RULES)
    throw new UsageError("badScenario", `A world has at most ${MAX_RULES} rules. Remove some, or reset.`);
  const ids = new Set(added.map(({ id }) => id));
  const duplicate = existing.find(({ id }) => ids.has(id));
  if (duplicate === undefined) return;
  const message = `A rule with id ${quote(duplicate.id)} already exists. Remove it or reset.`;
  throw new UsageError("badScenario", message, location);
}
