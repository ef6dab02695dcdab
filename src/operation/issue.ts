/** Validation issues: errors in the input, such as a missing field. `Violation` is their form in error bodies and rules. */

import { formatPath, type Path } from "../http/json-pointer.ts";

export type ValidationIssue = {
  readonly path: Path;
  /** A sentence with a full stop, or the end of a sentence that begins with the name of the field: `must be a UUID`. */
  readonly message: string;
  /** Part of the request that has the issue. Default: `body`. */
  readonly in?: "path" | "query" | "body";
  /** `missing`: not sent; `type`: another JSON type; `value`: invalid value; `unknown`: the field does not exist. */
  readonly kind?: "missing" | "type" | "value" | "unknown";
  readonly received?: unknown;
  /** Identifier of the violated constraint, which clients can compare. */
  readonly code?: string | undefined;
};

/** Maximum number of reported issues of one input. The check of a long list ends after this number of issues. */
export const MAX_ISSUES = 20;

/** Formats the place of an issue: `threshold`, `dates[0]`, or `body` for the whole body. */
export function formatField({ in: where = "body", path }: ValidationIssue): string {
  return typeof path[0] === "string" ? formatPath(path) : where + formatPath(path);
}

/** Adds `base` before the path of each issue. */
export function prefixIssues(base: Path, issues: readonly ValidationIssue[]): ValidationIssue[] {
  return issues.map((issue) => ({ ...issue, path: [...base, ...issue.path] }));
}

/** Form of an issue in error bodies, and in rules that return a problem. */
export type Violation = {
  readonly propertyPath: string;
  readonly message: string;
  readonly code?: string | undefined;
};

export function toViolation(issue: ValidationIssue): Violation {
  return { propertyPath: formatField(issue), message: issue.message, code: issue.code };
}

export function fromViolation({ propertyPath: field, ...issue }: Violation): ValidationIssue {
  return { ...issue, path: [field] };
}
