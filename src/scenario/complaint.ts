/**
 * Mistakes in a scenario: each at its place in the file, and all of them together.
 */

import type { ValidationIssue } from "../operation/issue.ts";
import { type Path, toPointer } from "../operation/path.ts";
import { sentence } from "../operation/wording.ts";
import { UsageError } from "../world/usage-error.ts";
import type { Source } from "./source.ts";

/** Ends the reading of a scenario: `path` leads to the mistake, `part` is what is wrong, the key or the value. */
export type Refuse = (message: string, path: Path, part?: "key" | "value") => never;

export function refuser(source: Source): Refuse {
  return (message, path, part) => {
    throw new UsageError("badScenario", message, source.place(path, part));
  };
}

/** Refuses everything that is wrong with the value at `base`. */
export function refuseIssues(issues: readonly ValidationIssue[], base: Path, refuse: Refuse): never {
  const reported = issues.filter((issue) => !isConsequence(issue, issues));
  readAll(reported.map((issue) => () => refuseIssue(issue, base, refuse)));
  return refuse("Invalid scenario.", base); // a schema that refuses has an issue
}

/** True where a misspelt key is the reason why another is missing, or too few are present. */
function isConsequence(issue: ValidationIssue, issues: readonly ValidationIssue[]): boolean {
  if (issue.kind === "unknown") return false;
  const home = toPointer(issue.received === undefined ? issue.path.slice(0, -1) : issue.path);
  return issues.some(({ kind, path }) => kind === "unknown" && toPointer(path.slice(0, -1)) === home);
}

/** What is missing is reported where it should be; the line and the pointer tell the rest of the path. */
function refuseIssue(issue: ValidationIssue, base: Path, refuse: Refuse): never {
  const { path, kind } = issue;
  const field = typeof path.at(-1) === "string" ? String(path.at(-1)) : "This";
  const place = kind === "missing" ? path.slice(0, -1) : path;
  return refuse(sentence(issue, field), [...base, ...place], kind === "unknown" ? "key" : "value");
}

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

/** Each mistake that an error reports, in reading order. */
export function mistakesOf(error: UsageError): readonly UsageError[] {
  return error instanceof Mistakes ? error.all : [error];
}

/** The mistakes for which `read` is refused; none when it is valid. */
export function mistakesIn(read: () => unknown): readonly UsageError[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return mistakesOf(error);
  }
}

/** The value of each part. Where some are refused, throws one UsageError with the mistakes of all. */
export function readAll<const P extends readonly (() => unknown)[]>(
  parts: P,
): { -readonly [K in keyof P]: ReturnType<P[K]> } {
  const values: unknown[] = [];
  const mistakes = parts.flatMap((read) => mistakesIn(() => values.push(read()))).sort(byPlace);
  const [first, second] = mistakes;
  if (first === undefined) return values as { -readonly [K in keyof P]: ReturnType<P[K]> }; // one of each, in order
  throw second === undefined ? first : new Mistakes(first, mistakes);
}

/** Mistakes of different files, or of none, stay in the order found. */
function byPlace({ place: one }: UsageError, { place: other }: UsageError): number {
  if (one.file !== other.file) return 0;
  return (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0);
}
