/** An exchange: a request with its response. The pipeline fills it in, and the journal stores it. */

import type { StoreChange } from "../world/store.ts";
import type { Timestamp } from "../world/time.ts";
import type { RequestHeaders } from "./incoming-request.ts";

/** Keys of findings: remarks of the sandbox about an exchange. */
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

/** Whether a rule applied to an exchange, with the reason. An exchange lists at most 50 skipped rules. */
export type RuleTrace = {
  readonly rule: string;
  readonly outcome: "applied" | "skipped";
  readonly why: string;
};

/** Fields of an exchange on arrival. */
export type ExchangeStart = {
  /** Number in order of arrival in this world, from 1. */
  readonly seq: number;
  readonly world: string;
  /** Simulated time of the whole exchange. All its timestamps are equal. */
  readonly at: Timestamp;
  readonly method: string;
  /** Path after `base`, without query and unnecessary escapes. */
  readonly path: string;
  /** `json` if the path ended in `.json`, for services with such suffixes. */
  readonly suffix?: string | undefined;
  /** Undecoded query with its `?`, or empty. */
  readonly search: string;
  readonly headers: RequestHeaders;
  /** URL prefix of the service: `/account`, `/~w1/account`, or empty. */
  readonly base: string;
  /** Origin of the URL: `http://localhost:4010`. */
  readonly origin: string;
  readonly service?: string | undefined;
  /** Key of the environment, such as `accountSandbox`. */
  readonly environment?: string | undefined;
  /** Full name, such as `account.createPreSaleAction`. */
  readonly operation?: string | undefined;
  readonly params: Readonly<Record<string, string>>;
  /** Wall-clock time of the arrival. No response depends on it. */
  readonly startedMs?: number | undefined;
};

/** Part of a body that was sent: the first `bytes` of `of` bytes. */
export type DeliveredPart = { readonly bytes: number; readonly of: number };

export type Exchange = ExchangeStart & {
  /** An exchange ends when its response was sent, or can no longer be sent. */
  state: "open" | "ended";
  /** What an open exchange waits for: `delay 700 ms, rule use-1`, `gate pay, rule slow`, `body`, `store`. */
  waits: string | undefined;
  query: Readonly<Record<string, unknown>>;
  /** The body as a string, if it was read. */
  requestText: string | undefined;
  /** Size of the whole body, if the journal stores only its start. */
  requestBytes: number | undefined;
  body: unknown;
  /** Name of the authenticated user. */
  user: string | undefined;
  /** Negotiated media type of the response. */
  media: string | undefined;
  findings: Finding[];
  rules: RuleTrace[];
  changes: readonly StoreChange[];
  /** Link to the next page, if the response has one. */
  nextPage: string | undefined;
  /** Key of the problem in the response. */
  problem: string | undefined;
  /** Status that the client received. Undefined without a response. */
  status: number | undefined;
  /** Status of a response that was created but not sent. */
  made: number | undefined;
  /** Headers by lowercase name. */
  responseHeaders: Readonly<Record<string, string>>;
  responseBody: string | Uint8Array | undefined;
  /** Size of the whole response body, if the journal stores only its start. */
  responseBytes: number | undefined;
  /** The part of the body that was sent, if a fault cut it. */
  sent: DeliveredPart | undefined;
  /** Fault that replaced or broke the response. */
  fault: string | undefined;
  /** Whether the client disconnected before the response. */
  gone: true | undefined;
  /** Duration in ms of wall-clock time. */
  durationMs: number | undefined;
};

const EMPTY_RECORD: Readonly<Record<string, string>> = Object.freeze({});

/** Creates every exchange, so that all objects have the same shape. This keeps property access fast. */
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
