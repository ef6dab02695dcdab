/**
 * A journal as plain JSON, and back: the exchanges as they were kept, secrets included, so that every query answers as
 * before. Readers of the journal never see it; whoever has a record of a world does.
 */

import { z } from "zod";
import { headersOf } from "../operation/asked.ts";
import { type Exchange, FINDINGS, type Opening, openExchange } from "../operation/exchange.ts";
import { fromBase64, toBase64 } from "../world/bytes.ts";
import { once } from "../world/once.ts";
import type { Change } from "../world/store.ts";
import type { Notice } from "./notices.ts";

/** Bytes are written in base64. */
type BodyRecord = string | { readonly base64: string };

export type ExchangeRecord = Omit<
  { readonly [K in keyof Exchange]?: Exchange[K] },
  "headers" | "responseBody" | "body"
> & {
  readonly headers: Readonly<Record<string, string>>;
  readonly responseBody?: BodyRecord | undefined;
};

export type JournalBeginning = {
  /** How many exchanges were opened. */
  readonly opened: number;
  /** The kinds of exchanges that were dropped, and how many there were of each. */
  readonly evicted: readonly {
    readonly kind: ExchangeRecord;
    readonly count: number;
    readonly lastSeq: number;
  }[];
};

export type JournalRecord = JournalBeginning & {
  /** In the order in which they ended. */
  readonly exchanges: readonly ExchangeRecord[];
  readonly notices: readonly Notice[];
};

/** Of a journal that has seen nothing. */
export const NO_JOURNAL: JournalRecord = { opened: 0, exchanges: [], evicted: [], notices: [] };

export function writeExchange({ body: _body, ...exchange }: Exchange): ExchangeRecord {
  const { headers, responseBody, ...plain } = exchange;
  const known = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  return {
    ...known,
    headers: Object.fromEntries(headers),
    ...(responseBody === undefined ? {} : { responseBody: writeBody(responseBody) }),
  };
}

export function readExchange({ headers, responseBody, ...record }: ExchangeRecord): Exchange {
  const opened = openExchange({ ...NOT_KNOWN, ...record, headers: headersOf(headers) } as Opening); // checked by the schema
  return { ...opened, ...record, headers: opened.headers, responseBody: readBody(responseBody) } as Exchange;
}

const NOT_KNOWN = {
  suffix: undefined,
  service: undefined,
  environment: undefined,
  operation: undefined,
  startedMs: undefined,
};

function writeBody(body: string | Uint8Array): BodyRecord {
  return typeof body === "string" ? body : { base64: toBase64(body) };
}

function readBody(body: BodyRecord | undefined): string | Uint8Array | undefined {
  return typeof body === "object" ? fromBase64(body.base64) : body;
}

const text = z.string();
const texts = z.record(text, text);
const json = z.record(text, z.json());
const whole = z.int().min(0);

const ExchangeSchema = once(() =>
  z.strictObject({
    seq: z.int().min(1),
    world: text,
    at: z.int(),
    method: text,
    path: text,
    suffix: text.optional(),
    search: text,
    headers: texts,
    base: text,
    origin: text,
    service: text.optional(),
    environment: text.optional(),
    operation: text.optional(),
    params: texts,
    startedMs: z.number().optional(),
    query: json,
    requestText: text.optional(),
    requestBytes: whole.optional(),
    user: text.optional(),
    media: text.optional(),
    findings: z.array(z.strictObject({ key: z.enum(FINDINGS), message: text })),
    rules: z.array(z.strictObject({ rule: text, outcome: z.enum(["applied", "skipped"]), why: text })),
    changes: z.array(
      z.strictObject({ collection: text, key: text, before: json.optional(), after: json.optional() }),
    ) as z.ZodType<readonly Change[], readonly Change[]>,
    nextPage: text.optional(),
    problem: text.optional(),
    status: z.int().optional(),
    made: z.int().optional(),
    responseHeaders: texts,
    responseBody: z.union([text, z.strictObject({ base64: z.base64() })]).optional(),
    responseBytes: whole.optional(),
    sent: z.strictObject({ bytes: whole, of: whole }).optional(),
    fault: text.optional(),
    gone: z.literal(true).optional(),
    durationMs: z.number().optional(),
  }),
);

export const JournalSchema = once(() =>
  z.strictObject({
    opened: whole,
    exchanges: z.array(ExchangeSchema()).max(1_000),
    evicted: z.array(
      z.strictObject({ kind: ExchangeSchema(), count: z.int().min(1), lastSeq: z.int().min(1) }),
    ),
    notices: z.array(z.strictObject({ key: text, message: text })).max(100),
  }),
);
