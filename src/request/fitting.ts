/** Whether replies fit their schemas. What cannot change is checked once, for as long as it exists. */

import type { z } from "zod";

const fitting = new WeakMap<z.ZodType, WeakSet<object>>();

/** Frozen replies are entities of the store and pages of them, which are frozen in every part. */
export function isFitting(schema: z.ZodType, value: unknown): boolean {
  if (typeof value !== "object" || value === null || !Object.isFrozen(value))
    return schema.safeParse(value).success;
  let known = fitting.get(schema);
  if (known === undefined) {
    known = new WeakSet();
    fitting.set(schema, known);
  }
  if (known.has(value)) return true;
  const { success } = schema.safeParse(value);
  if (success) known.add(value);
  return success;
}
