/** Schemas for the lists of presets, operations, settings, credentials and assumptions. */

import { z } from "zod";
import { count, list, model, text } from "./parts.ts";
import { RuleBody } from "./scenario.ts";

export const PresetList = list(
  model("Preset", {
    name: text("`name` of `PUT /scenario`."),
    title: text("Its purpose, in one line."),
    description: text("Description of its effects.").optional(),
  }),
);
const OutcomeView = z.object({
  status: count("The status of the response."),
  problem: text("Key of the problem. Absent for a success.").optional(),
  title: text("The meaning."),
  source: text("Document and section."),
  rule: RuleBody,
});
export const OperationList = list(
  model("Operation", {
    name: text("The name in rules: `museum.createSpecialEvent`."),
    service: text("museum or account."),
    method: text("GET, POST, …"),
    path: text("Path relative to the service, with path parameters in braces."),
    summary: text("Its effect, in one line."),
    outcomes: list(OutcomeView).describe("Documented responses, each with a rule that triggers it once."),
  }),
);
export const SettingList = list(
  model("Setting", {
    name: text("The name in scenarios: `museum.strict`."),
    description: text("Its effect."),
    value: z.unknown().describe("The current value.").optional(),
    default: z.unknown().describe("The default value.").optional(),
  }),
);
export const CredentialList = list(
  model("Credentials", {
    environment: text("The environment that accepts them."),
    user: text("The name of the user."),
    password: text("The password in plain text."),
    any: z.literal(true).describe("Present if any other pair is accepted too.").optional(),
  }),
);
export const AssumptionList = list(
  model("Assumption", {
    service: text("museum or account."),
    id: text("Id of the point within the service, as `vitrine assumptions` prints it."),
    point: text("The question that the documents of the service leave open."),
    served: text("The behavior of the sandbox."),
    setting: text("The setting that changes it.").optional(),
  }),
);
