/** The kinds of settings that services have; each tells what it does, in the documents and to an editor. */

import { z } from "zod";

/** A switch that is off unless it is turned on. */
export function flag(description: string) {
  return z.boolean().default(false).describe(description);
}

/** One of several values; the first is the default. */
export function choice<const T extends string | number>(values: readonly [T, ...T[]], description: string) {
  return z
    .literal(values)
    .default(values[0] as never) // not undefined, which the compiler cannot tell of any T
    .describe(description);
}
