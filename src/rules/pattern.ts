/**
 * The patterns of conditions: globs, and regular expressions that run in linear time. No pattern in a file
 * can make a request slow: RE2 never backtracks, so it needs no time budget and is independent of the machine.
 */

import type { RE2JS } from "re2js";
import { platform } from "../world/platform.ts";
import { Recent } from "../world/recent.ts";

const LONGEST_PATTERN = 256;
const LONGEST_TEXT = 8_192;
/** Instructions of the compiled pattern: each may run for each character. Counted repetitions multiply them. */
const LARGEST_PROGRAM = 500;

/** True when the text equals the glob, whose `*` matches any run of characters. Linear. */
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

const compiled = new Recent<RE2JS>(1_000);

/** Why a regular expression cannot be used, or undefined. */
export function patternError(pattern: string): string | undefined {
  if (pattern.length > LONGEST_PATTERN) return `must have at most ${LONGEST_PATTERN} characters`;
  try {
    const tooLarge = compile(pattern).programSize() > LARGEST_PROGRAM;
    return tooLarge ? "repeats too much: write smaller counts in braces" : undefined;
  } catch (error) {
    return `is not a regular expression of RE2 syntax: ${(error as Error).message}`; // RE2JS throws its own errors only
  }
}

/** Searches the first 8 KiB of the text. */
export function matchesPattern(text: string, pattern: string): boolean {
  return compile(pattern).matcher(text.slice(0, LONGEST_TEXT)).find();
}

function compile(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  // A fifth of all code, and most sandboxes see no expression.
  return compiled.set(pattern, platform().packages.re2js().RE2JS.compile(pattern));
}
