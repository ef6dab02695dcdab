/** Endpoints that list the names for rules, settings, scenarios and logins. */

import type { OperationView } from "../../sandbox/views.ts";
import { defineEndpoint } from "../endpoint.ts";
import {
  AssumptionList,
  CredentialList,
  OperationList,
  PresetList,
  SettingList,
} from "../schemas/catalogue.ts";
import { view } from "../schemas/parts.ts";

export const catalogue = {
  listPresets: defineEndpoint({
    route: "GET /presets",
    summary: "List presets",
    description: "Use their names to apply them.",
    tag: "catalogue",
    answer: PresetList,
    run: ({ sandbox }) => sandbox.catalogue.presets(),
    methods: { "catalogue.presets": {} },
  }),

  listOperations: defineEndpoint({
    route: "GET /operations",
    summary: "List operations and documented responses",
    description: "A rule for each response triggers that response once.",
    tag: "catalogue",
    query: { view },
    answer: OperationList,
    run: ({ sandbox }) => sandbox.catalogue.operations(),
    // Safe cast: the sandbox built the rules, so they have the type `RuleInput`.
    methods: { "catalogue.operations": { result: (found) => found as object as readonly OperationView[] } },
  }),

  listSettings: defineEndpoint({
    route: "GET /settings",
    summary: "List settings and their values",
    description: "A scenario changes them in `settings`.",
    tag: "catalogue",
    answer: SettingList,
    run: ({ sandbox }) => sandbox.catalogue.settings(),
    methods: { "catalogue.settings": {} },
  }),

  listCredentials: defineEndpoint({
    route: "GET /credentials",
    summary: "List users and credentials",
    description: "Use them in HTTP Basic for the museum, and in a login for the account.",
    tag: "catalogue",
    answer: CredentialList,
    run: ({ sandbox }) => sandbox.catalogue.credentials(),
    methods: { "catalogue.credentials": {} },
  }),

  listAssumptions: defineEndpoint({
    route: "GET /assumptions",
    summary: "List assumptions",
    description: "Includes the setting that changes the assumption, if any.",
    tag: "catalogue",
    answer: AssumptionList,
    run: ({ sandbox }) => sandbox.catalogue.assumptions(),
    methods: { "catalogue.assumptions": {} },
  }),
};
