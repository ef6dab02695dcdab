/** Schemas of basic strings in scenario files: times, and names that the author chooses. */

import { z } from "zod";
import { createStringSchema } from "../operation/checks.ts";
import { parseClock } from "../world/clock.ts";
import { parseOffset } from "../world/time.ts";

/** Whether the time is an offset such as `+3d`, not an absolute time. */
export const isOffset = (text: string): boolean => /^[+-]/.test(text);
/** Schema of an absolute time or an offset. */
export const instant = createStringSchema((text) => (isOffset(text) ? parseOffset(text) : parseClock(text)));
export const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._/#-]{0,99}$/, "must begin with a letter or digit and have no spaces");
