/**
 * Whether a rule fits the services: operations, fields, problems and statuses are checked against declarations,
 * its stage against its conditions, so that no rule loads that never fires or whose answer is impossible.
 */

import { fieldsAt } from "../operation/fields.ts";
import { issuesUnder, type ValidationIssue } from "../operation/issue.ts";
import type { AnyOperation } from "../operation/operation.ts";
import type { Path } from "../operation/path.ts";
import {
  documentedProblems,
  documentedStatuses,
  type NamedOperation,
  namedOperations,
  type Service,
} from "../operation/service.ts";
import type { Action } from "../rules/action.ts";
import { hasOperators } from "../rules/matcher.ts";
import { matchesGlob } from "../rules/pattern.ts";
import {
  actionsOf,
  type CheckedRule,
  defaultStage,
  earliestFor,
  isBefore,
  needsReply,
  type Rule,
} from "../rules/rule.ts";
import { hasName, type When } from "../rules/when.ts";
import { unknownName } from "../world/nearest.ts";

/** A rule with its id and stage. */
export function toCheckedRule(rule: Rule, id: string): CheckedRule {
  return { id, at: rule.at ?? defaultStage(rule), when: rule.when ?? {}, rule };
}

/** Names that the services do not know, and what cannot happen: the first in the conditions, else one in each action. */
export function checkRule(checked: CheckedRule, services: readonly Service[]): readonly ValidationIssue[] {
  const { rule, at: stage, when } = checked;
  const named = operationsFor(when, services);
  const wrong =
    checkPath(when, services) ??
    checkOperations(when, services) ??
    checkEnvironments(when, named, services) ??
    checkFields(when, named) ??
    checkTexts(when);
  if (wrong !== undefined) return issuesUnder(["when"], [wrong]);
  const earliest = earliestFor(rule);
  const message = `Query, body and user are not known at ${stage} yet; the earliest stage for this rule is ${earliest}.`;
  if (isBefore(stage, earliest)) return [{ path: ["at"], message }];
  return actionsOf(rule).flatMap((action, index) => {
    const place = rule.then.sequence === undefined ? ["then"] : ["then", "sequence", index];
    const atStage = checkStage(action, checked, named, place);
    return (
      atStage ?? issuesUnder(place, [checkProblem(action, named) ?? checkRespond(action, named) ?? []].flat())
    );
  });
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
  if (rule.at !== undefined || stage !== "response" || !comesTooLate(action, named)) return undefined;
  const message =
    'This would answer when the work is done: another action of the sequence changes a reply, so that all act at "response". Write "at": "response" if that is intended, or two rules.';
  return [{ path: place, message }];
}

/** True for an answer instead of the handler's work, where that work changes something. */
function comesTooLate(action: Action, named: readonly NamedOperation[]): boolean {
  const answers = action.problem !== undefined || action.respond !== undefined;
  return answers && named.some(({ operation }) => operation.method !== "get");
}

function checkProblem({ problem }: Action, named: readonly NamedOperation[]): ValidationIssue | undefined {
  if (problem === undefined) return undefined;
  const path = ["problem"];
  if (named.length === 0)
    return { path, message: "No operation is at this path, so none documents a problem. Use respond." };
  return firstOf(named, ({ service, name, operation }) => {
    const documented = documentedProblems(service, operation);
    if (documented.includes(problem)) return undefined;
    return { path, message: unknownName(`problem of ${name}`, problem, documented) };
  });
}

/** Any server can break, whatever it documents: 5xx is always possible. */
function checkRespond(
  { respond, undocumented }: Action,
  named: readonly NamedOperation[],
): ValidationIssue | undefined {
  if (respond === undefined || undocumented === true || respond.status >= 500) return undefined;
  const path = ["respond", "status"];
  const allow = 'Write "undocumented": true next to respond if that is intended.';
  if (named.length === 0)
    return { path, message: `No operation is at this path, so none documents a status. ${allow}` };
  return firstOf(named, ({ service, name, operation }) => {
    const known = documentedStatuses(service, operation);
    if (known.includes(respond.status)) return undefined;
    const message = `${name} does not document the status ${respond.status}. Known: ${known.join(", ")}. ${allow}`;
    return { path, message };
  });
}

function checkPath({ path }: When, services: readonly Service[]): ValidationIssue | undefined {
  if (path === undefined) return undefined;
  const environments = services.flatMap((service) => service.environments);
  const environment = environments.find(({ base }) => path.startsWith(`${base}/`));
  if (environment !== undefined) {
    const within = path.slice(environment.base.length);
    const message = `A path is relative to the base address: write ${JSON.stringify(within)}.`;
    return { path: ["path"], message };
  }
  const plain = path.replaceAll(/\{[^/]*\}/g, "*");
  if (plain === path) return undefined;
  const message = `No request has braces in its path: write ${JSON.stringify(plain)}, or name the operation.`;
  return { path: ["path"], message };
}

/** An object without operators matches only objects, never a text. */
function checkTexts({ headers = {}, params = {}, user, accept }: When): ValidationIssue | undefined {
  const texts = [
    ...Object.entries(headers).map(([name, matcher]) => ["A header", matcher, ["headers", name]] as const),
    ...Object.entries(params).map(([name, matcher]) => ["A parameter", matcher, ["params", name]] as const),
    ["The user", user, ["user"]] as const,
    ["The Accept header", accept, ["accept"]] as const,
  ];
  return firstOf(texts, ([what, matcher, path]) => {
    const isObject = typeof matcher === "object" && matcher !== null && !Array.isArray(matcher);
    if (!isObject || hasOperators(matcher)) return undefined;
    const message = `${what} is a text, never an object: conditions on it are operators such as { "$contains": "…" }.`;
    return { path, message };
  });
}

/** All operations that `when` can match; with neither operation nor path, all there are. */
function operationsFor(when: When, services: readonly Service[]): readonly NamedOperation[] {
  const { environment } = when;
  return namedOperations(services).filter(
    ({ service, name, operation }) =>
      couldBe(when, name, operation) &&
      (environment === undefined || service.environments.some(({ key }) => hasName(key, environment))),
  );
}

function checkOperations({ operation }: When, services: readonly Service[]): ValidationIssue | undefined {
  const known = namedOperations(services).map(({ name }) => name);
  return firstOf([operation ?? []].flat().entries(), ([index, name]) => {
    if (known.some((one) => matchesGlob(one, name))) return undefined;
    const whole = known.find((one) => one.endsWith(`.${name}`));
    const message =
      whole === undefined
        ? unknownName("operation", name, known)
        : `Unknown operation ${JSON.stringify(name)}. Did you mean ${JSON.stringify(whole)}?`;
    return { path: ["operation", ...(typeof operation === "string" ? [] : [index])], message };
  });
}

function checkEnvironments(
  { environment }: When,
  named: readonly NamedOperation[],
  services: readonly Service[],
): ValidationIssue | undefined {
  const keys = services.flatMap(({ environments }) => environments.map(({ key }) => key));
  const path = ["environment"];
  const unknown = [environment ?? []].flat().find((glob) => !keys.some((key) => matchesGlob(key, glob)));
  if (unknown !== undefined) return { path, message: unknownName("environment", unknown, keys) };
  if (environment === undefined || named.length > 0) return undefined;
  return { path, message: "None of these operations is served in that environment." };
}

function couldBe({ operation: names, method, path }: When, name: string, operation: AnyOperation): boolean {
  if (names !== undefined) return hasName(name, names);
  if (method !== undefined && method.toLowerCase() !== (method === "HEAD" ? "head" : operation.method))
    return false;
  if (path === undefined) return true;
  if (path.includes("*")) return matchesGlob(operation.path, path);
  const parts = path.split("/");
  const template = operation.path.split("/");
  return (
    parts.length === template.length &&
    template.every((one, index) => one.startsWith("{") || one === parts[index])
  );
}

/** Fields of body, query and path that none of the named operations has can only be typing mistakes. */
function checkFields(when: When, named: readonly NamedOperation[]): ValidationIssue | undefined {
  if (when.operation === undefined) return undefined;
  return firstOf(["body", "query", "params"] as const, (part) => {
    const given = when[part];
    if (typeof given !== "object" || given === null || Array.isArray(given)) return undefined;
    const schemas = named
      .map(({ operation }) => operation.request[part])
      .filter((schema) => schema !== undefined);
    const known = [...new Set(schemas.flatMap((schema) => fieldsAt(schema, [])))];
    const unknown = Object.keys(given).find(
      (key) => !key.startsWith("$") && !known.includes(key.replace(/\[\]$/, "")),
    );
    if (schemas.length === 0 || (unknown !== undefined && known.length === 0 && part !== "body"))
      return { path: [part], kind: "unknown", message: `${when.operation} has no ${part}.` };
    if (unknown === undefined || known.length === 0) return undefined;
    const message = unknownName(`field of the ${part}`, unknown, known);
    return { path: [part, unknown], kind: "unknown", message };
  });
}

/** What is wrong with the first for which something is. */
function firstOf<T>(
  items: Iterable<T>,
  check: (item: T) => ValidationIssue | undefined,
): ValidationIssue | undefined {
  for (const item of items) {
    const wrong = check(item);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
