/** An exchange: a request with its response. The pipeline fills it in, and the journal stores it. */

import type { StoreChange } from "../world/store.ts";
import type { Timestamp } from "../world/time.ts";
import type { RequestHeaders } from "./incoming-request.ts";

/** Keys of the findings, which are notes of the sandbox about an exchange. */
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

/** Whether a rule applied to the exchange, and why. The list in an exchange adds skipped rules only up to 50 entries. */
export type RuleTrace = {
  readonly rule: string;
  readonly outcome: "applied" | "skipped";
  readonly why: string;
};

/** The fields of an exchange that are known when the request arrives. */
export type ExchangeStart = {
  /** Number of the exchange in this world, in order of arrival, from 1. Requests to the control API have 0. */
  readonly seq: number;
  readonly world: string;
  /** Time of the sandbox clock on arrival. The service uses this time for the whole exchange, also after a wait. */
  readonly at: Timestamp;
  readonly method: string;
  /** Path after `base`, without the query. Unnecessary percent-escapes are decoded. */
  readonly path: string;
  /** Format at the end of the path, without its dot: `json` for `/consumptions.json`. Only for services that accept one. */
  readonly suffix?: string | undefined;
  /** Undecoded query with its `?`, or an empty string. */
  readonly search: string;
  readonly headers: RequestHeaders;
  /** Path prefix of the service: `/account`, or `/~w1/account` in the world `w1`. Can be empty on a separate port. */
  readonly base: string;
  /** Origin of the URL: `http://localhost:4010`. */
  readonly origin: string;
  readonly service?: string | undefined;
  /** Key of the environment, such as `accountSandbox`. */
  readonly environment?: string | undefined;
  /** Full name of the operation, such as `account.createPreSaleAction`. */
  readonly operation?: string | undefined;
  readonly params: Readonly<Record<string, string>>;
  /** Wall-clock time of the arrival. Responses do not depend on it, so that they stay deterministic. */
  readonly startedMs?: number | undefined;
};

/** Size of the sent start of a truncated body (`bytes`), and of the whole body (`of`). */
export type DeliveredPart = { readonly bytes: number; readonly of: number };

export type Exchange = ExchangeStart & {
  /** `ended` if the response is ready to send, or if no response will follow. */
  state: "open" | "ended";
  /** What an open exchange waits for, such as `delay 700 ms, rule slow`, `gate pay, rule slow`, `body`, or `store` (of changes). */
  waits: string | undefined;
  query: Readonly<Record<string, unknown>>;
  /** Request body as a string, if it was read. A description of the bytes, if the body is not UTF-8. */
  requestText: string | undefined;
  /** Size of the whole request body in bytes, if the journal stores only the start of the body. */
  requestBytes: number | undefined;
  body: unknown;
  /** Name of the authenticated user. */
  user: string | undefined;
  /** Negotiated media type of the response. */
  media: string | undefined;
  findings: Finding[];
  rules: RuleTrace[];
  changes: readonly StoreChange[];
  /** Path and query of the next page, if the response contains a link to it. */
  nextPage: string | undefined;
  /** Key of the problem in the response. */
  problem: string | undefined;
  /** Status that the client received. Undefined without a response. */
  status: number | undefined;
  /** Status of a response that the service created but the client did not receive. */
  made: number | undefined;
  /** Headers of the response, by lowercase name. */
  responseHeaders: Readonly<Record<string, string>>;
  responseBody: string | Uint8Array | undefined;
  /** Size of the whole response body in bytes, if the journal stores only the start of the body. */
  responseBytes: number | undefined;
  /** Size of the sent part of the response body, if a fault truncated the body. */
  sent: DeliveredPart | undefined;
  /** Connection fault that a rule or the `Prefer` header caused, such as `reset`. */
  fault: string | undefined;
  /** Whether the client disconnected before the response was ready. */
  gone: true | undefined;
  /** Wall-clock time from the arrival to the end of the exchange, in ms. */
  durationMs: number | undefined;
};

const EMPTY_RECORD: Readonly<Record<string, string>> = Object.freeze({});

/** Creates an exchange with all properties. The JavaScript engine accesses objects faster if all have the same properties. */
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
