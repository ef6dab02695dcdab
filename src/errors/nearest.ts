/** Error messages for unknown names, with suggestions. */

import { closest, distance } from "fastest-levenshtein";
import { quote } from "./quote.ts";
import { type SourceLocation, UsageError } from "./usage-error.ts";

/** Maximum length of a name that gets a suggestion. A longer name is hardly a typing error, and slow to compare. */
const MAX_NAME_CHARS = 100;

/** Returns the nearest known name, or undefined if the difference is too large for a typing error. */
export function findNearestName(name: string, known: readonly string[]): string | undefined {
  // JavaScript callers can pass any value.
  if (typeof name !== "string" || known.length === 0 || name.length > MAX_NAME_CHARS) return undefined;
  const candidate = closest(
    name.toLowerCase(),
    known.map((item) => item.toLowerCase()),
  );
  const original = known.find((item) => item.toLowerCase() === candidate);
  const tolerated = Math.max(2, Math.ceil(name.length * 0.4));
  return distance(name.toLowerCase(), candidate) <= tolerated ? original : undefined;
}

/** Returns the message `Unknown operation "x". Did you mean "y"? Known: …`, with at most 12 known names. */
export function describeUnknown(kind: string, name: string, known: readonly string[]): string {
  const nearest = findNearestName(name, known);
  const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
  const shown = known.slice(0, 12).join(", ");
  const more = known.length > 12 ? ", …" : "";
  return `Unknown ${kind} ${quote(name)}.${hint} Known: ${shown || "none"}${more}.`;
}

export function createUnknownError(
  kind: string,
  name: string,
  known: readonly string[],
  location?: SourceLocation,
): UsageError {
  return new UsageError("unknownName", describeUnknown(kind, name, known), location);
}

/** Returns the value of an own property of the table. Throws a UsageError for an unknown name. */
export function getMember<T>(table: Readonly<Record<string, T>>, kind: string, name: string): T {
  const found = Object.hasOwn(table, name) ? table[name] : undefined;
  if (found === undefined) throw createUnknownError(kind, name, Object.keys(table));
  return found;
}
