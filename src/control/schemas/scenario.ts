/** Scenarios, rules and gates. Rules and scenarios are checked against their grammar, which reports errors more precisely. */

import { z } from "zod";
import { count, flag, list, model, text, texts } from "./parts.ts";

export const RuleBody = z.record(z.string(), z.unknown()).meta({
  id: "Rule",
  description: "`when` it acts, `then` what it does, `limit` how often; as rules of scenarios are written.",
});
const ScenarioValue = z.record(z.string(), z.unknown());
export const ScenarioBody = z.union([ScenarioValue, list(z.union([z.string(), ScenarioValue]))]).meta({
  id: "ScenarioInput",
  description: "{ name } of a preset or of several, or a whole scenario, or a list of names and scenarios.",
});
export const ScenarioView = model("Scenario", {
  name: text("The name of the scenario in force; without one: default."),
  title: text("What it is about, in one line.").optional(),
  rules: texts("The ids of its rules."),
});
export const RuleUpdateInput = z
  .object({
    enabled: flag("false switches it off, true on again.").optional(),
    before: z.string().nullable().describe("Id of the rule that it is to precede; null: the end.").optional(),
    rule: RuleBody.optional(),
  })
  .refine((change) => Object.keys(change).length > 0, "needs enabled, before or rule")
  .meta({ id: "RuleUpdate" });
export const CheckInput = model("Check", { rule: RuleBody.optional(), scenario: ScenarioBody.optional() });
const CheckIssue = z.object({
  message: text("What is wrong, and what would be right."),
  pointer: text("JSON pointer to the place of it.").optional(),
});
export const CheckView = model("CheckReport", {
  ok: flag("Whether it could be used now."),
  mistakes: list(CheckIssue).describe("Everything that is wrong."),
});
export const QuestionInput = model("Question", {
  method: text("GET, POST, …"),
  path: text("With or without the base address; path parameters in braces are filled in."),
  headers: z.record(z.string(), z.string()).describe("Left out: those of a valid caller.").optional(),
  body: z.unknown().describe("The JSON body; left out: a valid one.").optional(),
});
const SentBytes = z.object({ bytes: count("How many were sent."), of: count("How many there were.") });
const RuleVerdict = z.object({
  rule: text("The id of the rule."),
  applied: flag("Whether it would act."),
  why: text("The reason."),
});
export const ExplanationView = model("Explanation", {
  method: text("The method of the request."),
  path: text("The path of the request, within its service."),
  operation: text("The operation that would take it: `museum.listSpecialEvents`.").optional(),
  status: count("The status that the client would be sent.").optional(),
  problem: text("Key of the problem that would be answered.").optional(),
  fault: text("What would break on the wire.").optional(),
  made: count("The status of an answer that would never leave.").optional(),
  sent: SentBytes.describe("How many bytes of the body would leave, where a fault cuts it off.").optional(),
  rules: list(RuleVerdict).describe("Every rule in the order in which they are asked."),
});
export const RuleIdView = model("RuleAdded", { id: text("The id of the rule, given or new.") });
export const RuleView = z
  .looseObject({
    id: text("The id of the rule."),
    origin: text("`run time` or `scenario`."),
    enabled: flag("false while it is switched off."),
    matched: count("How many requests it matched."),
    acted: count("On how many of them it acted."),
  })
  .meta({ id: "RuleStatus" });
export const GateWaitView = model("Waiting", {
  gate: text("The name of the gate."),
  exchange: count("The number of the exchange that waits there."),
});
export const ReleaseInput = model("ReleaseInput", {
  exchange: count("The number of the only one to release; left out: all.").optional(),
});
export const ReleaseView = model("Released", { released: count("How many exchanges went on.") });
export const RemovedView = model("RemovedScenario", { message: text("What is removed, and what stays.") });
