/** Suggestions for mistyped names, used by every error that refuses a name. */

import { closest, distance } from "fastest-levenshtein";

/** The known name nearest to `name`, or undefined when none is near enough to suggest a typing mistake. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
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
export function unknownName(kind: string, name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
  const shown = known.slice(0, 12).join(", ");
  const more = known.length > 12 ? ", …" : "";
  return `Unknown ${kind} ${JSON.stringify(name)}.${hint} Known: ${shown || "none"}${more}.`;
}
