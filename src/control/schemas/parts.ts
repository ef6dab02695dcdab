/** Building blocks for the schemas of the control API. */

import { z } from "zod";

export const model = <S extends z.ZodRawShape>(id: string, shape: S) => z.object(shape).meta({ id });

/** Creates the schema of a read-only array. Unlike zod's `readonly()`, adds no `readOnly` to the OpenAPI document. */
export const list = <S extends z.ZodType>(item: S) =>
  z.array(item) as z.ZodType<readonly z.output<S>[], readonly z.input<S>[]>;

export const text = (about: string) => z.string().describe(about);
export const texts = (about: string) => list(z.string()).describe(about);
export const count = (about: string) => z.int().describe(about);
export const flag = (about: string) => z.boolean().describe(about);

export const instant = (about: string) => text(`${about} ISO 8601 in UTC: 2026-03-01T09:00:00Z.`);
export const duration = (about: string) =>
  z
    .union([z.string(), z.number()])
    .describe(`${about} A duration: 500ms, 30s, 15m, 24h, 3d; a number is ms.`);

export const view = z.enum(["brief"]).describe("`brief`: plain text, one line per entry.").optional();

export const user = text("User name, such as `ada@example.test`. Default: the first user.").optional();
export const environment = text("`account` (default) or `accountSandbox`.").optional();

export const mode = z.enum(["frozen", "ticking"]).describe("Whether the clock is frozen or runs.");
export const ClockView = model("Clock", { at: instant("The simulated time."), mode });
export const ClockInput = z
  .object({
    at: instant("The new time.").optional(),
    mode: mode.optional(),
    rebase: flag("Whether the dates of the base data move with the clock. Default: false.").optional(),
  })
  .refine(({ at, mode }) => at !== undefined || mode !== undefined, "needs at, mode, or both")
  .meta({ id: "ClockInput", description: "Defaults: `at` is the current time, and `mode` stays." });
export const AdvanceInput = model("AdvanceInput", { by: duration("How far to advance.") });
