/** Schemas of scenarios, rules and gates. They accept any object as a rule or scenario, because the sandbox validates it later. */

import { z } from "zod";
import { count, flag, list, model, text, texts } from "./parts.ts";

export const RuleBody = z.record(z.string(), z.unknown()).meta({
  id: "Rule",
  description:
    "A rule as in a scenario: `when` is the condition, `then` the effect, `limit` the number of uses.",
});
const ScenarioValue = z.record(z.string(), z.unknown());
export const ScenarioBody = z.union([ScenarioValue, list(z.union([z.string(), ScenarioValue]))]).meta({
  id: "ScenarioInput",
  description: "{ name } of one or several presets, a whole scenario, or a list of names and scenarios.",
});
export const ScenarioView = model("Scenario", {
  name: text("The name of the active scenario. Default: `default`."),
  title: text("Its purpose, in one line.").optional(),
  rules: texts("The ids of its rules."),
});
export const RuleUpdateInput = z
  .object({
    enabled: flag("`false` disables the rule, `true` enables it.").optional(),
    before: z
      .string()
      .nullable()
      .describe("Id of the rule that it moves in front of. `null`: it moves to the end.")
      .optional(),
    rule: RuleBody.optional(),
  })
  .refine((change) => Object.keys(change).length > 0, "needs enabled, before or rule")
  .meta({ id: "RuleUpdate" });
export const CheckInput = model("Check", { rule: RuleBody.optional(), scenario: ScenarioBody.optional() });
const CheckIssue = z.object({
  message: text("The error, and how to fix it."),
  pointer: text("JSON Pointer to the error.").optional(),
});
export const CheckView = model("CheckReport", {
  ok: flag("Whether it can be used now."),
  mistakes: list(CheckIssue).describe("All errors."),
});
export const QuestionInput = model("Question", {
  method: text("GET, POST, …"),
  path: text("With or without the base path. Path parameters in braces are filled in."),
  headers: z.record(z.string(), z.string()).describe("Default: valid credentials.").optional(),
  body: z.unknown().describe("The JSON body. Default: a valid one.").optional(),
});
const SentBytes = z.object({ bytes: count("Number of bytes sent."), of: count("Size of the body.") });
const RuleVerdict = z.object({
  rule: text("The id of the rule."),
  applied: flag("Whether the rule would apply to the request."),
  why: text("The reason."),
});
export const ExplanationView = model("Explanation", {
  method: text("The method of the request."),
  path: text("The path of the request, within its service."),
  operation: text("The operation that matches: `museum.listSpecialEvents`.").optional(),
  status: count("The status that the client would receive.").optional(),
  problem: text("Key of the problem that would be returned.").optional(),
  fault: text("The fault that would occur.").optional(),
  made: count("The status of a response that would not be sent.").optional(),
  sent: SentBytes.describe("How much of the body would be sent, if a fault truncates it.").optional(),
  rules: list(RuleVerdict).describe("Every rule, in order of evaluation."),
});
export const RuleIdView = model("RuleAdded", { id: text("The id of the rule.") });
export const RuleView = z
  .looseObject({
    id: text("The id of the rule."),
    origin: text("`run time` or `scenario`."),
    enabled: flag("`false` if the rule is disabled."),
    matched: count("Number of requests that it matched."),
    acted: count("Number of requests that it applied to."),
  })
  .meta({ id: "RuleStatus" });
export const GateWaitView = model("Waiting", {
  gate: text("The name of the gate."),
  exchange: count("The number of the paused exchange."),
});
export const ReleaseInput = model("ReleaseInput", {
  exchange: count("The number of the exchange to release. Default: all.").optional(),
});
export const ReleaseView = model("Released", { released: count("Number of released exchanges.") });
export const RemovedView = model("RemovedScenario", { message: text("What was removed, and what stays.") });
