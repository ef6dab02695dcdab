/** Reads one rule of `sandbox.use` or the control API. */

import { prefixIssues } from "../operation/issue.ts";
import type { GetSettings, Service } from "../operation/service.ts";
import { check, pickValidFields } from "../operation/validate.ts";
import { RuleAction } from "../rules/action.ts";
import type { FaultKind } from "../rules/effect.ts";
import { When } from "../rules/matcher-schema.ts";
import { type CheckedRule, Rule } from "../rules/rule.ts";
import { checkUser, type GetCallers } from "./check-matcher.ts";
import { checkFaults, checkRule, toCheckedRule } from "./check-rule.ts";
import { createLocator, throwErrors, toErrors } from "./scenario-errors.ts";
import { createValueSource } from "./source.ts";

type RuleContext = {
  readonly services: readonly Service[];
  readonly callersOf: GetCallers;
  readonly settingsOf: GetSettings;
  /** Connection faults that the runtime can inject. Default: all. */
  readonly faults?: readonly FaultKind[] | undefined;
};

/** Parses and validates a rule. Throws a UsageError that lists all errors. */
export function readRule(
  input: unknown,
  nextId: () => string,
  { services, callersOf, settingsOf, faults }: RuleContext,
): CheckedRule {
  const source = createValueSource(input);
  const { issues = [], value: rule } = check(Rule(), source.value);
  const checked = toCheckedRule(rule ?? pickValidParts(source.value), rule?.id ?? nextId());
  const callers = prefixIssues(["when"], checkUser(checked.when, services, callersOf));
  const found = [...checkRule(checked, services, settingsOf), ...checkFaults(checked, faults), ...callers];
  throwErrors(toErrors([...issues, ...found], createLocator(source)));
  return checked;
}

/** Returns the valid parts of a rule, so that they are also checked. Omits the actions if a condition is invalid. */
export function pickValidParts(value: unknown): Rule {
  const { success, data } = Rule().safeParse(value);
  if (success) return data;
  const { id, when, then } = (value ?? {}) as { readonly [part: string]: unknown }; // Safe cast: the lines below check each part.
  const conditions = When().optional().safeParse(when);
  const actions = RuleAction().safeParse(then);
  return {
    ...(typeof id === "string" ? { id } : {}),
    when: conditions.success ? conditions.data : pickValidFields(When(), when),
    then: conditions.success && actions.success ? actions.data : {},
  };
}
