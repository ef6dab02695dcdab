/** Stores the exchanges of one journal. Saves memory: cuts long bodies, omits large entities, drops the oldest exchanges. */

import type { Exchange } from "../http/exchange.ts";
import { fromUtf8, toUtf8 } from "../world/bytes.ts";
import { getPlatform } from "../world/platform.ts";
import type { Entity, StoreChange } from "../world/store.ts";
import { EvictedExchanges } from "./evicted.ts";
import { MAX_JOURNAL_BYTES, MAX_JOURNAL_ENTRIES, type MemoryLimit } from "./memory-limit.ts";
import { describeBinary, type JournalEntry } from "./recorded-exchange.ts";
import { RedactionMarks } from "./redaction.ts";

/** Maximum size of the stored entity changes of one exchange, estimated in bytes. */
const MAX_CHANGE_BYTES = 16_384;
/** Estimated size of an exchange without its strings, in bytes. Its redacted copy, which a read creates, has the same size. */
const EXCHANGE_BYTES = 2_048;

export class StoredExchanges {
  readonly #bodyBytes: number;
  readonly #memory: MemoryLimit;
  readonly open = new Set<JournalEntry>();
  #all: JournalEntry[] = [];
  #bytes = 0;
  /** Number of this journal on the server; see `MemoryLimit.journalCount`. */
  number: number;
  evicted = new EvictedExchanges();
  marks = new RedactionMarks();

  constructor(bodyBytes: number, memory: MemoryLimit) {
    this.#bodyBytes = bodyBytes;
    this.#memory = memory;
    this.number = memory.journalCount += 1;
    memory.enter(this);
  }

  get all(): readonly JournalEntry[] {
    return this.#all;
  }

  /** Number and estimated size of the ended exchanges. */
  get weight(): { readonly entries: number; readonly bytes: number } {
    return { entries: this.#all.length - this.open.size, bytes: this.#bytes };
  }

  add(exchange: Exchange): JournalEntry {
    const entry: JournalEntry = { exchange, bytes: 0, marks: this.marks, recorded: undefined };
    this.#all.push(entry);
    this.open.add(entry);
    return entry;
  }

  /** Ends an exchange, and drops the oldest ones above the limits. Returns false if `entry` was discarded while it was open. */
  end(entry: JournalEntry): boolean {
    const { exchange } = entry;
    exchange.state = "ended";
    exchange.waits = undefined;
    if (!this.open.delete(entry)) return false;
    exchange.body = undefined;
    entry.bytes = trimExchange(exchange, this.#bodyBytes);
    this.#bytes += entry.bytes;
    this.#memory.bytes += entry.bytes;
    let count = this.#all.length - this.open.size;
    for (; count > MAX_JOURNAL_ENTRIES || (count > 1 && this.#bytes > MAX_JOURNAL_BYTES); count -= 1)
      this.dropOldest();
    if (this.#memory.bytes > this.#memory.maxBytes) this.#memory.relieve();
    return true;
  }

  dropOldest(): void {
    const index = this.#all.findIndex((entry) => !this.open.has(entry));
    const oldest = index === 0 ? this.#all.shift() : this.#all.splice(index, 1)[0];
    if (oldest === undefined) return;
    this.#bytes -= oldest.bytes;
    this.#memory.bytes -= oldest.bytes;
    this.evicted.add(oldest.exchange);
  }

  /** Drops all ended exchanges, and with `open` also the open exchanges. */
  discard({ open }: { readonly open: boolean }): void {
    if (open) this.open.clear();
    this.#all = [...this.open];
    this.number = this.#memory.journalCount += 1;
    this.#memory.bytes -= this.#bytes;
    this.#bytes = 0;
    this.evicted = new EvictedExchanges();
    if (this.open.size === 0) this.marks = new RedactionMarks();
  }

  close(): void {
    this.#memory.leave(this);
  }
}

/** Cuts an ended exchange to the size limits and returns its estimated size. Keeps secrets: a read redacts only its own copy. */
function trimExchange(exchange: Exchange, bodyBytes: number): number {
  const request = trimBody(exchange.requestText, bodyBytes);
  const response = trimBody(exchange.responseBody, bodyBytes);
  if (request !== undefined) {
    exchange.requestText = request.text;
    exchange.requestBytes = request.of;
  }
  if (response !== undefined) {
    exchange.responseBody = response.text;
    exchange.responseBytes = response.of;
  }
  const { changes, weight } = trimChanges(exchange.changes);
  exchange.changes = changes;
  const bodyChars = (exchange.requestText?.length ?? 0) + (exchange.responseBody?.length ?? 0);
  const { path, search, rules, findings } = exchange;
  const notes = [...rules.map(({ why }) => why), ...findings.map(({ message }) => message)].join("");
  return 2 * EXCHANGE_BYTES + bodyChars + weight + path.length + search.length + notes.length;
}

/** Returns the stored part and the full size of a body that is too long, or undefined if the body fits. */
function trimBody(body: string | Uint8Array | undefined, maxBytes: number) {
  if (body === undefined) return undefined;
  if (typeof body !== "string")
    return body.byteLength <= maxBytes ? undefined : { text: describeBinary(body), of: undefined };
  if (body.length * 3 <= maxBytes) return undefined;
  const of = getPlatform().utf8Length(body);
  if (of <= maxBytes) return undefined;
  // Copies the start: a slice of a string would keep the whole string in memory.
  const text = fromUtf8(toUtf8(body.slice(0, maxBytes)).subarray(0, maxBytes));
  return { text: text.replace(/\uFFFD$/, ""), of };
}

/** Replaces the entities of each change that no longer fits in `MAX_CHANGE_BYTES` by `{ tooLarge: true }`. */
function trimChanges(changes: readonly StoreChange[]) {
  if (changes.length === 0) return { changes, weight: 0 };
  let weight = 0;
  const kept = changes.map((change) => {
    const own = estimateBytes(change.before) + estimateBytes(change.after);
    const fits = weight + own <= MAX_CHANGE_BYTES;
    weight += fits ? own : 0;
    return fits
      ? change
      : { ...change, before: markTooLarge(change.before), after: markTooLarge(change.after) };
  });
  return { changes: kept, weight };
}

function markTooLarge(entity: Entity | undefined): Entity | undefined {
  return entity === undefined ? undefined : { tooLarge: true };
}

/** Approximate size of a value in bytes. Stops counting beyond `limit`. */
function estimateBytes(value: unknown, limit: number = MAX_CHANGE_BYTES): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 8;
  let weight = 16;
  for (const key in value) {
    weight += key.length + estimateBytes((value as Record<string, unknown>)[key], limit - weight); // Safe: `key` is a key of `value`.
    if (weight > limit) return weight;
  }
  return weight;
}
