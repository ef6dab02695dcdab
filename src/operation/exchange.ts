/** The exchange: one request's life, filled in as it passes through the pipeline and stored by the journal. */

import type { Change } from "../world/store.ts";
import type { Instant } from "../world/time.ts";

export type Finding = {
  /** A stable key: `unknownField`, `unknownQuery`, `undocumentedReply`, `defect`, … */
  readonly key: string;
  readonly message: string;
};

/** Whether a rule took part in an exchange, and why or why not. */
export type RuleTrace = {
  readonly rule: string;
  readonly outcome: "applied" | "skipped";
  readonly why: string;
};

export type Exchange = {
  /** 1, 2, 3, … in order of arrival in this world. */
  readonly seq: number;
  readonly world: string;
  /** The instant of the whole exchange: everything in it that has a time has this one. */
  readonly at: Instant;
  readonly method: string;
  /** The path as sent, without world prefix and query. */
  readonly path: string;
  /** `json` where the path ended in `.json`, for services whose paths have such suffixes. */
  readonly suffix?: string | undefined;
  /** The query as sent, with its `?`, or empty. */
  readonly search: string;
  readonly headers: Headers;
  /** What precedes the service's own paths in an IRI: `/account`, `/~w1/account`, or empty. */
  readonly base: string;
  /** `http://localhost:4010` */
  readonly origin: string;
  service?: string;
  /** The key of the environment, such as `accountSandbox`. */
  environment?: string;
  /** `account.createPreSaleAction` */
  operation?: string;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  /** The body as text, when it could be read. */
  requestText?: string;
  body?: unknown;
  /** Name of the identity that was recognised. */
  identity?: string;
  /** The media type agreed for the answer. */
  media?: string;
  findings: Finding[];
  rules: RuleTrace[];
  changes: readonly Change[];
  /** The link to the next page, where the answer showed one. */
  nextPage?: string;
  /** The key of the problem that was answered. */
  problem?: string;
  status?: number;
  responseHeaders?: Headers;
  responseBody?: string | Uint8Array;
  /** A fault on the wire that replaced or broke the reply. */
  fault?: string;
  /** Wall time at which it began; no answer depends on it. */
  startedMs?: number;
  /** Wall time it took. */
  durationMs?: number;
};
