// Exchanges as the pipeline makes them.

import { type Exchange, openExchange } from "../../src/http/exchange.ts";
import type { Journal } from "../../src/journal/journal.ts";
import type { JournalEntry } from "../../src/journal/recorded-exchange.ts";

/** A GET of the museum's list, just arrived. */
export function arrived(seq: number, at: number): Exchange {
  return openExchange({
    seq,
    world: "main",
    at,
    method: "GET",
    path: "/special-events",
    search: "",
    headers: new Headers(),
    base: "/museum/v1.1",
    origin: "http://localhost",
    service: "museum",
    environment: "museum",
    operation: "museum.listSpecialEvents",
    params: {},
  });
}

/** Adds one to the journal. */
export function open(journal: Journal, at = Date.parse("2026-03-01T09:00:00Z")): JournalEntry {
  return journal.open(arrived(journal.nextSeq(), at));
}

/** Adds one that ends at once. */
export function record(journal: Journal, parts: Partial<Exchange> = {}): void {
  const entry = open(journal);
  Object.assign(entry.exchange, { status: 200, ...parts });
  journal.end(entry);
}
