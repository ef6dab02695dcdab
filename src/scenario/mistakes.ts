// Owns how several mistakes of one scenario become one error: parts that do not depend on each other are all read, and
// each tells its own.

import { UsageError } from "../world/usage-error.ts";

/** Two or more mistakes, in reading order. Its message is that of the first, and how many more there are. */
class Mistakes extends UsageError {
  readonly all: readonly UsageError[];

  constructor(first: UsageError, all: readonly UsageError[]) {
    super(first.code, "", first.place);
    const more = all.length - 1;
    this.all = all;
    this.message = `${first.message} And ${more} more ${more === 1 ? "mistake" : "mistakes"}.`;
  }
}

/** Each mistake that an error tells, in reading order. */
export function mistakesOf(error: UsageError): readonly UsageError[] {
  return error instanceof Mistakes ? error.all : [error];
}

/** The mistakes with which this is refused; none when it is right. */
export function mistakesIn(read: () => unknown): readonly UsageError[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return mistakesOf(error);
  }
}

/** What each part gives. Where some are refused, throws one UsageError with the mistakes of all. */
export function readAll<const P extends readonly (() => unknown)[]>(
  parts: P,
): { -readonly [K in keyof P]: ReturnType<P[K]> } {
  const values: unknown[] = [];
  const mistakes = parts.flatMap((read) => mistakesIn(() => values.push(read()))).sort(byPlace);
  const [first, second] = mistakes;
  if (first === undefined) return values as { -readonly [K in keyof P]: ReturnType<P[K]> }; // one of each, in order
  throw second === undefined ? first : new Mistakes(first, mistakes);
}

/** Mistakes of different files, or of none, stay as they are found. */
function byPlace({ place: one }: UsageError, { place: other }: UsageError): number {
  if (one.file !== other.file) return 0;
  return (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0);
}
