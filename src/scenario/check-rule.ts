/** Whether a rule fits the services, so that none loads that never fires or whose answer is impossible. */

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

/** A rule with its id and stage. */
export function toCheckedRule(rule: Rule, id: string): CheckedRule {
  return { id, at: rule.at ?? getDefaultStage(rule), when: rule.when ?? {}, rule };
}

/**
 * Names that the services do not know, and what cannot happen: all of it, in conditions and actions alike. Without
 * settings it is open which statuses are documented.
 */
export function checkRule(
  checked: CheckedRule,
  services: readonly Service[],
  settingsOf?: GetSettings,
): readonly ValidationIssue[] {
  const { rule, at: stage, when } = checked;
  const conditions = prefixIssues(["when"], checkMatcher(when, services));
  const earliest = findEarliestStage(rule);
  const message = `Query, body and user are not known at ${stage} yet; the earliest stage for this rule is ${earliest}.`;
  if (isBefore(stage, earliest)) return [...conditions, { path: ["at"], message }];
  const named = findOperations(when, services);
  // What an unknown operation documents is unknown as well.
  if (named.length === 0 && conditions.length > 0) return conditions;
  const actions = listActions(rule).flatMap((action, index) => {
    const place = toActionPath(rule, index);
    const atStage = checkStage(action, checked, named, place);
    const answer = checkProblem(action, named) ?? checkRespond(action, named, settingsOf) ?? [];
    return atStage ?? prefixIssues(place, [answer].flat());
  });
  return [...conditions, ...actions];
}

/** The faults of a rule that cannot be played where only those `faults` can; undefined: all can. */
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

/** Whether the action can happen at the rule's stage; undefined: it can. */
function checkStage(
  action: Action,
  { rule, at: stage }: CheckedRule,
  named: readonly NamedOperation[],
  place: Path,
): readonly ValidationIssue[] | undefined {
  if (needsReply(action) && stage !== "response") {
    const message = `This changes a reply and so needs "at": "response", not "${stage}".`;
    return [{ path: rule.at === undefined ? place : ["at"], message }];
  }
  if (rule.at !== undefined || stage !== "response" || !isTooLate(action, named)) return undefined;
  const message =
    'This would answer when the work is done: another action of the sequence changes a reply, so that all act at "response". Write "at": "response" if that is intended, or two rules.';
  return [{ path: place, message }];
}

/** True for an answer instead of the handler's work, where that work changes something. */
function isTooLate(action: Action, named: readonly NamedOperation[]): boolean {
  const answers = action.problem !== undefined || action.respond !== undefined;
  return answers && named.some(({ operation }) => operation.method !== "get");
}

function checkProblem({ problem }: Action, named: readonly NamedOperation[]): ValidationIssue | undefined {
  if (problem === undefined) return undefined;
  const path = ["problem"];
  if (named.length === 0)
    return { path, message: "No operation is at this path, so none documents a problem. Use respond." };
  return findFirstIssue(named, ({ service, name, operation }) => {
    const documented = listProblems(service, operation);
    if (documented.includes(problem)) return undefined;
    return { path, message: describeUnknown(`problem of ${name}`, problem, documented) };
  });
}

/** Any server can break, whatever it documents: 5xx is always possible. */
function checkRespond(
  { respond, undocumented }: Action,
  named: readonly NamedOperation[],
  settingsOf: GetSettings | undefined,
): ValidationIssue | undefined {
  if (respond === undefined || undocumented === true || respond.status >= 500) return undefined;
  const path = ["respond", "status"];
  const allow = 'Write "undocumented": true next to respond if that is intended.';
  if (named.length === 0)
    return { path, message: `No operation is at this path, so none documents a status. ${allow}` };
  if (settingsOf === undefined) return undefined;
  return findFirstIssue(named, ({ service, name, operation }) => {
    const known = listStatuses(applySettings(service, settingsOf(service)), operation);
    if (known.includes(respond.status)) return undefined;
    const message = `${name} does not document the status ${respond.status}. Known: ${known.join(", ")}. ${allow}`;
    return { path, message };
  });
}

/** What is wrong with the first for which something is. */
function findFirstIssue<T>(items: Iterable<T>, check: (item: T) => ValidationIssue | undefined) {
  for (const item of items) {
    const wrong = check(item);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
