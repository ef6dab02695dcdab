/** Schema of scenario files. It checks only the structure: check-rule.ts and check-data.ts check that the names in it exist. */

import { z } from "zod";
import { UsageError } from "../errors/usage-error.ts";
import { createStringSchema } from "../operation/checks.ts";
import { instant } from "../rules/primitives.ts";
import { MAX_RULES, Rule } from "../rules/rule.ts";
import { once } from "../world/lazy.ts";
import { isCalendarDate } from "../world/time.ts";

/** Changes to one collection of base data, applied in the order of these fields. */
export const DataChange = once(() =>
  z
    .strictObject({
      replace: z.array(z.json()).optional().describe("Replaces all entities with these."),
      generate: z
        .int()
        .min(0)
        .max(10_000)
        .optional()
        .describe("Replaces all entities with this number of new ones, generated from the seed."),
      upsert: z.array(z.json()).optional().describe("Adds entities, or replaces those with the same key."),
      remove: z.array(z.string()).optional().describe("Removes entities by key."),
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
      .describe("Scenarios that this one extends. Later ones override earlier ones."),
    seed: z.int().min(0).optional().describe("Seed of ids, generated data and random numbers."),
    clock: z
      .strictObject({
        at: instant.describe("Start time (ISO 8601), or an offset from now such as `+3d`."),
        mode: z.enum(["frozen", "ticking"]).optional().describe("Default: `frozen`."),
        rebase: z.boolean().optional().describe("Moves the dates of the base data, too. Default: `true`."),
      })
      .optional(),
    settings: z
      .record(z.string(), z.record(z.string(), z.json()))
      .optional()
      .describe("Settings by service."),
    data: z
      .object({
        anchor: createStringSchema(assertDate)
          .optional()
          .describe("The reference day of the dates in this data. The sandbox moves them to its own day."),
      })
      .catchall(z.record(z.string(), DataChange()))
      .optional()
      .describe("Base data by environment and collection."),
    rules: z.array(Rule()).max(MAX_RULES, `A scenario has at most ${MAX_RULES} rules.`).optional(),
    expect: z
      .strictObject({
        unmatched: z
          .enum(["fail", "warn", "ignore"])
          .optional()
          .describe("Severity of requests that match no operation. Default: `fail`."),
        unusedRules: z.enum(["fail", "warn", "ignore"]).optional().describe("Severity of unused rules."),
      })
      .optional(),
  }),
);
export type ScenarioFile = z.output<ReturnType<typeof ScenarioFile>>;

function assertDate(text: string): void {
  if (!isCalendarDate(text)) throw new UsageError("badScenario", 'must be a day such as "2026-03-01"');
}
