/** Converts validation issues of a scenario to errors with a location, and combines several errors into one. */

import { type UsageCode, UsageError } from "../errors/usage-error.ts";
import { type Path, toPointer } from "../http/json-pointer.ts";
import { MAX_ISSUES, type ValidationIssue } from "../operation/issue.ts";
import { formatIssue } from "../operation/wording.ts";
import type { JsonSource } from "./source.ts";

/** Creates an error at `path`. `part` says whether the key or the value is invalid. */
export type ErrorLocator = (
  message: string,
  path: Path,
  part: "key" | "value",
  code: string | undefined,
) => UsageError;

export function createLocator(source: JsonSource, code: UsageCode = "badScenario"): ErrorLocator {
  return (message, path, part) => new UsageError(code, message, source.locate(path, part));
}

/** Converts the first 20 issues to errors, sorted by line and column. Omits issues that result from another issue. */
export function toErrors(issues: readonly ValidationIssue[], locate: ErrorLocator): UsageError[] {
  const first = issues.slice(0, MAX_ISSUES);
  const reported = first.filter((issue) => !isConsequence(issue, first));
  return reported.map((issue) => toError(issue, locate)).sort(compareLocations);
}

/** Creates the error of an issue. The error of a missing member shows the location of its parent. */
function toError(issue: ValidationIssue, locate: ErrorLocator): UsageError {
  const { path, kind } = issue;
  const field = typeof path.at(-1) === "string" ? String(path.at(-1)) : "This";
  const location = kind === "missing" ? path.slice(0, -1) : path;
  return locate(formatIssue(issue, field), location, kind === "unknown" ? "key" : "value", issue.code);
}

/** Whether the issue probably results from an unknown key in the same object: if a key is misspelled, the right key is missing. */
function isConsequence(issue: ValidationIssue, issues: readonly ValidationIssue[]): boolean {
  if (issue.kind === "unknown") return false;
  const parent = toPointer(issue.kind === "missing" ? issue.path.slice(0, -1) : issue.path);
  return issues.some(({ kind, path }) => kind === "unknown" && toPointer(path.slice(0, -1)) === parent);
}

function compareLocations({ place: left }: UsageError, { place: right }: UsageError): number {
  return (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0);
}

/** Two or more errors, sorted by line and column. The message has one line for each error. */
class ScenarioErrors extends UsageError {
  readonly all: readonly UsageError[];

  constructor(first: UsageError, all: readonly UsageError[]) {
    super(first.code, "", first.place);
    this.all = all;
    const lines = all.slice(0, MAX_ISSUES).map(({ message }) => message);
    if (all.length >= MAX_ISSUES) lines.push("There may be more errors. Fix these first.");
    this.message = lines.join("\n");
  }

  override under(base: string): UsageError {
    const all = this.all.map((error) => error.under(base));
    return new ScenarioErrors(all[0] ?? this, all);
  }
}

export function collectErrors(error: UsageError): readonly UsageError[] {
  return error instanceof ScenarioErrors ? error.all : [error];
}

/** Throws one error that contains all errors. Returns if the list is empty. */
export function throwErrors(errors: readonly UsageError[]): void {
  const [first, second] = errors;
  if (first !== undefined) throw second === undefined ? first : new ScenarioErrors(first, errors);
}

export function rejectScenario(issues: readonly ValidationIssue[], locate: ErrorLocator): never {
  throwErrors(toErrors(issues, locate));
  throw new Error("The rejected scenario has no errors");
}
