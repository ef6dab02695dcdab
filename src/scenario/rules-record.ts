/** Converts the rules of a world, with their stages and counters, to JSON and back. */

import type { ActiveScenario, RulesSnapshot } from "../rules/active-rules.ts";
import type { RuleInput } from "../rules/grammar.ts";
import type { Rule, RuleStage } from "../rules/rule.ts";
import { type RuleCountEntries, RuleCounters } from "../rules/rule-counters.ts";
import type { Timestamp } from "../world/time.ts";

type RuleRecord = {
  readonly id: string;
  readonly at: RuleStage;
  /** When the rule was added. */
  readonly since: Timestamp;
  readonly rule: RuleInput;
  readonly off?: true | undefined;
};

export type RulesRecord = {
  readonly added: readonly RuleRecord[];
  /** The active scenarios, newest last. */
  readonly layers: readonly (Omit<ActiveScenario<RuleRecord>, "title"> & {
    readonly title?: string | undefined;
  })[];
  readonly counts: RuleCountEntries;
  /** Number in the last generated rule id: 1 for `use-1`. */
  readonly named: number;
};

export function writeRules({ added, layers, counters, named }: RulesSnapshot): RulesRecord {
  return {
    added: added.map(writeRule),
    layers: layers.map(({ title, ...rest }) => ({
      ...rest,
      ...(title === undefined ? {} : { title }),
      rules: rest.rules.map(writeRule),
    })),
    counts: counters.entries(),
    named,
  };
}

export function readRules({ added, layers, counts, named }: RulesRecord): RulesSnapshot {
  const active = <O extends string>({ id, at, since, rule, off }: RuleRecord, origin: O) => {
    return { id, at, when: rule.when ?? {}, rule: rule as Rule, since, origin, off }; // Safe cast: `writeRules` wrote a parsed rule.
  };
  return {
    added: added.map((rule) => active(rule, "run time")),
    layers: layers.map((layer) => {
      const rules = layer.rules.map((rule) => active(rule, "scenario"));
      return { title: undefined, ...layer, rules };
    }),
    counters: RuleCounters.of(counts),
    named,
  };
}

function writeRule({ id, at, since, rule, off }: RulesSnapshot["added"][number]): RuleRecord {
  const switched = off === true ? { off } : {};
  return { id, at, since, rule: rule as RuleInput, ...switched }; // Safe cast: parsing does not change a rule.
}
