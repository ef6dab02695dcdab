// Owns what the names in a rule mean: every operation, problem, status and environment is held against the services, so
// that a rule that can never fire and an answer that cannot come do not load.

import type { AnyOperation } from "../operation/operation.ts";
import { documentedProblems, documentedStatuses, operationName, type Service } from "../operation/service.ts";
import { unknownName } from "../world/nearest.ts";
import { type CheckedRule, defaultStage, earliestFor, isBefore, needsReply } from "./checked-rule.ts";
import { fieldsAt, type Refuse } from "./complaint.ts";
import { hasName } from "./match.ts";
import { matchesGlob } from "./pattern.ts";
import type { Rule, Step, When } from "./schema.ts";
import type { Path } from "./source.ts";

export type Services = readonly Service[];
type Named = { readonly service: Service; readonly name: string; readonly operation: AnyOperation };

/** The rule with its id and stage. Refuses names that the services do not know, and what cannot happen. */
export function checkRule(
  rule: Rule,
  id: string,
  services: Services,
  base: Path,
  refuse: Refuse,
): CheckedRule {
  const when = rule.when ?? {};
  const at = (...path: Path): Path => [...base, ...path];
  const named = operationsFor(when, services, at("when"), refuse);
  checkFields(when, named, at("when"), refuse);
  const stage = rule.at ?? defaultStage(rule);
  const earliest = earliestFor(rule);
  if (isBefore(stage, earliest))
    refuse(
      `Query, body and user are not known at ${stage} yet; the earliest stage for this rule is ${earliest}.`,
      at("at"),
    );
  const { sequence } = rule.then;
  const steps = sequence ?? [rule.then];
  for (const [index, step] of steps.entries()) {
    const place = sequence === undefined ? at("then") : at("then", "sequence", index);
    if (needsReply(step) && stage !== "response")
      refuse(
        `This changes a reply and so needs "at": "response", not "${stage}".`,
        rule.at === undefined ? place : at("at"),
      );
    checkStep(step, named, place, refuse);
  }
  return { id, at: stage, when, rule };
}

/** All operations that `when` can mean; with neither operation nor path, all there are. */
function operationsFor(when: When, services: Services, base: Path, refuse: Refuse): readonly Named[] {
  const all = services.flatMap((service) =>
    Object.entries(service.operations).map(
      ([key, operation]): Named => ({ service, operation, name: operationName(service, key) }),
    ),
  );
  const named = all.filter(({ name, operation }) => isMeant(when, name, operation));
  for (const [index, name] of [when.operation ?? []].flat().entries()) {
    if (!all.some((one) => matchesGlob(one.name, name))) {
      const place = typeof when.operation === "string" ? [] : [index];
      refuse(
        unknownName(
          "operation",
          name,
          all.map((one) => one.name),
        ),
        [...base, "operation", ...place],
      );
    }
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

function isMeant({ operation: names, method, path }: When, name: string, operation: AnyOperation): boolean {
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
function checkFields(when: When, named: readonly Named[], base: Path, refuse: Refuse): void {
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

function checkStep(step: Step, named: readonly Named[], base: Path, refuse: Refuse): void {
  const { problem, respond, undocumented } = step;
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
  // Any server can break, whatever its documents say: 5xx is never impossible.
  if (respond.status >= 500) return;
  const place = [...base, "respond", "status"];
  const allow = 'Write "undocumented": true beside respond if that is meant.';
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
