/** What there is to name. */

import { z } from "zod";
import { count, list, model, text } from "./parts.ts";
import { RuleBody } from "./scenario.ts";

export const PresetList = list(
  model("Preset", {
    name: text("What `PUT /scenario` takes as `name`."),
    title: text("What it is about, in one line."),
    description: text("What happens in it.").optional(),
  }),
);
const OutcomeView = z.object({
  status: count("The status of the answer."),
  problem: text("Key of the problem; left out: a success.").optional(),
  title: text("What it means."),
  source: text("Document and section that say so."),
  rule: RuleBody,
});
export const OperationList = list(
  model("Operation", {
    name: text("The name in rules: `museum.createSpecialEvent`."),
    service: text("museum or account."),
    method: text("GET, POST, …"),
    path: text("Within the service, with path parameters in braces."),
    summary: text("What it does, in one line."),
    outcomes: list(OutcomeView).describe(
      "Every documented answer, each with the rule that brings it about, once.",
    ),
  }),
);
export const SettingList = list(
  model("Setting", {
    name: text("The name in scenarios: `museum.strict`."),
    description: text("What it changes."),
    value: z.unknown().describe("Its value now.").optional(),
    default: z.unknown().describe("Its value where nothing is set.").optional(),
  }),
);
export const CredentialList = list(
  model("Credentials", {
    environment: text("The environment that takes them."),
    user: text("The name of the user."),
    password: text("The password, as it is sent."),
    any: z.literal(true).describe("Any other pair is as good.").optional(),
  }),
);
export const AssumptionList = list(
  model("Assumption", {
    service: text("museum or account."),
    point: text("What its documents leave open."),
    served: text("What the sandbox does."),
    setting: text("The setting that changes it.").optional(),
  }),
);
