/** One failed check of one field of the input, whoever found it, and how bodies and rules write it. */

import { formatPath, type Path } from "../http/json-pointer.ts";

export type ValidationIssue = {
  readonly path: Path;
  /** The end of a sentence that begins with the field, `must be a UUID`; with a full stop, a whole sentence. */
  readonly message: string;
  /** Left out: in the body. */
  readonly in?: "path" | "query" | "body";
  /** `missing`: not sent; `type`: another JSON type; `value`: right type, wrong value; `unknown`: no such field. */
  readonly kind?: "missing" | "type" | "value" | "unknown";
  readonly received?: unknown;
  /** A stable code for programs, where there is one. */
  readonly code?: string | undefined;
};

/** How many issues of one input are reported; the check of a longer list of mistakes ends there. */
export const MAX_ISSUES = 20;

/** The field as a sentence names it: `threshold`, `dates[0]`, and `body` for the whole of it. */
export function formatField({ in: where = "body", path }: ValidationIssue): string {
  return typeof path[0] === "string" ? formatPath(path) : where + formatPath(path);
}

/** The issues of a part that is at `base` of the whole. */
export function prefixIssues(base: Path, issues: readonly ValidationIssue[]): ValidationIssue[] {
  return issues.map((issue) => ({ ...issue, path: [...base, ...issue.path] }));
}

/** An issue as error bodies and rules write it. */
export type Violation = {
  /** The field as the client sent it: `threshold`, `dates[0]`. */
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
