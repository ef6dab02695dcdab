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
  name: text("Name of the scenario."),
  title: text("Purpose of the scenario, in one line.").optional(),
  rules: texts("Ids of the scenario's rules."),
});
export const RuleUpdateInput = z
  .object({
    enabled: flag("`false` disables the rule, `true` enables it.").optional(),
    before: z
      .string()
      .nullable()
      .describe("Moves the rule in front of the rule with this id. `null`: moves it to the end.")
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
  ok: flag("`true` if there are no errors."),
  mistakes: list(CheckIssue).describe("The errors."),
});
export const QuestionInput = model("Question", {
  method: text("GET, POST, …"),
  path: text("Path, with or without the base path of the service. `{eventId}` gets an example value."),
  headers: z.record(z.string(), z.string()).describe("Headers. Default: valid credentials.").optional(),
  body: z.unknown().describe("JSON body. Default: a valid example.").optional(),
});
const SentBytes = z.object({ bytes: count("Bytes sent."), of: count("Bytes of the whole body.") });
const RuleVerdict = z.object({
  rule: text("The id of the rule."),
  applied: flag("Whether the rule would apply to the request."),
  why: text("Why the rule applies, or does not apply."),
});
export const ExplanationView = model("Explanation", {
  method: text("The method of the request."),
  path: text("Path of the request, relative to the base URL of its service."),
  operation: text("Name of the operation, such as `museum.listSpecialEvents`.").optional(),
  status: count("The status that the client would receive.").optional(),
  problem: text("Key of the problem in the response, such as `eventNotFound`.").optional(),
  fault: text("Fault that would break the connection, such as `reset`.").optional(),
  made: count("Status that the service produced, if the client received no response.").optional(),
  sent: SentBytes.describe("Part of the body that would be sent, if a fault truncates it.").optional(),
  rules: list(RuleVerdict).describe("All rules, in order of evaluation."),
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
