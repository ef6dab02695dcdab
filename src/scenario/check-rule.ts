/**
 * Whether a rule fits the services: operations, fields, problems and statuses are checked against declarations,
 * its stage against its conditions, so that no rule loads that never fires or whose answer is impossible.
 */

import { fieldsAt } from "../operation/fields.ts";
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
  type CheckedRule,
  defaultStage,
  earliestFor,
  isBefore,
  needsReply,
  type Rule,
} from "../rules/rule.ts";
import { hasName, type When } from "../rules/when.ts";
import { unknownName } from "../world/nearest.ts";
import { type Refuse, readAll } from "./complaint.ts";

/** The rule with its id and stage. Refuses names that the services do not know, and what cannot happen. */
export function checkRule(
  rule: Rule,
  id: string,
  services: readonly Service[],
  base: Path,
  refuse: Refuse,
): CheckedRule {
  const when = rule.when ?? {};
  const at = (...path: Path): Path => [...base, ...path];
  const named = checkWhen(when, services, at("when"), refuse);
  const stage = rule.at ?? defaultStage(rule);
  const earliest = earliestFor(rule);
  if (isBefore(stage, earliest))
    refuse(
      `Query, body and user are not known at ${stage} yet; the earliest stage for this rule is ${earliest}.`,
      at("at"),
    );
  const { sequence } = rule.then;
  const actions = sequence ?? [rule.then];
  const check = (action: Action, index: number): void => {
    const place = sequence === undefined ? at("then") : at("then", "sequence", index);
    if (needsReply(action) && stage !== "response")
      refuse(
        `This changes a reply and so needs "at": "response", not "${stage}".`,
        rule.at === undefined ? place : at("at"),
      );
    if (rule.at === undefined && stage === "response" && comesTooLate(action, named))
      refuse(
        'This would answer when the work is done: another action of the sequence changes a reply, so that all act at "response". Write "at": "response" if that is intended, or two rules.',
        place,
      );
    checkAction(action, named, place, refuse);
  };
  readAll(actions.map((action, index) => () => check(action, index)));
  return { id, at: stage, when, rule };
}

/** True for an answer instead of the handler's work, where that work changes something. */
function comesTooLate(action: Action, named: readonly NamedOperation[]): boolean {
  const answers = action.problem !== undefined || action.respond !== undefined;
  return answers && named.some(({ operation }) => operation.method !== "get");
}

function checkAction(action: Action, named: readonly NamedOperation[], base: Path, refuse: Refuse): void {
  const { problem, respond, undocumented } = action;
  if (problem !== undefined) {
    if (named.length === 0)
      refuse("No operation is at this path, so none documents a problem. Use respond.", [...base, "problem"]);
    for (const { service, name, operation } of named) {
      const documented = documentedProblems(service, operation);
      if (!documented.includes(problem))
        refuse(unknownName(`problem of ${name}`, problem, documented), [...base, "problem"]);
    }
  }
  if (respond === undefined || undocumented === true) return;
  // Any server can break, whatever it documents: 5xx is always possible.
  if (respond.status >= 500) return;
  const place = [...base, "respond", "status"];
  const allow = 'Write "undocumented": true next to respond if that is intended.';
  if (named.length === 0) refuse(`No operation is at this path, so none documents a status. ${allow}`, place);
  for (const { service, name, operation } of named) {
    const documented = documentedStatuses(service, operation);
    if (!documented.includes(respond.status))
      refuse(
        `${name} does not document the status ${respond.status}. Known: ${documented.join(", ")}. ${allow}`,
        place,
      );
  }
}

/** The operations that the conditions can match. Refuses unknown names, and conditions that never match. */
function checkWhen(
  when: When,
  services: readonly Service[],
  base: Path,
  refuse: Refuse,
): readonly NamedOperation[] {
  checkPath(when.path, services, [...base, "path"], refuse);
  const named = operationsFor(when, services, base, refuse);
  checkFields(when, named, base, refuse);
  checkTexts(when, base, refuse);
  return named;
}

function checkPath(
  path: string | undefined,
  services: readonly Service[],
  place: Path,
  refuse: Refuse,
): void {
  if (path === undefined) return;
  const environments = services.flatMap(({ environments }) => environments);
  const environment = environments.find(({ base }) => path.startsWith(`${base}/`));
  if (environment !== undefined) {
    const within = path.slice(environment.base.length);
    refuse(`A path is relative to the base address: write ${JSON.stringify(within)}.`, place);
  }
  const plain = path.replaceAll(/\{[^/]*\}/g, "*");
  if (plain !== path)
    refuse(
      `No request has braces in its path: write ${JSON.stringify(plain)}, or name the operation.`,
      place,
    );
}

/** An object without operators matches only objects, never a text. */
function checkTexts({ headers = {}, params = {}, user, accept }: When, base: Path, refuse: Refuse): void {
  const texts = [
    ...Object.entries(headers).map(([name, matcher]) => ["A header", matcher, ["headers", name]] as const),
    ...Object.entries(params).map(([name, matcher]) => ["A parameter", matcher, ["params", name]] as const),
    ["The user", user, ["user"]] as const,
    ["The Accept header", accept, ["accept"]] as const,
  ];
  for (const [what, matcher, place] of texts) {
    const isObject = typeof matcher === "object" && matcher !== null && !Array.isArray(matcher);
    if (isObject && !hasOperators(matcher))
      refuse(
        `${what} is a text, never an object: conditions on it are operators such as { "$contains": "…" }.`,
        [...base, ...place],
      );
  }
}

/** All operations that `when` can match; with neither operation nor path, all there are. */
function operationsFor(
  when: When,
  services: readonly Service[],
  base: Path,
  refuse: Refuse,
): readonly NamedOperation[] {
  const all = namedOperations(services);
  const named = all.filter(({ name, operation }) => couldBe(when, name, operation));
  for (const [index, name] of [when.operation ?? []].flat().entries()) {
    if (all.some((one) => matchesGlob(one.name, name))) continue;
    const place = [...base, "operation", ...(typeof when.operation === "string" ? [] : [index])];
    const known = all.map((one) => one.name);
    const whole = known.find((one) => one.endsWith(`.${name}`));
    refuse(
      whole === undefined
        ? unknownName("operation", name, known)
        : `Unknown operation ${JSON.stringify(name)}. Did you mean ${JSON.stringify(whole)}?`,
      place,
    );
  }
  const environments = services.flatMap((service) =>
    service.environments.map(({ key }) => ({ key, service })),
  );
  for (const glob of [when.environment ?? []].flat()) {
    const found = environments.filter(({ key }) => matchesGlob(key, glob));
    if (found.length === 0)
      refuse(
        unknownName(
          "environment",
          glob,
          environments.map(({ key }) => key),
        ),
        [...base, "environment"],
      );
  }
  if (when.environment === undefined) return named;
  const { environment } = when;
  const there = named.filter(({ service }) =>
    service.environments.some(({ key }) => hasName(key, environment)),
  );
  if (there.length === 0)
    refuse("None of these operations is served in that environment.", [...base, "environment"]);
  return there;
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
function checkFields(when: When, named: readonly NamedOperation[], base: Path, refuse: Refuse): void {
  if (when.operation === undefined) return;
  const parts = [
    ["body", when.body, (operation: AnyOperation) => operation.request.body],
    ["query", when.query, (operation: AnyOperation) => operation.request.query],
    ["params", when.params, (operation: AnyOperation) => operation.request.params],
  ] as const;
  for (const [part, given, schemaOf] of parts) {
    if (typeof given !== "object" || given === null || Array.isArray(given)) continue;
    const schemas = named
      .map(({ operation }) => schemaOf(operation))
      .filter((schema) => schema !== undefined);
    if (schemas.length === 0) refuse(`${when.operation} has no ${part}.`, [...base, part], "key");
    const known = [...new Set(schemas.flatMap((schema) => fieldsAt(schema, [])))];
    const unknown = Object.keys(given).find(
      (key) => !key.startsWith("$") && !known.includes(key.replace(/\[\]$/, "")),
    );
    if (unknown !== undefined && known.length > 0)
      refuse(unknownName(`field of the ${part}`, unknown, known), [...base, part, unknown], "key");
    if (unknown !== undefined && part !== "body")
      refuse(`${when.operation} has no ${part}.`, [...base, part], "key");
  }
}
