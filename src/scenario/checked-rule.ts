// Owns a rule that was checked: with an id, and at the stage of a request's life where it acts.

import { dribbleOf } from "./delay.ts";
import type { FaultKind } from "./effect.ts";
import type { Rule, STAGES } from "./schema.ts";
import type { Step } from "./step.ts";
import type { When } from "./when.ts";

export type RuleStage = (typeof STAGES)[number];

export type CheckedRule = {
  readonly id: string;
  readonly at: RuleStage;
  readonly when: When;
  /** As it was written. */
  readonly rule: Rule;
};

/** Faults that need a reply beneath. */
const BROKEN_REPLIES: readonly FaultKind[] = ["truncate", "bad-chunk", "slow-close", "dribble"];
const ORDER: readonly RuleStage[] = ["edge", "handler", "response"];

export function stepsOf({ then }: Rule): readonly Step[] {
  return then.sequence ?? [then];
}

/** The step of the nth time a rule acts; undefined when its sequence has ended and the service answers. */
export function stepAt({ id, rule: { then } }: CheckedRule, nth: number): Step | undefined {
  const { sequence, after = "pass" } = then;
  if (sequence === undefined) return then;
  if (nth <= sequence.length) return sequence[nth - 1];
  if (after === "last") return sequence.at(-1);
  if (after === "cycle") return sequence[(nth - 1) % sequence.length];
  if (after === "pass") return undefined;
  const detail = `The sequence of the rule ${id} has ended after ${sequence.length} steps, and its author wants no more requests.`;
  return { respond: { status: 500, body: sequenceEnded(detail) } };
}

function sequenceEnded(detail: string): { type: string; title: string; detail: string } {
  return { type: "urn:vitrine:sandbox", title: "The sequence has ended", detail };
}

/** The earliest stage at which everything is known that the conditions ask for. */
export function earliestFor(rule: Rule): RuleStage {
  const { query, body, user } = rule.when ?? {};
  const late = query !== undefined || body !== undefined || user !== undefined || rule.limit?.per === "user";
  return late ? "handler" : "edge";
}

/** True where the step changes a reply and so cannot come before there is one. */
export function needsReply(step: Step): boolean {
  if (step.mutate !== undefined) return true;
  if (step.fault !== undefined) return BROKEN_REPLIES.includes(step.fault);
  return dribbleOf(step.delay) !== undefined && step.problem === undefined && step.respond === undefined;
}

/** Where a rule acts that does not say: as early as it can; problems, answers and gates where the work would begin. */
export function defaultStage(rule: Rule): RuleStage {
  const stages = stepsOf(rule).map((step): RuleStage => {
    if (needsReply(step)) return "response";
    const atHandler = step.problem !== undefined || step.respond !== undefined || step.hold !== undefined;
    return atHandler ? "handler" : "edge";
  });
  return [earliestFor(rule), ...stages].reduce(later);
}

export function isBefore(one: RuleStage, other: RuleStage): boolean {
  return ORDER.indexOf(one) < ORDER.indexOf(other);
}

function later(one: RuleStage, other: RuleStage): RuleStage {
  return isBefore(one, other) ? other : one;
}
