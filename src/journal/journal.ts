/**
 * The exchanges of one world in order: bounded and redacted, to be counted, queried, verified and waited
 * for. Recording costs the same at any length; what a reader sees is computed when first read.
 */

import { NO_HEADERS } from "../operation/asked.ts";
import type { Exchange, Finding } from "../operation/exchange.ts";
import { wallClock } from "../world/clock.ts";
import { Listeners, type Waiting } from "../world/listeners.ts";
import { parseWithin } from "../world/time.ts";
import { UsageError } from "../world/usage-error.ts";
import {
  checkFilter,
  describeFilter,
  differences,
  type JournalFilter,
  matchesFilter,
} from "./journal-filter.ts";
import {
  isUnmatched,
  lighten,
  type RecordedExchange,
  toRecorded,
  WEIGHT_BYTES,
} from "./recorded-exchange.ts";
import { Secrets } from "./redaction.ts";
import { type Expectation, type NearMiss, type Verification, verifyJournal } from "./verify.ts";

export type { JournalFilter } from "./journal-filter.ts";

export const MOST_ENTRIES = 1_000;
export const MOST_BYTES = 16 * 1_048_576;
const MOST_NOTICES = 100;
const SHOWN_NEAR_MISSES = 3;

export type JournalParts = Partial<Waiting> & {
  /** The names of all operations; if given, a filter that names another is refused. */
  readonly operations?: (() => readonly string[]) | undefined;
};

/** `recorded` is created on first access; from then on `exchange` has only what filters look at. */
type Slot = { exchange: Exchange; readonly bytes: number; recorded: RecordedExchange | undefined };
/** The dropped exchanges of one kind: an outline of one, how many there were, and the highest number. */
type Dropped = { readonly kind: Exchange; count: number; lastSeq: number };

export class Journal {
  readonly #waiting: Waiting;
  readonly #operations: (() => readonly string[]) | undefined;
  /** A ring: the oldest is at `#start`. */
  #ring: (Slot | undefined)[] = [];
  #start = 0;
  #size = 0;
  #bytes = 0;
  #opened = 0;
  #evicted = 0;
  #generation = 0;
  #dropped = new Map<string, Dropped>();
  #notices: Finding[] = [];
  readonly #noticed = new Set<(notice: Finding) => void>();
  readonly #listeners = new Listeners<Slot>((message) => this.notice({ key: "listenerFailed", message }));

  constructor({ operations, wall = wallClock, ended }: JournalParts = {}) {
    this.#waiting = { wall, ended };
    this.#operations = operations;
  }

  /** The number of the next exchange. */
  nextSeq(): number {
    this.#opened += 1;
    return this.#opened;
  }

  /** Changes with each `clear`, so that exchanges opened before it can be dropped. */
  get generation(): number {
    return this.#generation;
  }

  /** Stores a finished exchange and notifies the subscribers; one opened in another generation is dropped. */
  record(exchange: Exchange, generation: number = this.#generation): void {
    if (generation !== this.#generation) return;
    exchange.body = undefined;
    const { requestText = "", responseBody = "", changes } = exchange;
    // Most exchanges are: there is nothing to cut and no change to weigh.
    const isSmall = requestText.length + responseBody.length < WEIGHT_BYTES && changes.length === 0;
    const slot: Slot = {
      exchange,
      bytes: isSmall ? 2 * WEIGHT_BYTES : lighten(exchange),
      recorded: undefined,
    };
    if (this.#size === MOST_ENTRIES) this.#evict();
    this.#ring[(this.#start + this.#size) % MOST_ENTRIES] = slot;
    this.#size += 1;
    this.#bytes += slot.bytes;
    while (this.#bytes > MOST_BYTES && this.#size > 1) this.#evict();
    if (this.#listeners.all.size > 0) this.#listeners.emit(slot);
  }

  /** In order of arrival. Like every method with a filter, throws a UsageError if it names something unknown. */
  list(filter: JournalFilter = {}): readonly RecordedExchange[] {
    return this.#matching(filter).map(recordedOf);
  }

  /** Those that met no operation, and those of which something was found that a report may tell. */
  suspicious(findings: readonly string[]): readonly RecordedExchange[] {
    const isSuspicious = ({ exchange }: Slot): boolean =>
      isUnmatched(exchange) || exchange.findings.some(({ key }) => findings.includes(key));
    return this.#slots(isSuspicious).map(recordedOf);
  }

  count(filter: JournalFilter = {}): number {
    return this.#matching(filter).length;
  }

  get last(): RecordedExchange | undefined {
    const slot = this.#matching({}).at(-1);
    return slot === undefined ? undefined : recordedOf(slot);
  }

  /** How many of the oldest exchanges were dropped. */
  get evicted(): number {
    return this.#evicted;
  }

  /** How much is stored: at most 1,000 entries and, by the journal's own estimate, 16 MiB. */
  get held(): { readonly entries: number; readonly bytes: number } {
    return { entries: this.#size, bytes: this.#bytes };
  }

  /** How many of the dropped exchanges may have matched the filter. */
  evictedPossibly(filter: JournalFilter): number {
    const { operation, service, environment, status, problem, after = 0 } = filter;
    const known = { operation, service, environment, status, problem };
    const possible = [...this.#dropped.values()].filter(
      ({ kind, lastSeq }) => lastSeq > after && matchesFilter(kind, known),
    );
    return possible.reduce((sum, { count }) => sum + count, 0);
  }

  /** The exchanges closest to the filter, and where they differ; fewest differences first. */
  nearest(filter: JournalFilter): readonly NearMiss[] {
    return this.#slots()
      .map(({ exchange }) => ({ exchange, differs: differences(exchange, filter) }))
      .filter(
        ({ exchange, differs }) =>
          (differs.length > 0 && differs.length < Object.keys(filter).length) ||
          wasMeantFor(exchange, filter),
      )
      .sort(
        (one, other) => one.differs.length - other.differs.length || other.exchange.seq - one.exchange.seq,
      )
      .slice(0, SHOWN_NEAR_MISSES)
      .map(({ exchange: { seq, operation, method, path }, differs }) => ({
        seq,
        operation: operation ?? `${method} ${path}`,
        differs,
      }));
  }

  /**
   * The first matching exchange, including one that has already ended; `after` excludes earlier ones. `within`, in
   * wall time, is 5 s by default; then it rejects with a UsageError (`timedOut`) that names the nearest exchanges.
   */
  async waitFor(
    filter: JournalFilter,
    { within = "5s" }: { readonly within?: string } = {},
  ): Promise<RecordedExchange> {
    const limitMs = parseWithin(within);
    const [found] = this.#matching(filter);
    if (found !== undefined) return recordedOf(found);
    const seen = await this.#next(filter, limitMs);
    if (seen !== undefined) return recordedOf(seen);
    const near = this.nearest(filter).map(describeNearMiss).join("");
    throw new UsageError(
      "timedOut",
      `No exchange with ${describeFilter(filter)} ended within ${within}.${near}`,
    );
  }

  /** Whether the journal meets the expectation. Never throws for one that is not met; see `verify.ts`. */
  async verify(expectation: Expectation): Promise<Verification> {
    parseWithin(expectation.within ?? "0s");
    return verifyJournal(this, expectation);
  }

  /** Resolves with true when another matching exchange ends, or with false after `limitMs` of wall time. */
  async another(filter: JournalFilter, limitMs: number): Promise<boolean> {
    return (await this.#next(filter, limitMs)) !== undefined;
  }

  /** Wall time, for waiting. */
  now(): number {
    return this.#waiting.wall.now();
  }

  /** Forgets everything and starts again at number 1. */
  clear(): void {
    this.#ring = [];
    this.#dropped = new Map();
    this.#notices = [];
    this.#start = this.#size = this.#bytes = this.#opened = this.#evicted = 0;
    this.#generation += 1;
  }

  /** What went wrong outside the exchanges, such as a mail that could not be sent: the newest 100, oldest first. */
  get notices(): readonly Finding[] {
    return this.#notices;
  }

  notice({ key, message }: Finding): void {
    const notice = { key, message: new Secrets().text(message) };
    this.#notices = [...this.#notices, notice].slice(-MOST_NOTICES);
    for (const listener of this.#noticed) listener(notice);
  }

  /** Calls `listener`, which must not throw, for each notice from now on. Returns a function that unsubscribes it. */
  onNotice(listener: (notice: Finding) => void): () => void {
    this.#noticed.add(listener);
    return () => this.#noticed.delete(listener);
  }

  /** Calls `listener` for each exchange that ends from now on. Returns a function that unsubscribes it. */
  subscribe(listener: (exchange: RecordedExchange) => void): () => void {
    return this.#listeners.add((slot) => listener(recordedOf(slot)));
  }

  #next(filter: JournalFilter, limitMs: number): Promise<Slot | undefined> {
    return this.#listeners.next(({ exchange }) => matchesFilter(exchange, filter), limitMs, this.#waiting);
  }

  #matching(filter: JournalFilter): Slot[] {
    const keys = checkFilter(filter, this.#operations?.());
    return this.#slots(keys.length === 0 ? undefined : ({ exchange }) => matchesFilter(exchange, filter));
  }

  /** The stored exchanges in order of arrival; the ring has them in the order in which they ended. */
  #slots(isWanted: (slot: Slot) => boolean = () => true): Slot[] {
    const slots: Slot[] = [];
    for (let index = 0; index < this.#size; index += 1) {
      const slot = this.#ring[(this.#start + index) % MOST_ENTRIES];
      if (slot !== undefined && isWanted(slot)) slots.push(slot);
    }
    return slots.sort((one, other) => one.exchange.seq - other.exchange.seq);
  }

  #evict(): void {
    const oldest = this.#ring[this.#start];
    this.#ring[this.#start] = undefined;
    this.#start = (this.#start + 1) % MOST_ENTRIES;
    this.#size -= 1;
    if (oldest === undefined) return;
    this.#bytes -= oldest.bytes;
    this.#evicted += 1;
    this.#remember(oldest.exchange);
  }

  /** Counts a dropped exchange by its kind, which is all that is left of it. */
  #remember(exchange: Exchange): void {
    const { seq, environment, operation, status, problem } = exchange;
    const name = `${environment} ${operation} ${status} ${problem}`;
    let dropped = this.#dropped.get(name);
    if (dropped === undefined) {
      dropped = { kind: outlineOf(exchange), count: 0, lastSeq: 0 };
      this.#dropped.set(name, dropped);
    }
    dropped.count += 1;
    dropped.lastSeq = Math.max(dropped.lastSeq, seq);
  }
}

/** Whether a request that met no operation came closest to one that the filter names. */
function wasMeantFor({ findings }: Exchange, { operation }: JournalFilter): boolean {
  const wanted = [operation ?? []].flat();
  return findings.some(
    ({ key, message }) => key === "nearMiss" && wanted.some((name) => message.includes(`${name},`)),
  );
}

function recordedOf(slot: Slot): RecordedExchange {
  if (slot.recorded !== undefined) return slot.recorded;
  const recorded = toRecorded(slot.exchange);
  slot.recorded = recorded;
  slot.exchange = outlineOf(slot.exchange);
  return recorded;
}

/** What filters look at, without the texts that make an exchange large and may contain secrets. */
function outlineOf(exchange: Exchange): Exchange {
  const empty = { search: "", requestText: "", responseBody: "", changes: [] };
  return { ...exchange, ...empty, headers: NO_HEADERS, responseHeaders: {} };
}

function describeNearMiss({ seq, operation, differs }: NearMiss): string {
  return ` Nearest: #${seq} ${operation}: ${differs.join("; ")}.`;
}
