/** The basic texts of the scenario grammar: instants and user-defined names. */

import { z } from "zod";
import { createStringSchema } from "../operation/checks.ts";
import { parseClock } from "../world/clock.ts";
import { parseOffset } from "../world/time.ts";

/** True for an offset, false for an instant. */
export const isOffset = (text: string): boolean => /^[+-]/.test(text);
/** An instant, or an offset from one. */
export const instant = createStringSchema((text) => (isOffset(text) ? parseOffset(text) : parseClock(text)));
/** A user-defined name: of a rule or of a gate. */
export const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._/#-]{0,99}$/, "must begin with a letter or digit and have no spaces");
