/** The rules of a world as plain JSON, and back: each as it was written, with its stage, and what it has done so far. */

import type { DataRecord, RulesSnapshot, SandboxExpectations } from "../rules/active-rules.ts";
import type { RuleInput } from "../rules/grammar.ts";
import type { Rule, RuleStage } from "../rules/rule.ts";
import { type RuleCountEntries, RuleCounters } from "../rules/rule-counters.ts";
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
  readonly counts: RuleCountEntries;
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
  const active = <O extends string>({ id, at, since, rule, off }: RuleRecord, origin: O) => {
    return { id, at, when: rule.when ?? {}, rule: rule as Rule, since, origin, off }; // what the schema read of it
  };
  const rules = scenario.rules.map((rule) => active(rule, "scenario"));
  return {
    added: added.map((rule) => active(rule, "run time")),
    scenario: { title: undefined, ...scenario, rules },
    counters: RuleCounters.of(counts),
    named,
  };
}

function writeRule({ id, at, since, rule, off }: RulesSnapshot["added"][number]): RuleRecord {
  const switched = off === true ? { off } : {};
  return { id, at, since, rule: rule as RuleInput, ...switched }; // it was read from one
}
