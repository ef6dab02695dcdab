/**
 * What is wrong with a scenario, reported to its author: each issue as an error at its place, and one error for them all.
 */

import { UsageError } from "../errors/usage-error.ts";
import { type Path, toPointer } from "../http/json-pointer.ts";
import { MOST_ISSUES, type ValidationIssue } from "../operation/issue.ts";
import { sentence } from "../operation/wording.ts";
import type { Source } from "./source.ts";

/** Makes the error of one mistake: `path` leads to it, `part` is what is wrong, the key or the value; see ValidationIssue. */
export type Locate = (
  message: string,
  path: Path,
  part: "key" | "value",
  code: string | undefined,
) => UsageError;

export function locateIn(source: Source): Locate {
  return (message, path, part) => new UsageError("badScenario", message, source.place(path, part));
}

/** The errors for the first of these issues, in reading order. */
export function toMistakes(issues: readonly ValidationIssue[], locate: Locate): UsageError[] {
  const first = issues.slice(0, MOST_ISSUES);
  const reported = first.filter((issue) => !isConsequence(issue, first));
  return reported.map((issue) => toMistake(issue, locate)).sort(byPlace);
}

/** What is missing is reported where it should be; the line and the pointer tell the rest of the path. */
function toMistake(issue: ValidationIssue, locate: Locate): UsageError {
  const { path, kind } = issue;
  const field = typeof path.at(-1) === "string" ? String(path.at(-1)) : "This";
  const place = kind === "missing" ? path.slice(0, -1) : path;
  return locate(sentence(issue, field), place, kind === "unknown" ? "key" : "value", issue.code);
}

/** True where a misspelt key is the reason why another is missing, or too few are present. */
function isConsequence(issue: ValidationIssue, issues: readonly ValidationIssue[]): boolean {
  if (issue.kind === "unknown") return false;
  const home = toPointer(issue.kind === "missing" ? issue.path.slice(0, -1) : issue.path);
  return issues.some(({ kind, path }) => kind === "unknown" && toPointer(path.slice(0, -1)) === home);
}

function byPlace({ place: one }: UsageError, { place: other }: UsageError): number {
  return (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0);
}

/** Two or more mistakes, in reading order; its message has one on each line. */
class Mistakes extends UsageError {
  readonly all: readonly UsageError[];

  constructor(first: UsageError, all: readonly UsageError[]) {
    super(first.code, "", first.place);
    this.all = all;
    const lines = all.slice(0, MOST_ISSUES).map(({ message }) => message);
    if (all.length >= MOST_ISSUES) lines.push("There may be more mistakes; mend these first.");
    this.message = lines.join("\n");
  }

  override under(base: string): UsageError {
    const all = this.all.map((one) => one.under(base));
    return new Mistakes(all[0] ?? this, all);
  }
}

/** Each mistake that an error reports, in reading order. */
export function mistakesOf(error: UsageError): readonly UsageError[] {
  return error instanceof Mistakes ? error.all : [error];
}

/** Throws the mistake, or one error for several; does nothing where there is none. */
export function throwAll(mistakes: readonly UsageError[]): void {
  const [first, second] = mistakes;
  if (first !== undefined) throw second === undefined ? first : new Mistakes(first, mistakes);
}

/** For what is wrong beyond doubt. */
export function refuse(issues: readonly ValidationIssue[], locate: Locate): never {
  throwAll(toMistakes(issues, locate));
  throw new Error("Nothing is wrong with the scenario that was refused");
}
