/** What there is to name: in rules, settings, scenarios and logins. */

import type { OperationView } from "../../sandbox/views.ts";
import { verb } from "../endpoint.ts";
import { Assumptions, Credentials, Operations, Presets, SettingViews } from "../schemas/catalogue.ts";

export const catalogue = {
  listPresets: verb({
    route: "GET /presets",
    summary: "List the scenarios that come with the package",
    description: "Each can be applied by its name.",
    tag: "catalogue",
    answer: Presets,
    run: ({ sandbox }) => sandbox.catalogue.presets(),
    verbs: { "catalogue.presets": {} },
  }),

  listOperations: verb({
    route: "GET /operations",
    summary: "List the operations, each with every answer that it documents",
    description: "Each answer has the rule that brings it about, once.",
    tag: "catalogue",
    answer: Operations,
    run: ({ sandbox }) => sandbox.catalogue.operations(),
    // Their rules are those of the grammar.
    verbs: { "catalogue.operations": { result: (found) => found as object as readonly OperationView[] } },
  }),

  listSettings: verb({
    route: "GET /settings",
    summary: "List the settings, with their values now",
    description: "A scenario changes them, under `settings`.",
    tag: "catalogue",
    answer: SettingViews,
    run: ({ sandbox }) => sandbox.catalogue.settings(),
    verbs: { "catalogue.settings": {} },
  }),

  listCredentials: verb({
    route: "GET /credentials",
    summary: "List who can call the services, and with what",
    description: "They work as they are: in HTTP Basic for the museum, in a login for the account.",
    tag: "catalogue",
    answer: Credentials,
    run: ({ sandbox }) => sandbox.catalogue.credentials(),
    verbs: { "catalogue.credentials": {} },
  }),

  listAssumptions: verb({
    route: "GET /assumptions",
    summary: "List what the services' documents leave open, and what is served",
    description: "Each with the setting that changes it, where there is one.",
    tag: "catalogue",
    answer: Assumptions,
    run: ({ sandbox }) => sandbox.catalogue.assumptions(),
    verbs: { "catalogue.assumptions": {} },
  }),
};
