/** Checks the arguments of methods: JavaScript callers can pass any value. */

import { createUnknownError } from "./nearest.ts";
import { quote } from "./quote.ts";
import { UsageError } from "./usage-error.ts";

/** Returns `given`, or `{}` if it is undefined. Throws a UsageError if it is not an object, or has a field that is not `known`. */
export function readFields<T extends object>(
  given: T | undefined,
  known: readonly (keyof T & string)[],
  name = "options",
): Partial<T> {
  if (given === undefined) return {};
  const fields = Object.keys(assertObject(given, name)) as (keyof T & string)[]; // Safe cast: the next line checks them.
  const unknown = fields.find((field) => !known.includes(field));
  if (unknown === undefined) return given;
  const { message } = createUnknownError("field", unknown, known);
  throw new UsageError("badOption", message, { pointer: `/${unknown}` });
}

export function assertObject<T>(given: T, name: string): T & object {
  if (typeof given === "object" && given !== null && !Array.isArray(given)) return given;
  throw new UsageError("badOption", `${name} must be an object, not ${quote(given)}.`);
}

export function assertFunction<T>(given: T, name: string): T {
  if (typeof given === "function") return given;
  throw new UsageError("badOption", `${name} must be a function, not ${quote(given)}.`);
}

export function readText(given: unknown, name: string): string {
  if (typeof given === "string") return given;
  throw new UsageError("badOption", `${name} must be a string, not ${quote(given)}.`);
}
