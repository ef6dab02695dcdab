/** What a rule is: how it is written and, once checked, its id and the stage of a request's life where it acts. */

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
    id: name.optional().describe("Names the rule in journal and messages. Unique."),
    title: z.string().optional(),
    when: When().optional().describe("Which exchanges. Left out: all."),
    limit: Limit().optional().describe("How often."),
    at: z.enum(STAGES).optional().describe("Where in the life of a request. Default: as the effect needs."),
    then: RuleAction().describe("What happens."),
  }),
);
export type Rule = z.output<ReturnType<typeof Rule>>;
export type RuleStage = (typeof STAGES)[number];

export type CheckedRule = {
  readonly id: string;
  readonly at: RuleStage;
  readonly when: RequestMatcher;
  /** As it was written. */
  readonly rule: Rule;
};

/** A rule and what it has done so far. */
export type RuleStatus = RuleCount & {
  readonly id: string;
  readonly at: RuleStage;
  readonly when: RequestMatcher;
  /** As it was written. */
  readonly rule: RuleInput;
  readonly origin: "run time" | "scenario";
  /** False while it is switched off. */
  readonly enabled: boolean;
};

export function listActions({ then }: Rule): readonly Action[] {
  return then.sequence ?? [then];
}

/** True where the rule can end the connection in place of a reply, so that a client knows nothing of what became of it. */
export function losesReplies(rule: Rule): boolean {
  return listActions(rule).some(({ fault }) => findFaultEffect(fault)?.repeated === true);
}

/** The action for the nth time a rule acts; undefined when its sequence has ended and the service answers. */
export function selectAction({ id, rule: { then } }: CheckedRule, nth: number): Action | undefined {
  const { sequence, after = "pass" } = then;
  if (sequence === undefined) return then;
  if (nth <= sequence.length) return sequence[nth - 1];
  if (after === "last") return sequence.at(-1);
  if (after === "cycle") return sequence[(nth - 1) % sequence.length];
  if (after === "pass") return undefined;
  const detail = `The sequence of the rule ${id} has ended after ${sequence.length} actions, and its author wants no more requests.`;
  const body = { type: "urn:vitrine:sandbox", title: "The sequence has ended", detail };
  return { respond: { status: 500, body } };
}

/** The earliest stage at which everything that the conditions need is known. */
export function findEarliestStage(rule: Rule): RuleStage {
  const { query, body, user } = rule.when ?? {};
  const late = query !== undefined || body !== undefined || user !== undefined || rule.limit?.per === "user";
  return late ? "handler" : "edge";
}

/** True where the action changes a reply and so cannot come before there is one. */
export function needsReply(action: Action): boolean {
  const { mutate, fault, delay, problem, respond } = action;
  if (mutate !== undefined) return true;
  if (fault !== undefined) return breaksReply(fault);
  return toDribble(delay) !== undefined && problem === undefined && respond === undefined;
}

/** Where a rule without `at` acts: as early as it can; problems, answers and gates at the handler. */
export function getDefaultStage(rule: Rule): RuleStage {
  const stages = listActions(rule).map((action): RuleStage => {
    if (needsReply(action)) return "response";
    const { problem, respond, hold } = action;
    return (problem ?? respond ?? hold) === undefined ? "edge" : "handler";
  });
  return [findEarliestStage(rule), ...stages].reduce(pickLater);
}

export function isBefore(one: RuleStage, other: RuleStage): boolean {
  return STAGES.indexOf(one) < STAGES.indexOf(other);
}

function pickLater(one: RuleStage, other: RuleStage): RuleStage {
  return isBefore(one, other) ? other : one;
}

/** Refuses rules that are too many together with those `there`, or whose ids are taken: counts go by id. */
export function assertRulesFit(
  comers: readonly CheckedRule[],
  there: readonly CheckedRule[],
  place?: SourceLocation,
): void {
  if (comers.length + there.length > MAX_RULES)
    throw new UsageError("badScenario", `A world has at most ${MAX_RULES} rules. Remove some, or reset.`);
  const coming = new Set(comers.map(({ id }) => id));
  const duplicate = there.find(({ id }) => coming.has(id));
  if (duplicate === undefined) return;
  const message = `A rule with id ${quote(duplicate.id)} already exists. Remove it or reset.`;
  throw new UsageError("badScenario", message, place);
}
