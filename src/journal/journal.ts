/**
 * The exchanges of one world in order: bounded and redacted, to be counted, queried, verified and waited
 * for. Recording costs the same at any length; what a reader sees is computed when first read.
 */

import { UsageError } from "../errors/usage-error.ts";
import type { Exchange } from "../http/exchange.ts";
import type { ValidationIssue } from "../operation/issue.ts";
import type { Service } from "../operation/service.ts";
import type { Matcher } from "../rules/grammar.ts";
import { decide } from "../rules/matcher.ts";
import type { CallersOf } from "../scenario/check-matcher.ts";
import { wallClock } from "../world/clock.ts";
import { Listeners, type Waiting } from "../world/listeners.ts";
import { Evicted } from "./evicted.ts";
import { BODY_BYTES, type JournalParts } from "./journal-options.ts";
import { type JournalBeginning, type JournalRecord, readExchange, writeExchange } from "./journal-record.ts";
import { JournalRoom, MAX_BYTES, MAX_ENTRIES } from "./memory-limit.ts";
import { Notices } from "./notices.ts";
import { readMatcher, unknownNames } from "./read-matcher.ts";
import { type Brief, briefOf, type RecordedExchange, recordedOf, type Slot } from "./recorded-exchange.ts";
import { Marks } from "./redaction.ts";
import { type Found, type NearMiss, nearest, type Page, partOf, search } from "./search.ts";
import { lighten } from "./trim.ts";
import { isUnmatched } from "./unmatched.ts";
import {
  type Expectation,
  type Patience,
  type Verification,
  verifyJournal,
  waitForExchange,
} from "./verify.ts";

export class Journal {
  readonly #waiting: Waiting;
  readonly #services: readonly Service[];
  readonly #callersOf: CallersOf;
  readonly #bodyBytes: number;
  readonly #room: JournalRoom;
  /** In the order in which they ended. */
  readonly #slots: Slot[] = [];
  #bytes = 0;
  #evicted = new Evicted();
  /** Numbers of the redacted secrets. */
  marks = new Marks();
  readonly #inFlight = new Set<Exchange>();
  #opened = 0;
  #generation = 0;
  #onChange: ((exchange: Exchange | undefined) => void) | undefined;
  /** What went wrong outside the exchanges. */
  readonly notices = new Notices();
  readonly #listeners = new Listeners<Slot>((message) =>
    this.notices.add({ key: "listenerFailed", message }),
  );

  constructor({
    wall = wallClock,
    ended,
    services = [],
    callersOf = () => undefined,
    bodyBytes = BODY_BYTES,
    room = new JournalRoom(),
  }: JournalParts = {}) {
    this.#waiting = { wall, ended };
    this.#services = services;
    this.#callersOf = callersOf;
    this.#bodyBytes = bodyBytes;
    this.#room = room;
    room.enter(this);
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

  /** Notes that an exchange has begun; it is in flight until it is recorded. */
  begin(exchange: Exchange): void {
    this.#inFlight.add(exchange);
  }

  /** Those that have begun and not ended, in order of arrival, as far as they have come. */
  open(): readonly RecordedExchange[] {
    return Array.from(this.#inFlight, (exchange) =>
      recordedOf({ exchange, bytes: 0, marks: this.marks, recorded: undefined }),
    );
  }

  /** The exchange of that number. Throws a UsageError where there is none. */
  get(seq: number): RecordedExchange {
    const [found] = this.#ordered(({ exchange }) => exchange.seq === seq);
    if (found !== undefined) return recordedOf(found);
    const all = this.#arrived();
    const there = all.length === 0 ? "is empty" : `has #${all[0]?.seq} to #${all.at(-1)?.seq}`;
    throw new UsageError("unknownName", `No exchange #${seq}: the journal ${there}.`);
  }

  /** Stores a finished exchange and notifies the subscribers; one opened in another generation is dropped. */
  record(exchange: Exchange, generation: number = this.#generation): void {
    this.#inFlight.delete(exchange);
    if (generation !== this.#generation) return;
    const slot = this.#keep(exchange);
    this.#onChange?.(exchange);
    if (this.#listeners.all.size > 0) this.#listeners.emit(slot);
  }

  /** In order of arrival. Like every query, throws a UsageError that tells every mistake in the matcher. */
  list(given: Matcher = {}, page?: Page): readonly RecordedExchange[] {
    const matching = this.#matching(this.read(given));
    return (page === undefined ? matching : partOf(matching, page)).map(recordedOf);
  }

  /** Those that met no operation, and those of which something was found that a report may tell. */
  suspicious(findings: readonly string[]): readonly RecordedExchange[] {
    const isSuspicious = ({ exchange }: Slot): boolean =>
      isUnmatched(exchange) || exchange.findings.some(({ key }) => findings.includes(key));
    return this.#ordered(isSuspicious).map(recordedOf);
  }

  count(given: Matcher = {}): number {
    return this.#matching(this.read(given)).length;
  }

  get last(): RecordedExchange | undefined {
    return this.#ordered().slice(-1).map(recordedOf)[0];
  }

  /** The matcher, checked. Throws a UsageError that tells every mistake in it. */
  read(given: Matcher): Matcher {
    return Object.keys(given).length === 0 ? given : readMatcher(given, this.#services, this.#knownCallers);
  }

  /** What a matcher that is well written names and is not there. */
  unknownNames(matcher: Matcher): readonly ValidationIssue[] {
    return unknownNames(matcher, this.#services, this.#knownCallers);
  }

  /** How many of the oldest exchanges were dropped. */
  get evicted(): number {
    return this.#evicted.count;
  }

  /** How much is stored: at most 1,000 entries and, by the journal's own estimate, 16 MiB. */
  get weight(): { readonly entries: number; readonly bytes: number } {
    return { entries: this.#slots.length, bytes: this.#bytes };
  }

  search(matcher: Matcher): Found {
    return search(this.#arrived(), matcher, this.#services);
  }

  /** The exchanges closest to the matcher, and where they differ. */
  nearest(matcher: Matcher): readonly NearMiss[] {
    return nearest(this.#arrived(), matcher, this.#services, this.marks);
  }

  /** How many of the dropped exchanges may have matched. */
  evictedPossibly(matcher: Matcher): number {
    return this.#evicted.possibly(matcher);
  }

  find(matcher: Matcher): RecordedExchange | undefined {
    return this.#matching(matcher).slice(0, 1).map(recordedOf)[0];
  }

  /** The first matching exchange, also one that is there; see `wait.ts`. */
  waitFor(matcher: Matcher, within?: Patience): Promise<RecordedExchange> {
    return waitForExchange(this, matcher, within);
  }

  /** Whether the journal meets the expectation. Never throws for one that is not met; see `verify.ts`. */
  verify(expectation: Expectation, signal?: AbortSignal): Promise<Verification> {
    return verifyJournal(this, expectation, signal);
  }

  /** The next matching exchange that ends; undefined after `limitMs` of wall time. */
  async another(matcher: Matcher, limitMs: number, signal?: AbortSignal) {
    const waiting = { ...this.#waiting, signal };
    const next = await this.#listeners.next((slot) => this.#matches(slot, matcher), limitMs, waiting);
    return next && recordedOf(next);
  }

  /** Wall time, for waiting. */
  now = (): number => this.#waiting.wall.now();

  /** All of it as plain data, secrets included. */
  toRecord(): JournalRecord {
    const { opened, evicted } = this.beginning();
    return { opened, exchanges: this.exchanges().map(writeExchange), evicted, notices: this.notices.all };
  }

  /** What a record of it says before the exchanges. */
  beginning(): JournalBeginning {
    return { opened: this.#opened, evicted: this.#evicted.toRecord() };
  }

  /** As they are stored, in the order in which they ended. */
  exchanges(): readonly Exchange[] {
    return this.#slots.map(({ exchange }) => exchange);
  }

  /** Takes over what another journal had. Subscribers are not notified. */
  restore({ opened, exchanges, evicted, notices }: JournalRecord): void {
    this.#empty();
    this.#opened = opened;
    for (const notice of notices) this.notices.add(notice);
    this.#evicted.restore(evicted);
    for (const exchange of exchanges) this.#keep(readExchange(exchange));
    this.#onChange?.(undefined);
  }

  /** Calls `listener` with each exchange that is stored from now on, and with nothing after each change of another kind. */
  onChange(listener: (exchange: Exchange | undefined) => void): void {
    this.#onChange = listener;
  }

  /** The world has ended: its exchanges weigh nothing any more. */
  close(): void {
    this.#room.leave(this);
  }

  /** Forgets everything and starts again at number 1. */
  clear(): void {
    this.#empty();
    this.#onChange?.(undefined);
  }

  #empty(): void {
    this.#slots.length = 0;
    this.#room.bytes -= this.#bytes;
    this.#bytes = this.#opened = 0;
    this.#evicted = new Evicted();
    this.marks = new Marks();
    this.notices.clear();
    this.#inFlight.clear();
    this.#generation += 1;
  }

  /** Calls `listener` for each exchange that ends from now on. Returns a function that unsubscribes it. */
  subscribe(listener: (exchange: RecordedExchange) => void): () => void {
    return this.#listeners.add((slot) => listener(recordedOf(slot)));
  }

  /** As `subscribe`, with no more of each exchange than a line of a log has. */
  subscribeBriefly(listener: (exchange: Brief) => void): () => void {
    return this.#listeners.add((slot) => listener(briefOf(slot)));
  }

  /** A user who was seen here is known, even if the world has lost it. */
  readonly #knownCallers: CallersOf = (service, environment) => {
    const callers = this.#callersOf(service, environment);
    if (callers === undefined) return undefined;
    return [...callers, ...this.#arrived().flatMap(({ user }) => user ?? [])];
  };

  #matching(matcher: Matcher): Slot[] {
    return this.#ordered((slot) => this.#matches(slot, matcher));
  }

  #matches({ exchange }: Slot, matcher: Matcher): boolean {
    return decide(matcher, exchange, this.#services) === "matches";
  }

  #arrived(): readonly Exchange[] {
    return this.#ordered().map(({ exchange }) => exchange);
  }

  /** The stored exchanges in order of arrival. */
  #ordered(isWanted: (slot: Slot) => boolean = () => true): Slot[] {
    const slots = this.#slots.filter(isWanted);
    return slots.sort((one, other) => one.exchange.seq - other.exchange.seq);
  }

  #keep(exchange: Exchange): Slot {
    exchange.body = undefined;
    const bytes = lighten(exchange, this.#bodyBytes);
    const slot: Slot = { exchange, bytes, marks: this.marks, recorded: undefined };
    if (this.#slots.length === MAX_ENTRIES) this.dropOldest();
    this.#slots.push(slot);
    this.#bytes += bytes;
    this.#room.bytes += bytes;
    while (this.#bytes > MAX_BYTES && this.#slots.length > 1) this.dropOldest();
    if (this.#room.bytes > this.#room.maxBytes) this.#room.relieve();
    return slot;
  }

  /** For the room; of what is dropped only its kind is remembered. */
  dropOldest(): void {
    const oldest = this.#slots.shift();
    if (oldest === undefined) return;
    this.#bytes -= oldest.bytes;
    this.#room.bytes -= oldest.bytes;
    this.#evicted.add(oldest.exchange);
  }
}
