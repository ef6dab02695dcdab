/** How a request ends: in a reply, or in a problem of its service's catalogue. The codec decides how each looks. */

import { shorten } from "../errors/quote.ts";
import type { Path } from "../http/json-pointer.ts";
import type { ValidationIssue } from "./issue.ts";
import { formatIssues } from "./wording.ts";

export type ProblemDefinition = {
  readonly status: number;
  /** Shown when a problem has no title of its own. */
  readonly title: string;
  /** For readers of the document, where the title does not tell: when it comes. */
  readonly when?: string;
  /** Where it is documented: document and section, or `Assumed: …` with the reason. */
  readonly source: string;
  /** Sent with every such problem. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Shown when a rule injects this problem without violations of its own. */
  readonly issues?: readonly ValidationIssue[];
};

/** The problems of a service, by key. Keys name the state of things (`soldOut`), not the status. */
export type Catalogue = Readonly<Record<string, ProblemDefinition>>;

export function defineProblems<const C extends Catalogue>(catalogue: C): C {
  return catalogue;
}

/** The problems of a sandbox that stores its state, and cannot. */
export const NOT_STORED = {
  status: 503,
  source: "Assumed: only with --data.",
} as const;
export const STORAGE_FULL = {
  status: 507,
  source: "Assumed: only with --data.",
} as const;

/** What every service may answer when it breaks, whatever it documents; the status is that of the case. */
export const SERVER_ERROR = {
  status: 500,
  title: "Internal Server Error",
  source: "Assumed: only if a request asks for it.",
} as const;

export const SERVER_PHRASES: Readonly<Record<number, string>> = {
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
  507: "Insufficient Storage",
};

/** A success, as the pipeline sees it. */
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

/** Why one request fails: a problem of the catalogue by its key, and what is special about this case. */
export type Problem<K extends string = string> = {
  readonly kind: "problem";
  readonly key: K;
  /** Left out: that of the catalogue. */
  readonly status?: number | undefined;
  readonly title?: string | undefined;
  readonly issues?: readonly ValidationIssue[] | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What the handler wrote before it failed stays; otherwise a problem undoes it. */
  readonly keepsChanges?: true | undefined;
};

export type ProblemDetails = Omit<Problem, "kind" | "key">;

export function fail<K extends string>(key: K, details: ProblemDetails = {}): Problem<K> {
  return { kind: "problem", key, ...details };
}

export function isProblem(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && (value as { kind?: unknown }).kind === "problem";
}

/** The service breaks with this status. */
export function createServerError(status: number): Problem<"serverError"> {
  return fail("serverError", { status, title: SERVER_PHRASES[status] ?? "Server Error" });
}

/** Keys of the problems with which a request fails before any handler sees it. */
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

/** Of the text of one case. */
const MAX_TITLE_CHARS = 1_800;

/** For input that does not fit its declaration: the title names the failing fields and their checks, and how many `more`. */
export function createInvalidInput(issues: readonly ValidationIssue[], more = ""): Problem<"invalidInput"> {
  const title = shorten(formatIssues(issues), MAX_TITLE_CHARS);
  return fail("invalidInput", { title: more === "" ? title : `${title} ${more}`, issues });
}

/** For a body that is no JSON; `path` names the place where there is one. */
export function createMalformedBody(message: string, path?: Path): Problem<"malformedBody"> {
  const issues = path === undefined ? undefined : [{ path, message }];
  return fail("malformedBody", { title: `The body cannot be read: ${message}.`, issues });
}

export function createBodyTooLarge(limitBytes: number): Problem<"bodyTooLarge"> {
  return fail("bodyTooLarge", { title: `The body is larger than ${limitBytes} bytes.` });
}

/** For a path or query that cannot be read; unlike other invalid input it has no issues. */
export function createMalformedTarget(title: string): Problem<"invalidInput"> {
  return fail("invalidInput", { title });
}

/** A problem with what its catalogue says about it. */
export function resolveProblem(catalogue: Catalogue, { key, status, title, issues, headers }: Problem) {
  const definition = catalogue[key];
  if (definition === undefined) throw new Error(`The service has no problem ${key}`);
  return {
    status: status ?? definition.status,
    title: definition.title,
    /** The text for this case. */
    detail: shorten(title ?? definition.title, MAX_TITLE_CHARS + 50),
    headers: { ...definition.headers, ...headers },
    issues: issues ?? definition.issues,
  };
}
