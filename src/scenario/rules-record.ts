/** The rules of a world as plain JSON, and back: each as it was written, with its stage, and what it has done so far. */

import type { DataRecord, RulesSnapshot, SandboxExpectations } from "../rules/active-rules.ts";
import type { RuleInput } from "../rules/grammar.ts";
import type { RuleCount } from "../rules/limit.ts";
import type { CheckedRule, Rule, RuleStage } from "../rules/rule.ts";
import { RuleCounters } from "../rules/rule-counters.ts";
import type { Timestamp } from "../world/time.ts";

type RuleRecord = {
  readonly id: string;
  readonly at: RuleStage;
  /** When it came into force. */
  readonly since: Timestamp;
  /** As it was written. */
  readonly rule: RuleInput;
  /** Switched off. */
  readonly off?: true | undefined;
};

export type RulesRecord = {
  readonly added: readonly RuleRecord[];
  readonly scenario: {
    readonly name: string;
    readonly title?: string | undefined;
    readonly expect: SandboxExpectations;
    readonly rules: readonly RuleRecord[];
    readonly data: readonly DataRecord[];
  };
  /** By rule, then by caller; an empty name where all are counted together. */
  readonly counts: readonly (readonly [
    rule: string,
    counts: readonly (readonly [caller: string, RuleCount])[],
  ])[];
  /** How many rules without an id were named. */
  readonly named: number;
};

export function writeRules({ added, scenario, counters, named }: RulesSnapshot): RulesRecord {
  const { title, ...rest } = scenario;
  const titled = title === undefined ? {} : { title };
  return {
    added: added.map(writeRule),
    scenario: { ...rest, ...titled, rules: scenario.rules.map(writeRule) },
    counts: counters.entries(),
    named,
  };
}

export function readRules({ added, scenario, counts, named }: RulesRecord): RulesSnapshot {
  const active = <O extends string>({ since, off, ...written }: RuleRecord, origin: O) => {
    return { ...readCheckedRule(written), since, origin, off };
  };
  return {
    added: added.map((rule) => active(rule, "run time")),
    scenario: {
      title: undefined,
      ...scenario,
      rules: scenario.rules.map((rule) => active(rule, "scenario")),
    },
    counters: RuleCounters.of(counts),
    named,
  };
}

function readCheckedRule({ id, at, rule }: Omit<RuleRecord, "since" | "off">): CheckedRule {
  return { id, at, when: rule.when ?? {}, rule: rule as Rule }; // what the schema read of it
}

function writeRule({ id, at, since, rule, off }: RulesSnapshot["added"][number]): RuleRecord {
  const switched = off === true ? { off } : {};
  return { id, at, since, rule: rule as RuleInput, ...switched }; // it was read from one
}
