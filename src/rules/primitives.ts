/** The basic texts of the scenario grammar: short durations, instants and user-defined names. */

import { z } from "zod";
import { UsageError } from "../errors/usage-error.ts";
import { createStringSchema } from "../operation/checks.ts";
import { parseClock } from "../world/clock.ts";
import { parseDuration, parseOffset } from "../world/time.ts";

const MAX_DELAY_MS = 60_000;

/** A duration that may be waited for in wall time. */
export const shortDuration = createStringSchema((text) => {
  if (parseDuration(text) > MAX_DELAY_MS)
    throw new UsageError(
      "badDuration",
      "must be at most 60s: longer waits are not waited for, use the clock",
    );
});
/** True for an offset, false for an instant. */
export const isOffset = (text: string): boolean => /^[+-]/.test(text);
/** An instant, or an offset from one. */
export const instant = createStringSchema((text) => (isOffset(text) ? parseOffset(text) : parseClock(text)));
/** A user-defined name: of a rule or of a gate. */
export const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._/#-]{0,99}$/, "must begin with a letter or digit and have no spaces");
