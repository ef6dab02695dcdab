/** Simulated time, as it is read and set. */

import { z } from "zod";
import { duration, flag, instant, named } from "./parts.ts";

export const mode = z.enum(["frozen", "ticking"]).describe("Whether time stands still or goes on.");
export const ClockView = named("Clock", { at: instant("The simulated now."), mode });
export const ClockInput = z
  .object({
    at: instant("The new now.").optional(),
    mode: mode.optional(),
    rebase: flag("The dates of the base data go along; default false.").optional(),
  })
  .refine(({ at, mode }) => at !== undefined || mode !== undefined, "needs at, mode, or both")
  .meta({ id: "ClockInput", description: "`at` left out: now; `mode` left out: as it is." });
export const AdvanceInput = named("AdvanceInput", { by: duration("How far to go.") });
