/** What the schemas of the control API are made of. */

import { z } from "zod";

export const model = <S extends z.ZodRawShape>(id: string, shape: S) => z.object(shape).meta({ id });

/** An array that nobody changes; with `readonly()` the document would mark it. */
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

export const user = text("The name that logs in; default: the first user.").optional();
export const environment = text("account or production (default), accountSandbox or sandbox.").optional();

export const mode = z.enum(["frozen", "ticking"]).describe("Whether time stands still or goes on.");
export const ClockView = model("Clock", { at: instant("The simulated now."), mode });
export const ClockInput = z
  .object({
    at: instant("The new now.").optional(),
    mode: mode.optional(),
    rebase: flag("The dates of the base data go along; default false.").optional(),
  })
  .refine(({ at, mode }) => at !== undefined || mode !== undefined, "needs at, mode, or both")
  .meta({ id: "ClockInput", description: "`at` left out: now; `mode` left out: as it is." });
export const AdvanceInput = model("AdvanceInput", { by: duration("How far to go.") });
