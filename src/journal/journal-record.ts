/** Converts a journal to JSON and back. Includes secrets, so that a restored journal returns the same query results. */

import { type Exchange, type ExchangeStart, openExchange } from "../http/exchange.ts";
import { toRequestHeaders } from "../http/incoming-request.ts";
import { fromBase64, toBase64 } from "../world/bytes.ts";
import type { Notice } from "./notices.ts";

type BodyRecord = string | { readonly base64: string };

export type ExchangeRecord = Omit<
  { readonly [K in keyof Exchange]?: Exchange[K] },
  "headers" | "responseBody" | "body" | "state" | "waits"
> & {
  readonly headers: Readonly<Record<string, string>>;
  readonly responseBody?: BodyRecord | undefined;
};

export type JournalHead = {
  readonly opened: number;
  readonly evicted: readonly {
    readonly kind: ExchangeRecord;
    readonly count: number;
    readonly lastSeq: number;
  }[];
};

export type JournalRecord = JournalHead & {
  /** Ended exchanges in order of arrival. */
  readonly exchanges: readonly ExchangeRecord[];
  readonly notices: readonly Notice[];
};

export const NO_JOURNAL: JournalRecord = { opened: 0, exchanges: [], evicted: [], notices: [] };

export function writeExchange(exchange: Exchange): ExchangeRecord {
  const { body: _body, state: _state, waits: _waits, headers, responseBody, ...plain } = exchange;
  const known = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  return {
    ...known,
    headers: Object.fromEntries(headers),
    ...(responseBody === undefined ? {} : { responseBody: writeBody(responseBody) }),
  };
}

export function readExchange({ headers, responseBody, ...record }: ExchangeRecord): Exchange {
  const opened = openExchange({ ...record, headers: toRequestHeaders(headers) } as ExchangeStart); // Safe: `writeExchange` wrote `record`.
  const read = { ...record, headers: opened.headers, responseBody: readBody(responseBody) };
  return { ...opened, ...read, state: "ended" } as Exchange;
}

function writeBody(body: string | Uint8Array): BodyRecord {
  return typeof body === "string" ? body : { base64: toBase64(body) };
}

function readBody(body: BodyRecord | undefined): string | Uint8Array | undefined {
  return typeof body === "object" ? fromBase64(body.base64) : body;
}
