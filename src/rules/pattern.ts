/** Globs and regular expressions of conditions. RE2 never backtracks, so no pattern blocks a request. */

import type { RE2JS } from "re2js";
import { getPlatform } from "../world/platform.ts";
import { BoundedCache } from "../world/recent.ts";

const MAX_PATTERN_CHARS = 256;
const MAX_TEXT_CHARS = 8_192;
/** Maximum size of a compiled pattern. Matching takes at most instructions × characters steps. */
const MAX_INSTRUCTIONS = 500;

/** `*` matches any characters. Takes linear time. */
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

/** Returns the error of a regular expression, or undefined. */
export function findPatternError(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN_CHARS) return `must have at most ${MAX_PATTERN_CHARS} characters`;
  try {
    const tooLarge = compilePattern(pattern).programSize() > MAX_INSTRUCTIONS;
    return tooLarge ? "repeats too much: write smaller counts in braces" : undefined;
  } catch (error) {
    return `is not a regular expression of RE2 syntax: ${(error as Error).message}`; // Safe: RE2JS throws only Errors.
  }
}

/** Searches the first 8 KiB of the text. */
export function matchesPattern(text: string, pattern: string): boolean {
  return compilePattern(pattern).matcher(text.slice(0, MAX_TEXT_CHARS)).find();
}

function compilePattern(pattern: string): RE2JS {
  const known = patternCache.get(pattern);
  if (known !== undefined) return known;
  // Loaded on first use, because RE2JS is a fifth of all code.
  return patternCache.set(pattern, getPlatform().packages.re2js().RE2JS.compile(pattern));
}
