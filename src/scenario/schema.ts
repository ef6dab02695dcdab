// Owns the grammar of scenarios: one strict schema that reads a file, `sandbox.use(rule)` and the control API, and from
// which the published JSON Schema is made. The parts of a rule (`when`, `limit`, `then`) have files of their own; what
// names mean is checked against the services in contract.ts.

import { z } from "zod";
import { Limit } from "./limit.ts";
import { Then } from "./step.ts";
import { When } from "./when.ts";
import { instant, name } from "./words.ts";

export const STAGES = ["edge", "handler", "response"] as const;
export const MOST_RULES = 1_000;
export const Rule = z.strictObject({
  id: name.optional().meta({ description: "Names the rule in journal and messages. Unique." }),
  title: z.string().optional(),
  when: When.optional().meta({ description: "Which exchanges. Left out: all." }),
  limit: Limit.optional().meta({ description: "How often." }),
  at: z
    .enum(STAGES)
    .optional()
    .meta({ description: "Where in the life of a request. Default: as the effect needs." }),
  then: Then.meta({ description: "What happens." }),
});
export type Rule = z.output<typeof Rule>;
/** One rule as it is written. */
export type RuleInput = z.input<typeof Rule>;

/** What a scenario does to one collection of base data, in this order. */
export const DataChange = z
  .strictObject({
    replace: z.array(z.json()).optional().meta({ description: "Leaves exactly these." }),
    generate: z
      .int()
      .min(0)
      .max(10_000)
      .optional()
      .meta({ description: "Leaves so many new ones, made from the seed." }),
    upsert: z
      .array(z.json())
      .optional()
      .meta({ description: "Adds these, or replaces those with the same key." }),
    remove: z.array(z.string()).optional().meta({ description: "Removes by key." }),
  })
  .superRefine((change, context) => {
    if (change.replace !== undefined && change.generate !== undefined)
      context.addIssue({ code: "custom", path: ["generate"], message: "replace or generate, not both." });
  });
export type DataChange = z.output<typeof DataChange>;

export const ScenarioFile = z.strictObject({
  $schema: z.string().optional(),
  version: z.literal(1),
  title: z.string().optional(),
  description: z.string().optional(),
  extends: z
    .array(z.string())
    .optional()
    .meta({ description: "Scenarios beneath this one; a later one lies over an earlier." }),
  seed: z.int().min(0).optional().meta({ description: "Ids, generated data and chance." }),
  clock: z
    .strictObject({
      at: instant.meta({ description: "An instant, or an offset from now such as `+3d`." }),
      mode: z.enum(["frozen", "ticking"]).optional().meta({ description: "Default frozen." }),
    })
    .optional(),
  settings: z
    .record(z.string(), z.record(z.string(), z.json()))
    .optional()
    .meta({ description: "Switches by service." }),
  data: z
    .record(z.string(), z.record(z.string(), DataChange))
    .optional()
    .meta({ description: "Base data by environment and collection." }),
  rules: z.array(Rule).max(MOST_RULES, `A scenario has at most ${MOST_RULES} rules.`).optional(),
  expect: z
    .strictObject({
      unmatched: z
        .enum(["fail", "warn", "ignore"])
        .optional()
        .meta({ description: "Requests that no operation took." }),
      unusedRules: z
        .enum(["fail", "warn", "ignore"])
        .optional()
        .meta({ description: "Rules that never acted." }),
    })
    .optional(),
});
export type ScenarioFile = z.output<typeof ScenarioFile>;
/** A scenario as it is written in a file. */
export type ScenarioValue = z.input<typeof ScenarioFile>;
