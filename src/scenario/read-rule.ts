/** The reading of one rule, as `sandbox.use` and the control API accept it. */

import { issuesUnder } from "../operation/issue.ts";
import type { Service, SettingsOf } from "../operation/service.ts";
import { check, rightFields } from "../operation/validate.ts";
import { RuleAction } from "../rules/action.ts";
import type { FaultKind } from "../rules/effect.ts";
import { When } from "../rules/matcher-schema.ts";
import { type CheckedRule, Rule } from "../rules/rule.ts";
import { type CallersOf, callerIssues } from "./check-matcher.ts";
import { checkRule, faultIssues, toCheckedRule } from "./check-rule.ts";
import { locateIn, throwAll, toMistakes } from "./scenario-errors.ts";
import { valueSource } from "./source.ts";

/** What a rule must fit. */
type RuleContext = {
  readonly services: readonly Service[];
  readonly callersOf: CallersOf;
  readonly settingsOf: SettingsOf;
  /** The wire faults that can be played. Left out: all of them. */
  readonly faults?: readonly FaultKind[] | undefined;
};

/** Throws a UsageError that names every mistake. */
export function readRule(
  input: unknown,
  nextId: () => string,
  { services, callersOf, settingsOf, faults }: RuleContext,
): CheckedRule {
  const source = valueSource(input);
  const { issues = [], value: rule } = check(Rule(), source.value);
  const checked = toCheckedRule(rule ?? rightParts(source.value), rule?.id ?? nextId());
  const callers = issuesUnder(["when"], callerIssues(checked.when, services, callersOf));
  throwAll(
    toMistakes(
      [...issues, ...checkRule(checked, services, settingsOf), ...faultIssues(checked, faults), ...callers],
      locateIn(source),
    ),
  );
  return checked;
}

/** What of a rule fits the grammar: its conditions, and its actions where all conditions do. */
export function rightParts(value: unknown): Rule {
  const { success, data } = Rule().safeParse(value);
  if (success) return data;
  const { id, when, then } = (value ?? {}) as { readonly [part: string]: unknown }; // it may be any value
  const conditions = When().optional().safeParse(when);
  const actions = RuleAction().safeParse(then);
  return {
    ...(typeof id === "string" ? { id } : {}),
    when: conditions.success ? conditions.data : rightFields(When(), when),
    then: conditions.success && actions.success ? actions.data : {},
  };
}
