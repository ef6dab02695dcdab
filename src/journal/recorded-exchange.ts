/** Converts exchanges to the JSON that readers of the journal see, with redacted secrets. */

import type { Exchange, Finding, RuleTrace } from "../http/exchange.ts";
import { compareFields, toRequestHeaders } from "../http/incoming-request.ts";
import type { Matchable } from "../rules/matcher.ts";
import { toHex } from "../world/bytes.ts";
import { getPlatform } from "../world/platform.ts";
import type { Entity, StoreChange } from "../world/store.ts";
import { parseTimestamp, toIso } from "../world/time.ts";
import { type RedactionMarks, Redactor } from "./redaction.ts";

/** The change of one entity. If `kind` is `changed`, `before` and `after` contain only the fields that differ. */
export type RecordedChange = {
  /** Environment and name of the collection: `museum/specialEvents`. */
  readonly collection: string;
  readonly key: string;
  readonly kind: "created" | "changed" | "removed";
  readonly before?: Entity;
  readonly after?: Entity;
};

/** Makes members optional if they may be undefined. */
type Plain<T> = {
  readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };
/** Fields of an exchange that the journal hides (`Internal`) or shows in another form (`Converted`). */
type Internal = "body" | "suffix" | "requestBytes" | "responseBytes";
type Converted = "at" | "params" | "headers" | "responseBody" | "rules" | "findings" | "changes";

/**
 * A request with its response. Everything but `origin` and wall-clock times depends only on seed, clock and requests.
 * Text bodies are cut after `bodyBytes` (default: 8 KiB). Binary bodies have this form: `[binary 812 bytes, #1a2b3c4d]`.
 */
export type RecordedExchange = Plain<Omit<Exchange, Internal | Converted>> & {
  /** Arrival time by the sandbox clock, as ISO 8601. */
  readonly at: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Response body. If a fault truncated it, only the part that was sent. */
  readonly responseBody?: string;
  readonly rules: readonly RuleTrace[];
  readonly findings: readonly Finding[];
  readonly changes: readonly RecordedChange[];
};

/** A stored exchange. `recorded` is its redacted form, created on read and cached when the exchange has ended. */
export type JournalEntry = {
  readonly exchange: Exchange;
  /** Estimated size in bytes. 0 while the exchange is open. */
  bytes: number;
  readonly marks: RedactionMarks;
  recorded: RecordedExchange | undefined;
};

export function getRecorded(entry: JournalEntry): RecordedExchange {
  const recorded = entry.recorded ?? toRecorded(entry.exchange, entry.marks);
  if (entry.exchange.state === "ended") entry.recorded = recorded;
  return recorded;
}

export function redactMessages(
  exchange: Exchange,
  messages: readonly string[],
  marks: RedactionMarks,
): readonly string[] {
  const secrets = new Redactor(marks);
  redactParts(exchange, secrets);
  return messages.map((message) => secrets.message(message));
}

function toRecorded(exchange: Exchange, marks: RedactionMarks): RecordedExchange {
  const secrets = new Redactor(marks);
  const parts = redactParts(exchange, secrets);
  const { body: _body, suffix: _suffix, requestBytes: _whole, responseBytes: _all, ...seen } = exchange;
  const known = Object.entries({ ...seen, at: toIso(seen.at), ...parts });
  // Safe cast: `known` contains each field of the type, in its converted form.
  return Object.fromEntries(known.filter(([, value]) => value !== undefined)) as unknown as RecordedExchange;
}

function redactParts(exchange: Exchange, secrets: Redactor) {
  const headers = [...exchange.headers].map(([name, value]) => [name, secrets.header(name, value)]);
  const { request, ...summary } = redactSummary(exchange, secrets);
  return {
    ...summary,
    params: secrets.value(exchange.params),
    query: secrets.value(exchange.query),
    headers: Object.fromEntries(headers),
    responseHeaders: Object.fromEntries(
      Object.entries(exchange.responseHeaders)
        .sort(compareFields)
        .map(([name, value]) => [name, secrets.message(secrets.header(name, value))]),
    ),
    ...request,
    ...formatBody("responseBody", exchange.responseBody, exchange.responseBytes, secrets),
    changes: exchange.changes.map((change) => toRecordedChange(change, secrets)),
  };
}

/** The fields of an exchange in a log line or an event. */
export type ExchangeSummary = Pick<
  RecordedExchange,
  "seq" | "at" | "method" | "base" | "path" | "search" | "rules" | "findings"
> &
  Readonly<
    Partial<
      Pick<
        Exchange,
        "state" | "waits" | "operation" | "status" | "made" | "sent" | "problem" | "fault" | "gone"
      >
    >
  >;

/** Reads credentials and body first, so that their secrets are also redacted in the other parts. */
function redactSummary(exchange: Exchange, secrets: Redactor) {
  secrets.header("authorization", exchange.headers.get("authorization") ?? "");
  return {
    request: formatBody("requestText", exchange.requestText, exchange.requestBytes, secrets),
    search: secrets.search(exchange.search),
    path: secrets.path(exchange.path),
    rules: exchange.rules.map((trace) => ({ ...trace, why: secrets.message(trace.why) })),
    findings: exchange.findings.map((finding) => ({ ...finding, message: secrets.message(finding.message) })),
  };
}

/** Whether a summary may contain secrets. False for a success without query, rules and findings. */
function hasClientInput({ operation, problem, search, rules, findings }: Exchange): boolean {
  const isSuccess = operation !== undefined && problem === undefined;
  return !isSuccess || search !== "" || rules.length > 0 || findings.length > 0;
}

export function summarizeExchange({ exchange, marks }: JournalEntry): ExchangeSummary {
  const parts = hasClientInput(exchange) ? redactSummary(exchange, new Redactor(marks)) : exchange;
  const { path, search, rules, findings } = parts;
  const { seq, at, method, base, operation, status, made, sent, problem, fault, gone } = exchange;
  const open = exchange.state === "open" ? { state: exchange.state, waits: exchange.waits } : {};
  const shown = { path, search, rules, findings, ...open };
  return { seq, at: toIso(at), method, base, operation, status, made, sent, problem, fault, gone, ...shown };
}

/** Converts a recorded exchange to the input of matchers, which see a redacted value only as `[redacted #1]`. */
export function toMatchable(exchange: RecordedExchange): Matchable {
  const { headers, requestText = "", responseBody = "" } = exchange;
  return {
    ...exchange,
    at: parseTimestamp(exchange.at),
    headers: toRequestHeaders(headers),
    requestBytes: parseCutLength(requestText),
    responseBytes: parseCutLength(responseBody),
  };
}

/** Removes values that differ from run to run, such as ports. A repeated test then gives the same JSON, byte for byte. */
export function toComparable(exchange: RecordedExchange): RecordedExchange {
  const { startedMs: _startedMs, durationMs: _durationMs, origin, ...kept } = exchange;
  const plain = (value: string): string => value.replaceAll(origin, "http://localhost");
  const headers = Object.fromEntries(
    Object.entries(kept.headers).filter(([name]) => !["host", "user-agent", "connection"].includes(name)),
  );
  return {
    ...kept,
    origin: "http://localhost",
    headers,
    ...(kept.responseBody === undefined ? {} : { responseBody: plain(kept.responseBody) }),
  };
}

export function toRecordedChange(
  { collection, key, before, after }: StoreChange,
  secrets: Redactor,
): RecordedChange {
  const redacted = (entity: Entity): Entity => secrets.value(entity) as Entity; // Safe: `value` returns an object for an object.
  const entry = { collection, key: secrets.text(key) };
  if (before === undefined)
    return { ...entry, kind: "created", ...(after ? { after: redacted(after) } : {}) };
  if (after === undefined) return { ...entry, kind: "removed", before: redacted(before) };
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const differing = (entity: Entity): Entity =>
    Object.fromEntries(names.filter((name) => name in entity).map((name) => [name, entity[name]]));
  const changed = { before: redacted(differing(before)), after: redacted(differing(after)) };
  return { ...entry, kind: "changed", ...changed };
}

function formatBody(
  name: string,
  body: string | Uint8Array | undefined,
  whole: number | undefined,
  secrets: Redactor,
) {
  if (body === undefined) return {};
  if (typeof body !== "string") return { [name]: describeBinary(body) };
  const cut = whole === undefined ? "" : `… [cut after ${getPlatform().utf8Length(body)} of ${whole} bytes]`;
  return { [name]: secrets.body(body) + cut };
}

const CUT_MARK = /… \[cut after \d+ of (\d+) bytes]$/;

export function parseCutLength(text: string): number | undefined {
  const bytes = CUT_MARK.exec(text)?.[1];
  return bytes === undefined ? undefined : Number(bytes);
}

/** Example: `[binary 812 bytes, #1a2b3c4d]` */
export function describeBinary(bytes: Uint8Array): string {
  const hash = toHex(getPlatform().digest(bytes)).slice(0, 8);
  return `[binary ${bytes.byteLength} bytes, #${hash}]`;
}
