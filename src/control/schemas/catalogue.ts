/** Schemas for the lists of presets, operations, settings, credentials and assumptions. */

import { z } from "zod";
import { count, list, model, text } from "./parts.ts";
import { RuleBody } from "./scenario.ts";

export const PresetList = list(
  model("Preset", {
    name: text("Name of the preset, such as `expired-token`."),
    title: text("Purpose of the preset, in one line."),
    description: text("What the preset changes.").optional(),
  }),
);
const OutcomeView = z.object({
  status: count("The status of the response."),
  problem: text("Key of the problem. Absent for a successful response.").optional(),
  title: text("Meaning of the response."),
  source: text("Document and section that describe the response, and assumptions."),
  rule: RuleBody,
});
export const OperationList = list(
  model("Operation", {
    name: text("Name of the operation, such as `museum.createSpecialEvent`."),
    service: text("`museum` or `account`."),
    method: text("GET, POST, …"),
    path: text("Path relative to the service, with path parameters in braces."),
    summary: text("What the operation does, in one line."),
    outcomes: list(OutcomeView).describe("Documented responses, each with a rule that triggers it once."),
  }),
);
export const SettingList = list(
  model("Setting", {
    name: text("Name of the setting, such as `museum.strict`."),
    description: text("Effect of the setting."),
    value: z.unknown().describe("The current value.").optional(),
    default: z.unknown().describe("The default value.").optional(),
  }),
);
export const CredentialList = list(
  model("Credentials", {
    environment: text("The environment that accepts the credentials."),
    user: text("The name of the user."),
    password: text("The password in plain text."),
    any: z.literal(true).describe("Present if all other user names and passwords are also valid.").optional(),
  }),
);
export const AssumptionList = list(
  model("Assumption", {
    service: text("`museum` or `account`."),
    id: text("Id of the assumption, as `vitrine assumptions` prints it after the service."),
    point: text("The question that the documents of the service do not answer."),
    served: text("The assumed behavior, which is the default of the sandbox."),
    setting: text("Name of the setting that changes the behavior, if any.").optional(),
  }),
);
