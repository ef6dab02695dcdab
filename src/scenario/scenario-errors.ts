/** What is wrong with a scenario: each issue as an error at its place, and one error for them all. */

import { type UsageCode, UsageError } from "../errors/usage-error.ts";
import { type Path, toPointer } from "../http/json-pointer.ts";
import { MAX_ISSUES, type ValidationIssue } from "../operation/issue.ts";
import { formatIssue } from "../operation/wording.ts";
import type { JsonSource } from "./source.ts";

/** Makes the error of one mistake: `path` leads to it, `part` is what is wrong, the key or the value; see ValidationIssue. */
export type ErrorLocator = (
  message: string,
  path: Path,
  part: "key" | "value",
  code: string | undefined,
) => UsageError;

export function createLocator(source: JsonSource, code: UsageCode = "badScenario"): ErrorLocator {
  return (message, path, part) => new UsageError(code, message, source.locate(path, part));
}

/** The errors for the first of these issues, in reading order. */
export function toErrors(issues: readonly ValidationIssue[], locate: ErrorLocator): UsageError[] {
  const first = issues.slice(0, MAX_ISSUES);
  const reported = first.filter((issue) => !isConsequence(issue, first));
  return reported.map((issue) => toError(issue, locate)).sort(compareLocations);
}

/** What is missing is reported where it should be; the line and the pointer tell the rest of the path. */
function toError(issue: ValidationIssue, locate: ErrorLocator): UsageError {
  const { path, kind } = issue;
  const field = typeof path.at(-1) === "string" ? String(path.at(-1)) : "This";
  const place = kind === "missing" ? path.slice(0, -1) : path;
  return locate(formatIssue(issue, field), place, kind === "unknown" ? "key" : "value", issue.code);
}

/** True where a misspelt key is the reason why another is missing, or too few are present. */
function isConsequence(issue: ValidationIssue, issues: readonly ValidationIssue[]): boolean {
  if (issue.kind === "unknown") return false;
  const home = toPointer(issue.kind === "missing" ? issue.path.slice(0, -1) : issue.path);
  return issues.some(({ kind, path }) => kind === "unknown" && toPointer(path.slice(0, -1)) === home);
}

function compareLocations({ place: one }: UsageError, { place: other }: UsageError): number {
  return (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0);
}

/** Two or more mistakes, in reading order; its message has one on each line. */
class ScenarioErrors extends UsageError {
  readonly all: readonly UsageError[];

  constructor(first: UsageError, all: readonly UsageError[]) {
    super(first.code, "", first.place);
    this.all = all;
    const lines = all.slice(0, MAX_ISSUES).map(({ message }) => message);
    if (all.length >= MAX_ISSUES) lines.push("There may be more mistakes; mend these first.");
    this.message = lines.join("\n");
  }

  override under(base: string): UsageError {
    const all = this.all.map((one) => one.under(base));
    return new ScenarioErrors(all[0] ?? this, all);
  }
}

/** Each mistake that an error reports, in reading order. */
export function collectErrors(error: UsageError): readonly UsageError[] {
  return error instanceof ScenarioErrors ? error.all : [error];
}

/** Throws the mistake, or one error for several; does nothing where there is none. */
export function throwErrors(mistakes: readonly UsageError[]): void {
  const [first, second] = mistakes;
  if (first !== undefined) throw second === undefined ? first : new ScenarioErrors(first, mistakes);
}

/** For what is wrong beyond doubt. */
export function rejectScenario(issues: readonly ValidationIssue[], locate: ErrorLocator): never {
  throwErrors(toErrors(issues, locate));
  throw new Error("Nothing is wrong with the scenario that was refused");
}
