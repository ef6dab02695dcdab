/** Matches text with globs and regular expressions. The RE2 engine never backtracks, so no expression can block a request. */

import type { RE2JS } from "re2js";
import { getPlatform } from "../world/platform.ts";
import { BoundedCache } from "../world/recent.ts";

const MAX_PATTERN_CHARS = 256;
const MAX_TEXT_CHARS = 8_192;
/** Maximum number of instructions of a compiled pattern. Matching takes at most instructions × characters steps. */
const MAX_INSTRUCTIONS = 500;

/** Whether the whole text matches the glob. Each `*` matches zero or more characters. Never backtracks. */
export function matchesGlob(text: string, glob: string): boolean {
  const [head = "", ...rest] = glob.split("*");
  if (rest.length === 0) return text === glob;
  if (!text.startsWith(head)) return false;
  let from = head.length;
  for (const part of rest.slice(0, -1)) {
    const found = text.indexOf(part, from);
    if (found < 0) return false;
    from = found + part.length;
  }
  const tail = rest.at(-1) ?? "";
  return text.length - from >= tail.length && text.endsWith(tail);
}

const patternCache = new BoundedCache<RE2JS>(1_000);

/** Returns an error message if the regular expression is invalid or too large. */
export function findPatternError(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN_CHARS) return `must have at most ${MAX_PATTERN_CHARS} characters`;
  try {
    const tooLarge = compilePattern(pattern).programSize() > MAX_INSTRUCTIONS;
    return tooLarge ? "repeats too much: write smaller counts in braces" : undefined;
  } catch (error) {
    return `is not a regular expression of RE2 syntax: ${(error as Error).message}`; // Safe cast: RE2JS throws only Error objects.
  }
}

/** Whether the pattern matches a part of the first 8,192 characters of the text. */
export function matchesPattern(text: string, pattern: string): boolean {
  return compilePattern(pattern).matcher(text.slice(0, MAX_TEXT_CHARS)).find();
}

function compilePattern(pattern: string): RE2JS {
  const known = patternCache.get(pattern);
  if (known !== undefined) return known;
  // Loads RE2JS on first use, because it is a fifth of all code in the package.
  return patternCache.set(pattern, getPlatform().packages.re2js().RE2JS.compile(pattern));
}
