/** A journal as plain JSON, and back: secrets included, so that every query answers as before. */

import { type Exchange, type ExchangeStart, openExchange } from "../http/exchange.ts";
import { toRequestHeaders } from "../http/incoming-request.ts";
import { fromBase64, toBase64 } from "../world/bytes.ts";
import type { Notice } from "./notices.ts";

/** Bytes are written in base64. */
type BodyRecord = string | { readonly base64: string };

export type ExchangeRecord = Omit<
  { readonly [K in keyof Exchange]?: Exchange[K] },
  "headers" | "responseBody" | "body" | "state" | "waits"
> & {
  readonly headers: Readonly<Record<string, string>>;
  readonly responseBody?: BodyRecord | undefined;
};

export type JournalHead = {
  /** How many exchanges were opened. */
  readonly opened: number;
  /** The kinds of exchanges that were dropped, and how many there were of each. */
  readonly evicted: readonly {
    readonly kind: ExchangeRecord;
    readonly count: number;
    readonly lastSeq: number;
  }[];
};

export type JournalRecord = JournalHead & {
  /** Those that have ended, in order of arrival. */
  readonly exchanges: readonly ExchangeRecord[];
  readonly notices: readonly Notice[];
};

export const NO_JOURNAL: JournalRecord = { opened: 0, exchanges: [], evicted: [], notices: [] };

export function writeExchange({
  body: _body,
  state: _state,
  waits: _waits,
  ...exchange
}: Exchange): ExchangeRecord {
  const { headers, responseBody, ...plain } = exchange;
  const known = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  return {
    ...known,
    headers: Object.fromEntries(headers),
    ...(responseBody === undefined ? {} : { responseBody: writeBody(responseBody) }),
  };
}

export function readExchange({ headers, responseBody, ...record }: ExchangeRecord): Exchange {
  const opened = openExchange({ ...record, headers: toRequestHeaders(headers) } as ExchangeStart); // Safe: writeExchange wrote it.
  const read = { ...record, headers: opened.headers, responseBody: readBody(responseBody) };
  return { ...opened, ...read, state: "ended" } as Exchange;
}

function writeBody(body: string | Uint8Array): BodyRecord {
  return typeof body === "string" ? body : { base64: toBase64(body) };
}

function readBody(body: BodyRecord | undefined): string | Uint8Array | undefined {
  return typeof body === "object" ? fromBase64(body.base64) : body;
}
