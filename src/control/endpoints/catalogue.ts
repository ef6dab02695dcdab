/** What there is to name: in rules, settings, scenarios and logins. */

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
    summary: "List the presets",
    description: "Each can be applied by its name.",
    tag: "catalogue",
    answer: PresetList,
    run: ({ sandbox }) => sandbox.catalogue.presets(),
    methods: { "catalogue.presets": {} },
  }),

  listOperations: defineEndpoint({
    route: "GET /operations",
    summary: "List the operations with their documented responses",
    description: "Each answer has the rule that brings it about, once.",
    tag: "catalogue",
    query: { view },
    answer: OperationList,
    run: ({ sandbox }) => sandbox.catalogue.operations(),
    // Their rules are those of the grammar.
    methods: { "catalogue.operations": { result: (found) => found as object as readonly OperationView[] } },
  }),

  listSettings: defineEndpoint({
    route: "GET /settings",
    summary: "List the settings with their current values",
    description: "A scenario changes them, under `settings`.",
    tag: "catalogue",
    answer: SettingList,
    run: ({ sandbox }) => sandbox.catalogue.settings(),
    methods: { "catalogue.settings": {} },
  }),

  listCredentials: defineEndpoint({
    route: "GET /credentials",
    summary: "List the users with their credentials",
    description: "They work as they are: in HTTP Basic for the museum, in a login for the account.",
    tag: "catalogue",
    answer: CredentialList,
    run: ({ sandbox }) => sandbox.catalogue.credentials(),
    methods: { "catalogue.credentials": {} },
  }),

  listAssumptions: defineEndpoint({
    route: "GET /assumptions",
    summary: "List the assumptions",
    description: "Each with the setting that changes it, where there is one.",
    tag: "catalogue",
    answer: AssumptionList,
    run: ({ sandbox }) => sandbox.catalogue.assumptions(),
    methods: { "catalogue.assumptions": {} },
  }),
};
