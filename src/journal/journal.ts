/** The request journal of one world. Stores exchanges when they arrive, up to a limit, and redacts secrets on read. */

import { assertFunction } from "../errors/arguments.ts";
import { UsageError } from "../errors/usage-error.ts";
import type { Exchange } from "../http/exchange.ts";
import type { ValidationIssue } from "../operation/issue.ts";
import type { Service } from "../operation/service.ts";
import type { Matcher } from "../rules/grammar.ts";
import { decide } from "../rules/judge.ts";
import { matchesTarget } from "../rules/matcher.ts";
import type { GetCallers } from "../scenario/check-matcher.ts";
import { wallClock } from "../world/clock.ts";
import { Listeners, type WaitForOptions, type WaitOptions } from "../world/listeners.ts";
import { describeExchange } from "./describe-capsule.ts";
import { DEFAULT_BODY_BYTES, type JournalParts } from "./journal-options.ts";
import { type JournalHead, type JournalRecord, readExchange, writeExchange } from "./journal-record.ts";
import { MemoryLimit } from "./memory-limit.ts";
import { Notices } from "./notices.ts";
import { findUnknownNames, readMatcher, toMatcher } from "./read-matcher.ts";
import {
  type ExchangeSummary,
  getRecorded,
  type JournalEntry,
  type RecordedExchange,
  summarizeExchange,
} from "./recorded-exchange.ts";
import type { RedactionMarks } from "./redaction.ts";
import {
  findNearest,
  type JournalSlice,
  type NearMiss,
  type SearchResult,
  searchExchanges,
  selectSlice,
} from "./search.ts";
import { StoredExchanges } from "./stored-exchanges.ts";
import { isUnmatched } from "./unmatched.ts";
import {
  assertVerified,
  type JournalExpectation,
  type Verification,
  verifyJournal,
  waitForExchange,
  waitUntilIdle,
} from "./verify.ts";

export class Journal {
  readonly #waiting: WaitOptions;
  readonly #services: readonly Service[];
  readonly #callersOf: GetCallers;
  readonly #stored: StoredExchanges;
  #opened = 0;
  readonly #begunMs: number;
  #onChange: ((exchange: Exchange | undefined) => void) | undefined;
  readonly notices = new Notices();
  readonly #listeners = new Listeners<JournalEntry>((message) =>
    this.notices.add({ key: "listenerFailed", message }),
  );

  constructor({
    wall = wallClock,
    ended,
    services = [],
    callersOf = () => undefined,
    bodyBytes = DEFAULT_BODY_BYTES,
    room = new MemoryLimit(),
  }: JournalParts = {}) {
    this.#waiting = { wall, ended };
    this.#begunMs = Math.trunc(wall.now());
    this.#services = services;
    this.#callersOf = callersOf;
    this.#stored = new StoredExchanges(bodyBytes, room);
  }

  get #entries(): readonly JournalEntry[] {
    return this.#stored.all;
  }

  get marks(): RedactionMarks {
    return this.#stored.marks;
  }

  nextSeq(): number {
    return ++this.#opened;
  }

  /** Id of the journal. Each start, reset, clear and restore creates a new id, because `seq` numbers may then repeat. */
  get id(): string {
    return `${this.#begunMs.toString(36)}-${this.#stored.number.toString(36).padStart(4, "0")}`;
  }

  open(exchange: Exchange): JournalEntry {
    const entry = this.#stored.add(exchange);
    if (this.#listeners.all.size > 0) this.#listeners.emit(entry);
    return entry;
  }

  /** Notifies subscribers of a change to an open exchange. */
  tell(exchange: Exchange): void {
    for (const entry of this.#stored.open) if (entry.exchange === exchange) this.#listeners.emit(entry);
  }

  /** Ends an open exchange and notifies the listeners. Ignores exchanges that a reset dropped. */
  end(entry: JournalEntry): void {
    if (!this.#stored.end(entry)) return;
    this.#onChange?.(entry.exchange);
    if (this.#listeners.all.size > 0) this.#listeners.emit(entry);
  }

  /** Throws a UsageError if the number is unknown. */
  get(seq: number): RecordedExchange {
    const found = this.#entries.find(({ exchange }) => exchange.seq === seq);
    if (found !== undefined) return getRecorded(found);
    const all = this.#exchanges;
    const there = all.length === 0 ? "is empty" : `has #${all[0]?.seq} to #${all.at(-1)?.seq}`;
    throw new UsageError("unknownName", `No exchange #${seq}: the journal ${there}.`);
  }

  /** Lists matching exchanges in order of arrival. An invalid matcher makes each query throw a UsageError with all its errors. */
  list(given: Matcher | string = {}, page?: JournalSlice): readonly RecordedExchange[] {
    const matching = this.#matching(this.read(given));
    return (page === undefined ? matching : selectSlice(matching, page)).map(getRecorded);
  }

  /** Lists requests that matched no operation, and exchanges with one of the findings. */
  suspicious(findings: readonly string[]): readonly RecordedExchange[] {
    const isSuspicious = ({ exchange }: JournalEntry): boolean =>
      isUnmatched(exchange) || exchange.findings.some(({ key }) => findings.includes(key));
    return this.#entries.filter(isSuspicious).map(getRecorded);
  }

  count(given: Matcher | string = {}): number {
    return this.#matching(this.read(given)).length;
  }

  get last(): RecordedExchange | undefined {
    return this.#entries.slice(-1).map(getRecorded)[0];
  }

  read(given: Matcher | string): Matcher {
    const matcher = toMatcher(given);
    if (Object.keys(matcher).length === 0) return matcher;
    return readMatcher(matcher, this.#services, this.#knownCallers);
  }

  unknownNames(matcher: Matcher): readonly ValidationIssue[] {
    return findUnknownNames(matcher, this.#services, this.#knownCallers);
  }

  get evicted(): number {
    return this.#stored.evicted.count;
  }

  /** Number and estimated size of the ended exchanges. Limits: 1,000 entries and 16 MiB. */
  get weight(): { readonly entries: number; readonly bytes: number } {
    return this.#stored.weight;
  }

  search(matcher: Matcher): SearchResult {
    return searchExchanges(this.#exchanges, matcher, this.#services);
  }

  nearest(matcher: Matcher): readonly NearMiss[] {
    return findNearest(this.#exchanges, matcher, this.#services, this.marks);
  }

  evictedPossibly(matcher: Matcher): number {
    return this.#stored.evicted.countPossible(matcher);
  }

  find(matcher: Matcher): RecordedExchange | undefined {
    return this.#matching(matcher).slice(0, 1).map(getRecorded)[0];
  }

  waitFor(matcher: Matcher | string, within?: WaitForOptions): Promise<RecordedExchange> {
    return waitForExchange(this, matcher, within);
  }

  idle(within?: WaitForOptions): Promise<void> {
    return waitUntilIdle(this, within);
  }

  verify(expectation: JournalExpectation | string, signal?: AbortSignal): Promise<Verification> {
    return verifyJournal(this, expectation, signal);
  }

  async expect(expectation: JournalExpectation | string): Promise<Verification> {
    return assertVerified(await this.verify(expectation));
  }

  /** Resolves with the next matching exchange, or undefined after `limitMs` of wall-clock time. */
  async another(matcher: Matcher, limitMs: number, signal?: AbortSignal) {
    const next = await this.#next((entry) => this.#matches(entry, matcher), limitMs, signal);
    return next && getRecorded(next);
  }

  /** Resolves with true when an exchange arrives, waits or ends, if `matchesTarget` accepts it; with false after `limitMs`. */
  async hasChanged(matcher: Matcher, limitMs: number, signal?: AbortSignal): Promise<boolean> {
    const isTarget = ({ exchange }: JournalEntry): boolean => matchesTarget(matcher, exchange);
    return (await this.#next(isTarget, limitMs, signal)) !== undefined;
  }

  #next(isWanted: (entry: JournalEntry) => boolean, limitMs: number, signal: AbortSignal | undefined) {
    return this.#listeners.next(isWanted, limitMs, { ...this.#waiting, signal });
  }

  now = (): number => this.#waiting.wall.now();

  /** Returns the notices and all ended exchanges as JSON, including secrets. */
  toRecord(): JournalRecord {
    return { ...this.beginning(), exchanges: this.ended().map(writeExchange), notices: this.notices.all };
  }

  beginning(): JournalHead {
    return { opened: this.#opened, evicted: this.#stored.evicted.toRecord() };
  }

  ended(): readonly Exchange[] {
    return this.#exchanges.filter(({ state }) => state === "ended");
  }

  /** Replaces the content of the journal. Calls the listeners of `onChange` and `notices.subscribe`, but not those of `subscribe`. */
  restore({ opened, exchanges, evicted, notices }: JournalRecord): void {
    this.#discard({ open: true });
    this.#opened = opened;
    for (const notice of notices) this.notices.add(notice);
    this.#stored.evicted.restore(evicted);
    const read = exchanges.map(readExchange).sort((left, right) => left.seq - right.seq);
    for (const exchange of read) this.#stored.end(this.#stored.add(exchange));
    this.#onChange?.(undefined);
  }

  /** Calls `listener` with each exchange that ends, and without an argument after a restore, clear or reset. */
  onChange(listener: (exchange: Exchange | undefined) => void): void {
    this.#onChange = listener;
  }

  close(): void {
    this.#stored.close();
  }

  /** Drops ended exchanges and all notices. Open exchanges keep their numbers. If none is open, numbers start again at 1. */
  clear(): void {
    this.#discard({ open: false });
    this.#onChange?.(undefined);
  }

  /** Drops all exchanges and notices, and starts again at number 1. A new notice lists the exchanges that were open. */
  reset(): void {
    const open = [...this.#stored.open].map((entry) => describeExchange(summarizeExchange(entry)));
    this.#discard({ open: true });
    if (open.length > 0)
      this.notices.add({ key: "openAtReset", message: `Open at the reset and dropped: ${open.join("; ")}.` });
    this.#onChange?.(undefined);
  }

  #discard(options: { readonly open: boolean }): void {
    this.#stored.discard(options);
    this.#opened = this.#entries.at(-1)?.exchange.seq ?? 0;
    this.notices.clear();
  }

  /** Calls `listener` when an exchange arrives, starts to wait or ends. Returns a function that unsubscribes it. */
  subscribe(listener: (exchange: RecordedExchange) => void): () => void {
    assertFunction(listener, "A listener");
    return this.#listeners.add((entry) => listener(getRecorded(entry)));
  }

  /** Calls `listener` for each exchange that ends, with the fields of a log line. */
  subscribeSummaries(listener: (exchange: ExchangeSummary) => void): () => void {
    return this.#listeners.add((entry) => {
      if (entry.exchange.state === "ended") listener(summarizeExchange(entry));
    });
  }

  /** Users that a matcher may name. Includes users of recorded exchanges, because the world may have deleted them. */
  readonly #knownCallers: GetCallers = (service, environment) => {
    const callers = this.#callersOf(service, environment);
    if (callers === undefined) return undefined;
    return [...callers, ...this.#exchanges.flatMap(({ user }) => user ?? [])];
  };

  #matching(matcher: Matcher): JournalEntry[] {
    return this.#entries.filter((entry) => this.#matches(entry, matcher));
  }

  #matches({ exchange }: JournalEntry, matcher: Matcher): boolean {
    return decide(matcher, exchange, this.#services) === "matches";
  }

  get #exchanges(): readonly Exchange[] {
    return this.#entries.map(({ exchange }) => exchange);
  }
}
