/** Suggestions for mistyped names, used by every error that refuses a name. */

import { closest, distance } from "fastest-levenshtein";
import { quote } from "./quote.ts";
import { type SourceLocation, UsageError } from "./usage-error.ts";

/** Nothing longer is a typing mistake, and comparing it would take long. */
const MAX_NAME_CHARS = 100;

/** The known name nearest to `name`, or undefined when none is near enough to suggest a typing mistake. */
export function findNearestName(name: string, known: readonly string[]): string | undefined {
  // JavaScript callers can pass any value.
  if (typeof name !== "string" || known.length === 0 || name.length > MAX_NAME_CHARS) return undefined;
  const candidate = closest(
    name.toLowerCase(),
    known.map((item) => item.toLowerCase()),
  );
  const original = known.find((item) => item.toLowerCase() === candidate);
  const tolerated = Math.max(2, Math.ceil(name.length * 0.4));
  return original !== undefined && distance(name.toLowerCase(), candidate) <= tolerated
    ? original
    : undefined;
}

/** `Unknown operation "x". Did you mean "y"? Known: …` with the list truncated to fit a line. */
export function describeUnknown(kind: string, name: string, known: readonly string[]): string {
  const nearest = findNearestName(name, known);
  const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
  const shown = known.slice(0, 12).join(", ");
  const more = known.length > 12 ? ", …" : "";
  return `Unknown ${kind} ${quote(name)}.${hint} Known: ${shown || "none"}${more}.`;
}

/** The error for a name that is none of those known. */
export function createUnknownError(
  kind: string,
  name: string,
  known: readonly string[],
  place?: SourceLocation,
): UsageError {
  return new UsageError("unknownName", describeUnknown(kind, name, known), place);
}

/** The member of that name, by own key only: `constructor` is none. Throws a UsageError where there is none. */
export function getMember<T>(table: Readonly<Record<string, T>>, kind: string, name: string): T {
  const found = Object.hasOwn(table, name) ? table[name] : undefined;
  if (found === undefined) throw createUnknownError(kind, name, Object.keys(table));
  return found;
}
