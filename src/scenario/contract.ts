// Owns whether a rule fits the services: every problem and status is held against the operations it is for, and its stage
// against its conditions and steps, so that an answer that cannot come does not load.

import {
  documentedProblems,
  documentedStatuses,
  type NamedOperation,
  type Service,
} from "../operation/service.ts";
import { unknownName } from "../world/nearest.ts";
import { type CheckedRule, defaultStage, earliestFor, isBefore, needsReply } from "./checked-rule.ts";
import type { Refuse } from "./complaint.ts";
import { checkWhen } from "./contract-of-when.ts";
import { readAll } from "./mistakes.ts";
import type { Rule } from "./schema.ts";
import type { Path } from "./source.ts";
import type { Step } from "./step.ts";

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
  const steps = sequence ?? [rule.then];
  const check = (step: Step, index: number): void => {
    const place = sequence === undefined ? at("then") : at("then", "sequence", index);
    if (needsReply(step) && stage !== "response")
      refuse(
        `This changes a reply and so needs "at": "response", not "${stage}".`,
        rule.at === undefined ? place : at("at"),
      );
    if (rule.at === undefined && stage === "response" && comesTooLate(step, named))
      refuse(
        'This would answer when the work is done: another step of the sequence changes a reply, so that all act at "response". Write "at": "response" if that is meant, or two rules.',
        place,
      );
    checkStep(step, named, place, refuse);
  };
  readAll(steps.map((step, index) => () => check(step, index)));
  return { id, at: stage, when, rule };
}

/** True for an answer instead of the work, where the work changes something. */
function comesTooLate(step: Step, named: readonly NamedOperation[]): boolean {
  const answers = step.problem !== undefined || step.respond !== undefined;
  return answers && named.some(({ operation }) => operation.method !== "get");
}

function checkStep(step: Step, named: readonly NamedOperation[], base: Path, refuse: Refuse): void {
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
