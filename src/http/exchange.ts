/** The exchange: one request's life, filled in as it passes through the pipeline and stored by the journal. */

import type { StoreChange } from "../world/store.ts";
import type { Timestamp } from "../world/time.ts";
import type { RequestHeaders } from "./incoming-request.ts";

/** What may be found in an exchange. */
export const FINDINGS = [
  "unknownField",
  "unknownQuery",
  "nearMiss",
  "preferenceNotMet",
  "undocumentedReply",
  "mutationMissed",
  "loginRepeated",
  "credentialsUnencoded",
  "credentialsPlaceholder",
  "credentialsLatin1",
  "notStored",
  "defect",
] as const;

export type Finding = { readonly key: (typeof FINDINGS)[number]; readonly message: string };

/** Whether a rule took part in an exchange, and why or why not. An exchange has at most 50 skipped rules. */
export type RuleTrace = {
  readonly rule: string;
  readonly outcome: "applied" | "skipped";
  readonly why: string;
};

/** What is known when it opens. */
export type ExchangeStart = {
  /** 1, 2, 3, … in order of arrival in this world. */
  readonly seq: number;
  readonly world: string;
  /** The instant of the whole exchange: everything in it that has a time has this one. */
  readonly at: Timestamp;
  readonly method: string;
  /** The path as sent, but for escapes that no address needs; without world prefix and query. */
  readonly path: string;
  /** `json` where the path ended in `.json`, for services whose paths have such suffixes. */
  readonly suffix?: string | undefined;
  /** The query as sent, with its `?`, or empty. */
  readonly search: string;
  readonly headers: RequestHeaders;
  /** What precedes the service's own paths in an IRI: `/account`, `/~w1/account`, or empty. */
  readonly base: string;
  /** `http://localhost:4010` */
  readonly origin: string;
  readonly service?: string | undefined;
  /** The key of the environment, such as `accountSandbox`. */
  readonly environment?: string | undefined;
  /** `account.createPreSaleAction` */
  readonly operation?: string | undefined;
  readonly params: Readonly<Record<string, string>>;
  /** Wall time at which it began; no answer depends on it. */
  readonly startedMs?: number | undefined;
};

/** The first `bytes` of a body of so many. */
export type DeliveredPart = { readonly bytes: number; readonly of: number };

export type Exchange = ExchangeStart & {
  /** It is open from its arrival until its answer has left, or cannot leave any more. */
  state: "open" | "ended";
  /** What an open one waits for: `delay 700 ms, rule use-1`, `gate pay, rule slow`, `body`, `store`. */
  waits: string | undefined;
  query: Readonly<Record<string, unknown>>;
  /** The body as text, when it could be read. */
  requestText: string | undefined;
  /** The size of the whole body, where the journal has kept no more than its beginning. */
  requestBytes: number | undefined;
  body: unknown;
  /** The name of the caller that was recognised. */
  user: string | undefined;
  /** The media type agreed for the answer. */
  media: string | undefined;
  findings: Finding[];
  rules: RuleTrace[];
  changes: readonly StoreChange[];
  /** The link to the next page, where the answer showed one. */
  nextPage: string | undefined;
  /** The key of the problem that was answered. */
  problem: string | undefined;
  /** What the client was sent; undefined where no answer left. */
  status: number | undefined;
  /** The status of an answer that was made, its work done, and never left. */
  made: number | undefined;
  /** Names in lower case. */
  responseHeaders: Readonly<Record<string, string>>;
  responseBody: string | Uint8Array | undefined;
  /** As `requestBytes`. */
  responseBytes: number | undefined;
  /** How much of the body left, where a fault cut it off. */
  sent: DeliveredPart | undefined;
  /** A fault on the wire that replaced or broke the reply. */
  fault: string | undefined;
  /** Whether the client left before its answer. */
  gone: true | undefined;
  /** Wall time it took. */
  durationMs: number | undefined;
};

const EMPTY_RECORD: Readonly<Record<string, string>> = Object.freeze({});

/** Every exchange is made here, so that all have one shape. */
export function openExchange(known: ExchangeStart): Exchange {
  return {
    seq: known.seq,
    world: known.world,
    at: known.at,
    method: known.method,
    path: known.path,
    suffix: known.suffix,
    search: known.search,
    headers: known.headers,
    base: known.base,
    origin: known.origin,
    service: known.service,
    environment: known.environment,
    operation: known.operation,
    params: known.params,
    startedMs: known.startedMs,
    state: "open",
    waits: undefined,
    query: EMPTY_RECORD,
    requestText: undefined,
    requestBytes: undefined,
    body: undefined,
    user: undefined,
    media: undefined,
    findings: [],
    rules: [],
    changes: [],
    nextPage: undefined,
    problem: undefined,
    status: undefined,
    made: undefined,
    responseHeaders: EMPTY_RECORD,
    responseBody: undefined,
    responseBytes: undefined,
    sent: undefined,
    fault: undefined,
    gone: undefined,
    durationMs: undefined,
  };
}
