/** The exchanges of one world, bounded. Recording costs the same at any length; readers pay for redaction. */

import { UsageError } from "../errors/usage-error.ts";
import type { Exchange } from "../http/exchange.ts";
import type { ValidationIssue } from "../operation/issue.ts";
import type { Service } from "../operation/service.ts";
import type { Matcher } from "../rules/grammar.ts";
import { decide } from "../rules/matcher.ts";
import type { GetCallers } from "../scenario/check-matcher.ts";
import { wallClock } from "../world/clock.ts";
import { Listeners, type WaitOptions } from "../world/listeners.ts";
import { EvictedExchanges } from "./evicted.ts";
import { DEFAULT_BODY_BYTES, type JournalParts } from "./journal-options.ts";
import { type JournalHead, type JournalRecord, readExchange, writeExchange } from "./journal-record.ts";
import { MAX_JOURNAL_BYTES, MAX_JOURNAL_ENTRIES, MemoryLimit } from "./memory-limit.ts";
import { Notices } from "./notices.ts";
import { findUnknownNames, readMatcher } from "./read-matcher.ts";
import {
  type ExchangeSummary,
  getRecorded,
  type JournalEntry,
  type RecordedExchange,
  summarizeExchange,
  toRecorded,
} from "./recorded-exchange.ts";
import { RedactionMarks } from "./redaction.ts";
import {
  findNearest,
  type JournalSlice,
  type NearMiss,
  type SearchResult,
  searchExchanges,
  selectSlice,
} from "./search.ts";
import { trimExchange } from "./trim.ts";
import { isUnmatched } from "./unmatched.ts";
import {
  type JournalExpectation,
  type Verification,
  verifyJournal,
  type WaitForOptions,
  waitForExchange,
} from "./verify.ts";

export class Journal {
  readonly #waiting: WaitOptions;
  readonly #services: readonly Service[];
  readonly #callersOf: GetCallers;
  readonly #bodyBytes: number;
  readonly #memory: MemoryLimit;
  /** In the order in which they ended. */
  readonly #slots: JournalEntry[] = [];
  #bytes = 0;
  #evicted = new EvictedExchanges();
  /** Numbers of the redacted secrets. */
  marks = new RedactionMarks();
  readonly #inFlight = new Set<Exchange>();
  #opened = 0;
  #generation = 0;
  #onChange: ((exchange: Exchange | undefined) => void) | undefined;
  /** What went wrong outside the exchanges. */
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
    this.#services = services;
    this.#callersOf = callersOf;
    this.#bodyBytes = bodyBytes;
    this.#memory = room;
    room.enter(this);
  }

  nextSeq(): number {
    return ++this.#opened;
  }

  /** Changes with each `clear`, so that exchanges opened before it can be dropped. */
  get generation(): number {
    return this.#generation;
  }

  /** Notes that an exchange has begun; it is in flight until it is recorded. */
  begin(exchange: Exchange): void {
    this.#inFlight.add(exchange);
  }

  /** Those that have begun and not ended, in order of arrival, as far as they have come. */
  open(): readonly RecordedExchange[] {
    return Array.from(this.#inFlight, (exchange) => toRecorded(exchange, this.marks));
  }

  /** The exchange of that number. Throws a UsageError where there is none. */
  get(seq: number): RecordedExchange {
    const [found] = this.#listOrdered(({ exchange }) => exchange.seq === seq);
    if (found !== undefined) return getRecorded(found);
    const all = this.#listArrived();
    const there = all.length === 0 ? "is empty" : `has #${all[0]?.seq} to #${all.at(-1)?.seq}`;
    throw new UsageError("unknownName", `No exchange #${seq}: the journal ${there}.`);
  }

  /** Stores a finished exchange and notifies the subscribers; one opened in another generation is dropped. */
  record(exchange: Exchange, generation: number = this.#generation): void {
    this.#inFlight.delete(exchange);
    if (generation !== this.#generation) return;
    const slot = this.#store(exchange);
    this.#onChange?.(exchange);
    if (this.#listeners.all.size > 0) this.#listeners.emit(slot);
  }

  /** In order of arrival. Like every query, throws a UsageError that tells every mistake in the matcher. */
  list(given: Matcher = {}, page?: JournalSlice): readonly RecordedExchange[] {
    const matching = this.#matching(this.read(given));
    return (page === undefined ? matching : selectSlice(matching, page)).map(getRecorded);
  }

  /** Those that met no operation, and those of which something was found that a report may tell. */
  suspicious(findings: readonly string[]): readonly RecordedExchange[] {
    const isSuspicious = ({ exchange }: JournalEntry): boolean =>
      isUnmatched(exchange) || exchange.findings.some(({ key }) => findings.includes(key));
    return this.#listOrdered(isSuspicious).map(getRecorded);
  }

  count(given: Matcher = {}): number {
    return this.#matching(this.read(given)).length;
  }

  get last(): RecordedExchange | undefined {
    return this.#listOrdered().slice(-1).map(getRecorded)[0];
  }

  read(given: Matcher): Matcher {
    return Object.keys(given).length === 0 ? given : readMatcher(given, this.#services, this.#knownCallers);
  }

  unknownNames(matcher: Matcher): readonly ValidationIssue[] {
    return findUnknownNames(matcher, this.#services, this.#knownCallers);
  }

  get evicted(): number {
    return this.#evicted.count;
  }

  /** How much is stored: at most 1,000 entries and, by the journal's own estimate, 16 MiB. */
  get weight(): { readonly entries: number; readonly bytes: number } {
    return { entries: this.#slots.length, bytes: this.#bytes };
  }

  search(matcher: Matcher): SearchResult {
    return searchExchanges(this.#listArrived(), matcher, this.#services);
  }

  nearest(matcher: Matcher): readonly NearMiss[] {
    return findNearest(this.#listArrived(), matcher, this.#services, this.marks);
  }

  evictedPossibly(matcher: Matcher): number {
    return this.#evicted.countPossible(matcher);
  }

  find(matcher: Matcher): RecordedExchange | undefined {
    return this.#matching(matcher).slice(0, 1).map(getRecorded)[0];
  }

  waitFor(matcher: Matcher, within?: WaitForOptions): Promise<RecordedExchange> {
    return waitForExchange(this, matcher, within);
  }

  /** Never throws for an expectation that is not met. */
  verify(expectation: JournalExpectation, signal?: AbortSignal): Promise<Verification> {
    return verifyJournal(this, expectation, signal);
  }

  /** The next matching exchange that ends; undefined after `limitMs` of wall time. */
  async another(matcher: Matcher, limitMs: number, signal?: AbortSignal) {
    const waiting = { ...this.#waiting, signal };
    const next = await this.#listeners.next((slot) => this.#matches(slot, matcher), limitMs, waiting);
    return next && getRecorded(next);
  }

  now = (): number => this.#waiting.wall.now();

  /** All of it as plain data, secrets included. */
  toRecord(): JournalRecord {
    const { opened, evicted } = this.beginning();
    return { opened, exchanges: this.exchanges().map(writeExchange), evicted, notices: this.notices.all };
  }

  beginning(): JournalHead {
    return { opened: this.#opened, evicted: this.#evicted.toRecord() };
  }

  /** As they are stored, in the order in which they ended. */
  exchanges(): readonly Exchange[] {
    return this.#slots.map(({ exchange }) => exchange);
  }

  /** Takes over what another journal had. Subscribers are not notified. */
  restore({ opened, exchanges, evicted, notices }: JournalRecord): void {
    this.#discardAll();
    this.#opened = opened;
    for (const notice of notices) this.notices.add(notice);
    this.#evicted.restore(evicted);
    for (const exchange of exchanges) this.#store(readExchange(exchange));
    this.#onChange?.(undefined);
  }

  /** Calls `listener` with each exchange that is stored from now on, and with nothing after each change of another kind. */
  onChange(listener: (exchange: Exchange | undefined) => void): void {
    this.#onChange = listener;
  }

  /** The world has ended: its exchanges weigh nothing any more. */
  close(): void {
    this.#memory.leave(this);
  }

  /** Forgets everything and starts again at number 1. */
  clear(): void {
    this.#discardAll();
    this.#onChange?.(undefined);
  }

  #discardAll(): void {
    this.#slots.length = 0;
    this.#memory.bytes -= this.#bytes;
    this.#bytes = this.#opened = 0;
    this.#evicted = new EvictedExchanges();
    this.marks = new RedactionMarks();
    this.notices.clear();
    this.#inFlight.clear();
    this.#generation += 1;
  }

  /** Calls `listener` for each exchange that ends from now on. Returns a function that unsubscribes it. */
  subscribe(listener: (exchange: RecordedExchange) => void): () => void {
    return this.#listeners.add((slot) => listener(getRecorded(slot)));
  }

  /** As `subscribe`, with no more of each exchange than a line of a log has. */
  subscribeSummaries(listener: (exchange: ExchangeSummary) => void): () => void {
    return this.#listeners.add((slot) => listener(summarizeExchange(slot)));
  }

  /** A user who was seen here is known, even if the world has lost it. */
  readonly #knownCallers: GetCallers = (service, environment) => {
    const callers = this.#callersOf(service, environment);
    if (callers === undefined) return undefined;
    return [...callers, ...this.#listArrived().flatMap(({ user }) => user ?? [])];
  };

  #matching(matcher: Matcher): JournalEntry[] {
    return this.#listOrdered((slot) => this.#matches(slot, matcher));
  }

  #matches({ exchange }: JournalEntry, matcher: Matcher): boolean {
    return decide(matcher, exchange, this.#services) === "matches";
  }

  #listArrived(): readonly Exchange[] {
    return this.#listOrdered().map(({ exchange }) => exchange);
  }

  #listOrdered(isWanted: (slot: JournalEntry) => boolean = () => true): JournalEntry[] {
    const slots = this.#slots.filter(isWanted);
    return slots.sort((one, other) => one.exchange.seq - other.exchange.seq);
  }

  #store(exchange: Exchange): JournalEntry {
    exchange.body = undefined;
    const bytes = trimExchange(exchange, this.#bodyBytes);
    const slot: JournalEntry = { exchange, bytes, marks: this.marks, recorded: undefined };
    if (this.#slots.length === MAX_JOURNAL_ENTRIES) this.dropOldest();
    this.#slots.push(slot);
    this.#bytes += bytes;
    this.#memory.bytes += bytes;
    while (this.#bytes > MAX_JOURNAL_BYTES && this.#slots.length > 1) this.dropOldest();
    if (this.#memory.bytes > this.#memory.maxBytes) this.#memory.relieve();
    return slot;
  }

  /** For the room; of what is dropped only its kind is remembered. */
  dropOldest(): void {
    const oldest = this.#slots.shift();
    if (oldest === undefined) return;
    this.#bytes -= oldest.bytes;
    this.#memory.bytes -= oldest.bytes;
    this.#evicted.add(oldest.exchange);
  }
}
