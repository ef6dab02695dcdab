/** The grammar of scenario files. Names are checked against the services in check-rule.ts and check-data.ts. */

import { z } from "zod";
import { UsageError } from "../errors/usage-error.ts";
import { createStringSchema } from "../operation/checks.ts";
import { instant } from "../rules/primitives.ts";
import { MAX_RULES, Rule } from "../rules/rule.ts";
import { once } from "../world/lazy.ts";
import { isCalendarDate } from "../world/time.ts";

/** What a scenario does to one collection of base data, in this order. */
export const DataChange = once(() =>
  z
    .strictObject({
      replace: z.array(z.json()).optional().describe("Leaves exactly these."),
      generate: z
        .int()
        .min(0)
        .max(10_000)
        .optional()
        .describe("Leaves so many new ones, made from the seed."),
      upsert: z.array(z.json()).optional().describe("Adds these, or replaces those with the same key."),
      remove: z.array(z.string()).optional().describe("Removes by key."),
    })
    .refine(({ replace, generate }) => replace === undefined || generate === undefined, {
      path: ["generate"],
      message: "replace or generate, not both.",
    }),
);
export type DataChange = z.output<ReturnType<typeof DataChange>>;

export const ScenarioFile = once(() =>
  z.strictObject({
    $schema: z.string().optional(),
    version: z.literal(1),
    title: z.string().optional(),
    description: z.string().optional(),
    extends: z
      .array(z.string())
      .optional()
      .describe("Scenarios that this one builds on; a later one wins over an earlier."),
    seed: z.int().min(0).optional().describe("Ids, generated data and chance."),
    clock: z
      .strictObject({
        at: instant.describe("An instant, or an offset from now such as `+3d`."),
        mode: z.enum(["frozen", "ticking"]).optional().describe("Default frozen."),
        rebase: z.boolean().optional().describe("Whether the dates of the base data go along; default true."),
      })
      .optional(),
    settings: z
      .record(z.string(), z.record(z.string(), z.json()))
      .optional()
      .describe("Switches by service."),
    data: z
      .object({
        anchor: createStringSchema(assertDate)
          .optional()
          .describe("The day that the dates of this data count from. They move to the sandbox's day."),
      })
      .catchall(z.record(z.string(), DataChange()))
      .optional()
      .describe("Base data by environment and collection."),
    rules: z.array(Rule()).max(MAX_RULES, `A scenario has at most ${MAX_RULES} rules.`).optional(),
    expect: z
      .strictObject({
        unmatched: z.enum(["fail", "warn", "ignore"]).optional().describe("Requests that no operation took."),
        unusedRules: z.enum(["fail", "warn", "ignore"]).optional().describe("Rules that never acted."),
      })
      .optional(),
  }),
);
export type ScenarioFile = z.output<ReturnType<typeof ScenarioFile>>;

function assertDate(text: string): void {
  if (!isCalendarDate(text)) throw new UsageError("badScenario", 'must be a day such as "2026-03-01"');
}
