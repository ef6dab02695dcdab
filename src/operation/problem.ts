/** Results of a request: a success, or a problem of the service's catalogue. The codec renders both. */

import { shorten } from "../errors/quote.ts";
import type { Path } from "../http/json-pointer.ts";
import type { ValidationIssue } from "./issue.ts";
import { formatIssues } from "./wording.ts";

export type ProblemDefinition = {
  readonly status: number;
  /** Shown if a problem has no title. */
  readonly title: string;
  /** Explains when the problem occurs, for readers of the document. */
  readonly when?: string;
  /** Document and section, or `Assumed: …` with the reason. */
  readonly source: string;
  /** Headers of every such response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Issues for a rule that injects this problem without violations. */
  readonly issues?: readonly ValidationIssue[];
};

/** Problems by key. Keys name the cause (`soldOut`), not the status. */
export type Catalogue = Readonly<Record<string, ProblemDefinition>>;

export function defineProblems<const C extends Catalogue>(catalogue: C): C {
  return catalogue;
}

/** Problems of a sandbox that failed to store its state. */
export const NOT_STORED = {
  status: 503,
  source: "Assumed: Occurs if the sandbox cannot write its data.",
} as const;
export const STORAGE_FULL = {
  status: 507,
  source: "Assumed: Occurs if the disk is full.",
} as const;

/** Documentation of 5xx responses, which every service may return. */
export const SERVER_ERROR = {
  status: 500,
  title: "Internal Server Error",
  source: "Assumed: Occurs only through a rule or the header `Prefer`.",
} as const;

export const SERVER_PHRASES: Readonly<Record<number, string>> = {
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
  507: "Insufficient Storage",
};

/** A success without its types, for the pipeline. */
export type AnyReply = {
  readonly kind: "reply";
  readonly status: number;
  readonly value: unknown;
  readonly headers: Readonly<Record<string, string>>;
};

export function reply(
  status: number,
  value?: unknown,
  headers: Readonly<Record<string, string>> = {},
): AnyReply {
  return { kind: "reply", status, value, headers };
}

/** The failure of one request: a problem by key, with details of this case. */
export type Problem<K extends string = string> = {
  readonly kind: "problem";
  readonly key: K;
  /** Default: the status of the catalogue. */
  readonly status?: number | undefined;
  readonly title?: string | undefined;
  readonly issues?: readonly ValidationIssue[] | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Keeps the changes of the handler. By default, a problem rolls them back. */
  readonly keepsChanges?: true | undefined;
};

export type ProblemDetails = Omit<Problem, "kind" | "key">;

export function fail<K extends string>(key: K, details: ProblemDetails = {}): Problem<K> {
  return { kind: "problem", key, ...details };
}

export function isProblem(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && (value as { kind?: unknown }).kind === "problem";
}

export function createServerError(status: number): Problem<"serverError"> {
  return fail("serverError", { status, title: SERVER_PHRASES[status] ?? "Server Error" });
}

/** Keys of the problems that occur before the handler runs. */
export type StandardKey =
  | "pathNotFound"
  | "methodNotAllowed"
  | "notAcceptable"
  | "unsupportedMedia"
  | "bodyTooLarge"
  | "malformedBody"
  | "notStored"
  | "storageFull"
  | "invalidInput";
export type StandardProblem = Problem<StandardKey>;

/** Maximum length of the description of one occurrence, in characters. */
const MAX_TITLE_CHARS = 1_800;

/** The title lists the invalid fields. `more` says how many are not listed. */
export function createInvalidInput(issues: readonly ValidationIssue[], more = ""): Problem<"invalidInput"> {
  const title = shorten(formatIssues(issues), MAX_TITLE_CHARS);
  return fail("invalidInput", { title: more === "" ? title : `${title} ${more}`, issues });
}

/** `path` is the location of the error in the JSON, if known. */
export function createMalformedBody(message: string, path?: Path): Problem<"malformedBody"> {
  const issues = path === undefined ? undefined : [{ path, message }];
  return fail("malformedBody", { title: `The body cannot be read: ${message}.`, issues });
}

export function createBodyTooLarge(limitBytes: number): Problem<"bodyTooLarge"> {
  return fail("bodyTooLarge", { title: `The body is larger than ${limitBytes} bytes.` });
}

/** Reports a malformed path or query. Unlike other invalid input, the problem has no issues. */
export function createMalformedTarget(title: string): Problem<"invalidInput"> {
  return fail("invalidInput", { title });
}

/** Completes a problem with the defaults of the catalogue. */
export function resolveProblem(catalogue: Catalogue, { key, status, title, issues, headers }: Problem) {
  const definition = catalogue[key];
  if (definition === undefined) throw new Error(`The service has no problem ${key}`);
  return {
    status: status ?? definition.status,
    title: definition.title,
    /** Description of this occurrence. */
    detail: shorten(title ?? definition.title, MAX_TITLE_CHARS + 50),
    headers: { ...definition.headers, ...headers },
    issues: issues ?? definition.issues,
  };
}
