/** Reports rules that can never apply, and rules with a response that their operation cannot return. */

import { describeUnknown } from "../errors/nearest.ts";
import type { Path } from "../http/json-pointer.ts";
import { prefixIssues, type ValidationIssue } from "../operation/issue.ts";
import {
  applySettings,
  type GetSettings,
  listProblems,
  listStatuses,
  type NamedOperation,
  type Service,
} from "../operation/service.ts";
import type { Action } from "../rules/action.ts";
import { describeUnsupportedFault, type FaultKind } from "../rules/effect.ts";
import {
  type CheckedRule,
  findEarliestStage,
  getDefaultStage,
  isBefore,
  listActions,
  needsReply,
  type Rule,
} from "../rules/rule.ts";
import { checkMatcher, findOperations } from "./check-matcher.ts";

export function toCheckedRule(rule: Rule, id: string): CheckedRule {
  return { id, at: rule.at ?? getDefaultStage(rule), when: rule.when ?? {}, rule };
}

/** Returns all errors in conditions and actions. Without `settingsOf`, does not check whether statuses are documented. */
export function checkRule(
  checked: CheckedRule,
  services: readonly Service[],
  settingsOf?: GetSettings,
): readonly ValidationIssue[] {
  const { rule, at: stage, when } = checked;
  const conditions = prefixIssues(["when"], checkMatcher(when, services));
  const earliest = findEarliestStage(rule);
  const message = `The stage ${stage} is too early: query, body and user are available from the stage ${earliest} on.`;
  if (isBefore(stage, earliest)) return [...conditions, { path: ["at"], message }];
  const named = findOperations(when, services);
  // Does not check the actions, because the responses of an unknown operation are unknown.
  if (named.length === 0 && conditions.length > 0) return conditions;
  const actions = listActions(rule).flatMap((action, index) => {
    const path = toActionPath(rule, index);
    const atStage = checkStage(action, checked, named, path);
    const response = checkProblem(action, named) ?? checkRespond(action, named, settingsOf) ?? [];
    return atStage ?? prefixIssues(path, [response].flat());
  });
  return [...conditions, ...actions];
}

/** Reports faults that the runtime cannot inject. `faults` lists the faults that it supports. Default: all. */
export function checkFaults(
  { rule }: CheckedRule,
  faults: readonly FaultKind[] | undefined,
): readonly ValidationIssue[] {
  if (faults === undefined) return [];
  return listActions(rule).flatMap(({ fault }, index) => {
    if (fault === undefined || faults.includes(fault)) return [];
    const path = [...toActionPath(rule, index), "fault"];
    return [{ path, message: describeUnsupportedFault(fault, faults) }];
  });
}

function toActionPath({ then }: Rule, index: number): Path {
  return then.sequence === undefined ? ["then"] : ["then", "sequence", index];
}

function checkStage(
  action: Action,
  { rule, at: stage }: CheckedRule,
  named: readonly NamedOperation[],
  path: Path,
): readonly ValidationIssue[] | undefined {
  if (needsReply(action) && stage !== "response") {
    const message = `This action changes the response, so it needs "at": "response", not "${stage}".`;
    return [{ path: rule.at === undefined ? path : ["at"], message }];
  }
  if (rule.at !== undefined || stage !== "response" || !isTooLate(action, named)) return undefined;
  const message =
    'Another action of the sequence changes the response. All its actions therefore run at "response", after the service has done the work. Write "at": "response" if you want this, or use two rules.';
  return [{ path, message }];
}

/** Whether the action replaces the response of an operation that may have changed data already. */
function isTooLate(action: Action, named: readonly NamedOperation[]): boolean {
  const answers = action.problem !== undefined || action.respond !== undefined;
  return answers && named.some(({ operation }) => operation.method !== "get");
}

function checkProblem({ problem }: Action, named: readonly NamedOperation[]): ValidationIssue | undefined {
  if (problem === undefined) return undefined;
  const path = ["problem"];
  if (named.length === 0)
    return { path, message: "No operation has this path, so no problem is documented for it. Use respond." };
  return findFirstIssue(named, ({ service, name, operation }) => {
    const documented = listProblems(service, operation);
    if (documented.includes(problem)) return undefined;
    return { path, message: describeUnknown(`problem of ${name}`, problem, documented) };
  });
}

/** Reports a status that an operation does not document. Allows any 5xx, because every server can fail. */
function checkRespond(
  { respond, undocumented }: Action,
  named: readonly NamedOperation[],
  settingsOf: GetSettings | undefined,
): ValidationIssue | undefined {
  if (respond === undefined || undocumented === true || respond.status >= 500) return undefined;
  const path = ["respond", "status"];
  const allow = 'Write "undocumented": true next to respond if you want this.';
  if (named.length === 0)
    return { path, message: `No operation has this path, so no status is documented for it. ${allow}` };
  if (settingsOf === undefined) return undefined;
  return findFirstIssue(named, ({ service, name, operation }) => {
    const known = listStatuses(applySettings(service, settingsOf(service)), operation);
    if (known.includes(respond.status)) return undefined;
    const message = `${name} does not document the status ${respond.status}. Known: ${known.join(", ")}. ${allow}`;
    return { path, message };
  });
}

function findFirstIssue(
  named: readonly NamedOperation[],
  check: (operation: NamedOperation) => ValidationIssue | undefined,
): ValidationIssue | undefined {
  for (const operation of named) {
    const wrong = check(operation);
    if (wrong === undefined) continue;
    if (named.length === 1) return wrong;
    const hint = `The rule matches ${named.length} operations: name one of them in "when".`;
    return { ...wrong, message: `${wrong.message} ${hint}` };
  }
  return undefined;
}
