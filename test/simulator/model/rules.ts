// The model's rules: which of them act on a request at a stage of its life, and how they count.

import { fullName } from "../operations.ts";
import type { RuleText } from "../steps.ts";
import type { Asked } from "./life.ts";
import type { Moment, Rule } from "./moment.ts";

export type RuleFacts = { readonly asked: Asked; readonly user: string | undefined; readonly at: number };
/** Which rules no longer answer, because one has. */
export type Suppressed = "none" | "all" | readonly string[];
export type Answer = Exclude<RuleText["then"], { hold: string } | { advance: string } | { pass: true }>;

type Applied = {
  readonly moment: Moment;
  readonly effect: Answer | undefined;
  readonly gates: readonly string[];
  /** By how many milliseconds each moves the clock, one after the other. */
  readonly advances: readonly number[];
  readonly suppressed: Suppressed;
  /** Whether any rule counted the request. */
  readonly matched: boolean;
};

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, ms: 1 };

/** `90s` */
export function toMs(duration: string): number {
  const [, count = "0", unit = ""] = /^\+?(\d+)(ms|s|m|h|d)$/.exec(duration) ?? [];
  return Number(count) * (UNIT_MS[unit] ?? Number.NaN);
}

export function applyRules(
  start: Moment,
  stage: RuleText["at"],
  facts: RuleFacts,
  before: Suppressed,
): Applied {
  let moment = start;
  const gates: string[] = [];
  const advances: number[] = [];
  let matched = false;
  const rules = [...start.added, ...start.scenario];
  for (const [index, rule] of rules.entries()) {
    if (rule.at !== stage || !isFor(rule, facts)) continue;
    if (isSuppressed(rule, before)) continue;
    const { counted, acts } = count(rule, facts);
    if (counted === rule) continue;
    matched = true;
    moment = replaced(moment, counted);
    if (!acts) continue;
    const { then } = rule;
    if ("hold" in then) gates.push(then.hold);
    else if ("advance" in then) advances.push(toMs(then.advance));
    else {
      const passes = "pass" in then;
      const suppressed = passes ? rules.slice(index + 1).map(({ id }) => id) : "all";
      return { moment, effect: passes ? undefined : then, gates, advances, suppressed, matched };
    }
  }
  return { moment, effect: undefined, gates, advances, suppressed: before, matched };
}

function isFor({ when }: Rule, { asked, user }: RuleFacts): boolean {
  const name = fullName(asked.operation);
  const named = when.operation.endsWith("*")
    ? name.startsWith(when.operation.slice(0, -1))
    : name === when.operation;
  if (!named || (when.environment !== undefined && when.environment !== asked.environment)) return false;
  if (when.user !== undefined && when.user !== user) return false;
  const price = (asked.value as { price?: unknown } | null | undefined)?.price;
  return when.body === undefined || (typeof price === "number" && price > (when.body["price"]?.$gt ?? 0));
}

/** After an answer only those still act that answer nothing; after a pass, none of those that followed it. */
function isSuppressed({ id, then }: Rule, suppressed: Suppressed): boolean {
  if (suppressed === "none") return false;
  return suppressed === "all" ? !("hold" in then || "advance" in then) : suppressed.includes(id);
}

/** The rule with its new counts; itself where it does not even count the request. */
function count(rule: Rule, { user, at }: RuleFacts): { readonly counted: Rule; readonly acts: boolean } {
  const { from, until, times = Number.POSITIVE_INFINITY, after = 0, every = 1, per } = rule.limit ?? {};
  const caller = per === "user" ? (user ?? "") : "";
  const { matched, acted } = rule.counts[caller] ?? { matched: 0, acted: 0 };
  const isEarly = from !== undefined && at < rule.since + toMs(from);
  const isLate = until !== undefined && at >= rule.since + toMs(until);
  if (isEarly || isLate || acted >= times) return { counted: rule, acts: false };
  const nth = matched + 1 - after;
  const acts = nth > 0 && nth % every === 0;
  const counts = { ...rule.counts, [caller]: { matched: matched + 1, acted: acted + (acts ? 1 : 0) } };
  return { counted: { ...rule, counts }, acts };
}

function replaced(moment: Moment, rule: Rule): Moment {
  const swap = (rules: readonly Rule[]) => rules.map((one) => (one.id === rule.id ? rule : one));
  return { ...moment, added: swap(moment.added), scenario: swap(moment.scenario) };
}

/** Over all callers. */
export function totals({ counts }: Rule): { readonly matched: number; readonly acted: number } {
  const all = Object.values(counts);
  const sum = (field: "matched" | "acted") => all.reduce((total, one) => total + one[field], 0);
  return { matched: sum("matched"), acted: sum("acted") };
}
