/** Describes a rule in words, such as `museum.createSpecialEvent by ada answers invalidInput, once`. */

import type { FaultKind } from "../rules/effect.ts";
import type { ActionInput, LimitInput, RequestMatcher, RuleInput, ThenInput } from "../rules/grammar.ts";
import type { RuleStatus } from "../rules/rule.ts";

export type RuleSentence = {
  readonly who: string;
  readonly what: string;
  readonly often: string;
};

export function describeRule({ when = {}, then, limit = {}, at }: RuleInput): RuleSentence {
  const late = at === "response" ? ", after its work is done" : "";
  return { who: whoOf(when), what: whatOf(then) + late, often: oftenOf(limit) };
}

function whoOf({ operation, method, path, user, ...others }: RequestMatcher): string {
  const address = [method, path].filter((part) => part !== undefined).map(worded);
  const name = worded(operation ?? address.join(" "));
  const by = user === undefined ? "" : ` by ${worded(user)}`;
  const rest = Object.entries(others).filter(([, value]) => value !== undefined);
  const parts = rest.map(([part, value]) => `${part} is ${worded(value)}`);
  const where = parts.length === 0 ? "" : ` where ${parts.join(", ")}`;
  return `${name || "every request"}${by}${where}`;
}

function whatOf({ sequence, after = "pass", ...action }: ThenInput): string {
  if (sequence === undefined) return actionOf(action);
  return `${sequence.map(actionOf).join(", then ")}, then ${AFTER[after]}`;
}

const AFTER = {
  pass: "the usual response",
  last: "the last again",
  cycle: "from the start",
  fail: "a failure",
} as const;

function actionOf(action: ActionInput): string {
  const { problem, respond, fault, mutate, hold, pass, delay, clock, advance } = action;
  const words = [
    problem === undefined ? "" : `answers ${problem}`,
    respond === undefined ? "" : `answers ${respond.status}`,
    fault === undefined ? "" : FAULT_TEXTS[fault],
    mutate === undefined ? "" : `changes the answer (${[mutate].flat().map(worded).join(", ")})`,
    hold === undefined ? "" : `waits at the gate ${hold}`,
    delay === undefined
      ? ""
      : `takes ${typeof delay === "string" ? delay : worded(delay)}${clock === undefined ? "" : " of the sandbox's clock"}`,
    advance === undefined ? "" : `moves the clock by ${advance}`,
    pass === undefined ? "" : "gets the usual response",
  ].filter((word) => word !== "");
  return words.join(" and ") || "gets the usual response";
}

/** Whether the rule has reached its limit `times`. False with `per: "user"`, because each user has a separate limit. */
export function isUsedUp({ rule: { limit: { times, per } = {} }, acted }: RuleStatus): boolean {
  return times !== undefined && per !== "user" && acted >= times;
}

/** Description of each fault, for a sentence whose subject is the request: “The request hangs”. */
export const FAULT_TEXTS: Readonly<Record<FaultKind, string>> = {
  reset: "is reset before an answer",
  empty: "is closed without an answer",
  truncate: "is cut off in the middle",
  "bad-chunk": "ends in a broken chunk",
  garbage: "gets garbage",
  hang: "hangs",
  "slow-close": "is closed late",
  dribble: "comes in drips",
};

function oftenOf({ after, times, every, chance, from, until, per }: LimitInput): string {
  const words = [
    after === undefined ? "" : `after ${after}`,
    times === undefined ? "" : times === 1 ? "once" : `${times} times`,
    every === undefined ? "" : `each ${every}th`,
    chance === undefined ? "" : `${Math.round(chance * 100)} % of them`,
    from === undefined ? "" : `from ${from}`,
    until === undefined ? "" : `until ${until}`,
    per === undefined ? "" : `per ${per}`,
  ].filter((word) => word !== "");
  return words.join(", ") || "always";
}

function worded(value: unknown): string {
  if (Array.isArray(value)) return value.map(worded).join(" or ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
