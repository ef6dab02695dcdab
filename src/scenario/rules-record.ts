/** The rules of a world as plain JSON, and back: each as it was written, with its stage, and what it has done so far. */

import { z } from "zod";
import { issuesUnder, type ValidationIssue } from "../operation/issue.ts";
import type { Service } from "../operation/service.ts";
import type { RulesSnapshot, SandboxExpectations, WrittenData } from "../rules/active-rules.ts";
import type { Count } from "../rules/limit.ts";
import { type CheckedRule, MOST_RULES, Rule, type RuleInput, type RuleStage, STAGES } from "../rules/rule.ts";
import { RuleCounters } from "../rules/rule-counters.ts";
import { once } from "../world/once.ts";
import type { Instant } from "../world/time.ts";
import { checkRule } from "./check-rule.ts";
import { ScenarioFile } from "./schema.ts";

type RuleRecord = {
  readonly id: string;
  readonly at: RuleStage;
  /** When it came into force. */
  readonly since: Instant;
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
    readonly data: readonly WrittenData[];
  };
  /** By rule, then by caller; an empty name where all are counted together. */
  readonly counts: readonly (readonly [
    rule: string,
    counts: readonly (readonly [caller: string, Count])[],
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
    return { ...checkedOf(written), since, origin, off };
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

/** What does not fit the services, in a record that fits the schema. */
export function rulesIssues(
  { added, scenario }: RulesRecord,
  services: readonly Service[],
): ValidationIssue[] {
  const ids = new Set<string>();
  const listed = [
    ...added.map((rule, index) => ({ rule, path: ["added", index] })),
    ...scenario.rules.map((rule, index) => ({ rule, path: ["scenario", "rules", index] })),
  ];
  if (listed.length > MOST_RULES)
    return [{ path: ["added"], message: `A world has at most ${MOST_RULES} rules, not ${listed.length}.` }];
  return listed.flatMap(({ rule: written, path }) => {
    const { id } = written;
    const twice = ids.has(id)
      ? [{ path: ["id"], message: `Two rules have the id ${JSON.stringify(id)}.` }]
      : [];
    ids.add(id);
    return issuesUnder(path, [...twice, ...issuesUnder(["rule"], checkRule(checkedOf(written), services))]);
  });
}

function checkedOf({ id, at, rule }: Omit<RuleRecord, "since" | "off">): CheckedRule {
  return { id, at, when: rule.when ?? {}, rule: rule as Rule }; // what the schema read of it
}

export const RulesSchema = once(() => {
  const rule = z.strictObject({
    id: z.string(),
    at: z.enum(STAGES),
    since: z.int(),
    rule: Rule(),
    off: z.literal(true).optional(),
  });
  const count = z.strictObject({ matched: z.int().min(0), acted: z.int().min(0) });
  return z.strictObject({
    added: z.array(rule),
    scenario: z.strictObject({
      name: z.string(),
      title: z.string().optional(),
      expect: ScenarioFile().shape.expect.unwrap(),
      rules: z.array(rule),
      data: z.array(
        z.strictObject({ environment: z.string(), collection: z.string(), change: z.looseObject({}) }),
      ),
    }),
    counts: z.array(z.tuple([z.string(), z.array(z.tuple([z.string(), count]))])),
    named: z.int().min(0),
  });
});

function writeRule({ id, at, since, rule, off }: RulesSnapshot["added"][number]): RuleRecord {
  const switched = off === true ? { off } : {};
  return { id, at, since, rule: rule as RuleInput, ...switched }; // it was read from one
}
