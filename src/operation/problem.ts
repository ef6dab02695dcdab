/** Results of a request: a success, or one of the problems that the service defines. The codec renders both. */

import { shorten } from "../errors/quote.ts";
import type { Path } from "../http/json-pointer.ts";
import type { ValidationIssue } from "./issue.ts";
import { formatIssues } from "./wording.ts";

export type ProblemDefinition = {
  readonly status: number;
  /** General description. Responses show it if `Problem.title` is missing. Some codecs also send it as constant `title`. */
  readonly title: string;
  /** Describes in the OpenAPI document when the problem occurs. Default: `title`. */
  readonly when?: string;
  /** Section of the service's document, `Assumed: …` for the parts that we assume, or both. */
  readonly source: string;
  /** Headers of every such response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Issues in the response if the problem has none, for example because a rule lists no violations. */
  readonly issues?: readonly ValidationIssue[];
};

/** Problems by key. Keys name the cause (`soldOut`), not the status. */
export type Catalogue = Readonly<Record<string, ProblemDefinition>>;

export function defineProblems<const C extends Catalogue>(catalogue: C): C {
  return catalogue;
}

/** Parts of the problems that report a failed write of the sandbox's data. */
export const NOT_STORED = {
  status: 503,
  source: "Assumed: Occurs if the sandbox cannot write its data.",
} as const;
export const STORAGE_FULL = {
  status: 507,
  source: "Assumed: Occurs if the disk is full.",
} as const;

/** Problem of the simulated services for 5xx responses. The header `Prefer` can choose another 5xx status. */
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

/** A success response without the types of its operation, for the pipeline. */
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

/** The error of one request: the key of a problem, with details of this occurrence. */
export type Problem<K extends string = string> = {
  readonly kind: "problem";
  readonly key: K;
  /** Default: the status in the catalogue. */
  readonly status?: number | undefined;
  readonly title?: string | undefined;
  readonly issues?: readonly ValidationIssue[] | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** If true, the handler's changes of data are committed. By default, a problem rolls them back. */
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

/** Keys of the problems that the router and the pipeline report. A codec converts them to problems of its service. */
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

/** Maximum length of a list of issues, in characters. A problem's description may have 50 characters more. */
const MAX_TITLE_CHARS = 1_800;

/** The title describes the issues. `more` is a text with the number of further issues, or empty. */
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

/** Creates the problem for a malformed path or query. Unlike other problems with this key, it has no list of issues. */
export function createMalformedTarget(title: string): Problem<"invalidInput"> {
  return fail("invalidInput", { title });
}

/** Adds the defaults from the catalogue to a problem. */
export function resolveProblem(catalogue: Catalogue, { key, status, title, issues, headers }: Problem) {
  const definition = catalogue[key];
  if (definition === undefined) throw new Error(`The service has no problem ${key}`);
  return {
    status: status ?? definition.status,
    title: definition.title,
    /** Description of this occurrence of the problem. */
    detail: shorten(title ?? definition.title, MAX_TITLE_CHARS + 50),
    headers: { ...definition.headers, ...headers },
    issues: issues ?? definition.issues,
  };
}
