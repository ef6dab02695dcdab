/** The exchanges of one journal in order of arrival. The oldest of those that have ended make room; open ones stay. */

import type { Exchange } from "../http/exchange.ts";
import { EvictedExchanges } from "./evicted.ts";
import { MAX_JOURNAL_BYTES, MAX_JOURNAL_ENTRIES, type MemoryLimit } from "./memory-limit.ts";
import type { JournalEntry } from "./recorded-exchange.ts";
import { RedactionMarks } from "./redaction.ts";
import { trimExchange } from "./trim.ts";

export class StoredExchanges {
  readonly #bodyBytes: number;
  readonly #memory: MemoryLimit;
  readonly open = new Set<JournalEntry>();
  #all: JournalEntry[] = [];
  #bytes = 0;
  evicted = new EvictedExchanges();
  /** Numbers of the redacted secrets. */
  marks = new RedactionMarks();

  constructor(bodyBytes: number, memory: MemoryLimit) {
    this.#bodyBytes = bodyBytes;
    this.#memory = memory;
    memory.enter(this);
  }

  get all(): readonly JournalEntry[] {
    return this.#all;
  }

  /** Of those that have ended; open ones weigh nothing. */
  get weight(): { readonly entries: number; readonly bytes: number } {
    return { entries: this.#all.length - this.open.size, bytes: this.#bytes };
  }

  add(exchange: Exchange): JournalEntry {
    const entry: JournalEntry = { exchange, bytes: 0, marks: this.marks, recorded: undefined };
    this.#all.push(entry);
    this.open.add(entry);
    return entry;
  }

  /** False for one that was discarded while it was open. */
  end(entry: JournalEntry): boolean {
    const { exchange } = entry;
    exchange.state = "ended";
    exchange.waits = undefined;
    if (!this.open.delete(entry)) return false;
    exchange.body = undefined;
    entry.bytes = trimExchange(exchange, this.#bodyBytes);
    this.#bytes += entry.bytes;
    this.#memory.bytes += entry.bytes;
    while (this.#isFull && this.weight.entries > 1) this.dropOldest();
    if (this.#memory.bytes > this.#memory.maxBytes) this.#memory.relieve();
    return true;
  }

  get #isFull(): boolean {
    return this.weight.entries > MAX_JOURNAL_ENTRIES || this.#bytes > MAX_JOURNAL_BYTES;
  }

  /** Of what is dropped only its kind is remembered. */
  dropOldest(): void {
    const index = this.#all.findIndex((entry) => !this.open.has(entry));
    const oldest = index === 0 ? this.#all.shift() : this.#all.splice(index, 1)[0];
    if (oldest === undefined) return;
    this.#bytes -= oldest.bytes;
    this.#memory.bytes -= oldest.bytes;
    this.evicted.add(oldest.exchange);
  }

  /** Forgets all that has ended, and with `open` the rest as well. */
  discard({ open }: { readonly open: boolean }): void {
    if (open) this.open.clear();
    this.#all = [...this.open];
    this.#memory.bytes -= this.#bytes;
    this.#bytes = 0;
    this.evicted = new EvictedExchanges();
    if (this.open.size === 0) this.marks = new RedactionMarks();
  }

  close(): void {
    this.#memory.leave(this);
  }
}
