/**
 * The exchanges of one world in order: bounded and redacted, to be counted, queried, verified and waited
 * for. Recording costs the same at any length; what a reader sees is computed when first read.
 */

import type { Exchange } from "../operation/exchange.ts";
import type { ValidationIssue } from "../operation/issue.ts";
import type { Service } from "../operation/service.ts";
import type { CallersOf } from "../rules/check-matcher.ts";
import { decide, describe, type Matcher } from "../rules/matcher.ts";
import { wallClock } from "../world/clock.ts";
import { Listeners, type Waiting } from "../world/listeners.ts";
import { parseWithin } from "../world/time.ts";
import { UsageError } from "../world/usage-error.ts";
import { Evicted } from "./evicted.ts";
import { BODY_BYTES, type JournalParts } from "./journal-options.ts";
import { type JournalBeginning, type JournalRecord, readExchange, writeExchange } from "./journal-record.ts";
import { JournalRoom } from "./journal-room.ts";
import { type Notice, Notices } from "./notices.ts";
import { readMatcher, unknownNames } from "./read-matcher.ts";
import {
  isUnmatched,
  lighten,
  type RecordedExchange,
  recordedOf,
  type Slot,
  WEIGHT_BYTES,
} from "./recorded-exchange.ts";
import { describeNearMiss, type Found, type NearMiss, nearest, search } from "./search.ts";
import { type Expectation, type Verification, verifyJournal } from "./verify.ts";

export const MOST_ENTRIES = 1_000;
export const MOST_BYTES = 16 * 1_048_576;

/** `signal` is aborted when whoever waits has gone. */
type Within = { readonly within?: string | undefined; readonly signal?: AbortSignal | undefined };

export class Journal {
  readonly #waiting: Waiting;
  readonly #services: readonly Service[];
  readonly #callersOf: CallersOf;
  readonly #bodyBytes: number;
  readonly #room: JournalRoom;
  #kept: Slot[] = [];
  #bytes = 0;
  #evicted = new Evicted();
  #opened = 0;
  #generation = 0;
  #onChange: ((exchange: Exchange | undefined) => void) | undefined;
  readonly #notices = new Notices();
  readonly #listeners = new Listeners<Slot>((message) => this.notice({ key: "listenerFailed", message }));

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

  /** Stores a finished exchange and notifies the subscribers; one opened in another generation is dropped. */
  record(exchange: Exchange, generation: number = this.#generation): void {
    if (generation !== this.#generation) return;
    const slot = this.#keep(exchange);
    this.#onChange?.(exchange);
    if (this.#listeners.all.size > 0) this.#listeners.emit(slot);
  }

  /** In order of arrival. Like every query, throws a UsageError that tells every mistake in the matcher. */
  list(given: Matcher = {}): readonly RecordedExchange[] {
    return this.#matching(this.read(given)).map(recordedOf);
  }

  /** Those that met no operation, and those of which something was found that a report may tell. */
  suspicious(findings: readonly string[]): readonly RecordedExchange[] {
    const isSuspicious = ({ exchange }: Slot): boolean =>
      isUnmatched(exchange) || exchange.findings.some(({ key }) => findings.includes(key));
    return this.#slots(isSuspicious).map(recordedOf);
  }

  count(given: Matcher = {}): number {
    return this.#matching(this.read(given)).length;
  }

  get last(): RecordedExchange | undefined {
    const slot = this.#slots().at(-1);
    return slot === undefined ? undefined : recordedOf(slot);
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
    return { entries: this.#kept.length, bytes: this.#bytes };
  }

  search(matcher: Matcher): Found {
    return search(this.#arrived(), matcher, this.#services);
  }

  /** The exchanges closest to the matcher, and where they differ. */
  nearest(matcher: Matcher): readonly NearMiss[] {
    return nearest(this.#arrived(), matcher, this.#services);
  }

  /** How many of the dropped exchanges may have matched. */
  evictedPossibly(matcher: Matcher): number {
    return this.#evicted.possibly(matcher);
  }

  /**
   * The first matching exchange, including one that has already ended; `after` excludes earlier ones. `within`, in
   * wall time, is 5 s by default; then it rejects with a UsageError (`timedOut`) that names the nearest exchanges.
   */
  async waitFor(given: Matcher, { within = "5s", signal }: Within = {}): Promise<RecordedExchange> {
    const limitMs = parseWithin(within);
    const matcher = this.read(given);
    const [found] = this.#matching(matcher);
    if (found !== undefined) return recordedOf(found);
    const seen = await this.#next(matcher, limitMs, signal);
    if (seen !== undefined) return recordedOf(seen);
    const near = this.nearest(matcher).map(describeNearMiss).join("");
    throw new UsageError("timedOut", `No exchange with ${describe(matcher)} ended within ${within}.${near}`);
  }

  /** Whether the journal meets the expectation. Never throws for one that is not met; see `verify.ts`. */
  verify(expectation: Expectation, signal?: AbortSignal): Promise<Verification> {
    return verifyJournal(this, expectation, signal);
  }

  /** Resolves with true when another matching exchange ends, or with false after `limitMs` of wall time. */
  async another(matcher: Matcher, limitMs: number, signal?: AbortSignal): Promise<boolean> {
    return (await this.#next(matcher, limitMs, signal)) !== undefined;
  }

  /** Wall time, for waiting. */
  now(): number {
    return this.#waiting.wall.now();
  }

  /** All of it as plain data, secrets included. */
  toRecord(): JournalRecord {
    const { opened, evicted } = this.beginning();
    return { opened, exchanges: this.exchanges().map(writeExchange), evicted, notices: this.notices };
  }

  /** What a record of it says before the exchanges. */
  beginning(): JournalBeginning {
    return { opened: this.#opened, evicted: this.#evicted.toRecord() };
  }

  /** As they are stored, in the order in which they ended. */
  exchanges(): readonly Exchange[] {
    return this.#kept.map(({ exchange }) => exchange);
  }

  /** Takes over what another journal had. Subscribers are not notified. */
  restore({ opened, exchanges, evicted, notices }: JournalRecord): void {
    this.#empty();
    this.#opened = opened;
    for (const notice of notices) this.notice(notice);
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
    this.#kept = [];
    this.#room.bytes -= this.#bytes;
    this.#bytes = 0;
    this.#evicted = new Evicted();
    this.#notices.clear();
    this.#opened = 0;
    this.#generation += 1;
  }

  /** What went wrong outside the exchanges: the newest 100, oldest first. */
  get notices(): readonly Notice[] {
    return this.#notices.all;
  }

  notice(notice: Notice): void {
    this.#notices.add(notice);
  }

  /** Calls `listener`, which must not throw, for each notice from now on. Returns a function that unsubscribes it. */
  onNotice(listener: (notice: Notice) => void): () => void {
    return this.#notices.subscribe(listener);
  }

  /** Calls `listener` for each exchange that ends from now on. Returns a function that unsubscribes it. */
  subscribe(listener: (exchange: RecordedExchange) => void): () => void {
    return this.#listeners.add((slot) => listener(recordedOf(slot)));
  }

  /** A user who was seen here is known, even if the world has lost it. */
  readonly #knownCallers: CallersOf = (service, environment) => {
    const callers = this.#callersOf(service, environment);
    if (callers === undefined) return undefined;
    return [...callers, ...this.#arrived().flatMap(({ user }) => user ?? [])];
  };

  #next(matcher: Matcher, limitMs: number, signal?: AbortSignal): Promise<Slot | undefined> {
    const waiting = { ...this.#waiting, signal };
    return this.#listeners.next((slot) => this.#matches(slot, matcher), limitMs, waiting);
  }

  #matching(matcher: Matcher): Slot[] {
    return this.#slots((slot) => this.#matches(slot, matcher));
  }

  #matches({ exchange }: Slot, matcher: Matcher): boolean {
    return decide(matcher, exchange, this.#services) === "matches";
  }

  #arrived(): readonly Exchange[] {
    return this.#slots().map(({ exchange }) => exchange);
  }

  /** The stored exchanges in order of arrival. */
  #slots(isWanted: (slot: Slot) => boolean = () => true): Slot[] {
    const slots = this.#kept.filter(isWanted);
    return slots.sort((one, other) => one.exchange.seq - other.exchange.seq);
  }

  #keep(exchange: Exchange): Slot {
    exchange.body = undefined;
    const { requestText = "", responseBody = "", changes } = exchange;
    // Most exchanges are: there is nothing to cut and no change to weigh.
    const most = Math.min(WEIGHT_BYTES, this.#bodyBytes / 3);
    const isSmall = requestText.length + responseBody.length <= most && changes.length === 0;
    const bytes = isSmall ? 2 * WEIGHT_BYTES : lighten(exchange, this.#bodyBytes);
    const slot: Slot = { exchange, bytes, recorded: undefined };
    if (this.#kept.length === MOST_ENTRIES) this.dropOldest();
    this.#kept.push(slot);
    this.#bytes += bytes;
    this.#room.bytes += bytes;
    while (this.#bytes > MOST_BYTES && this.#kept.length > 1) this.dropOldest();
    if (this.#room.bytes > this.#room.mostBytes) this.#room.relieve();
    return slot;
  }

  /** For the room; of what is dropped only its kind is remembered. */
  dropOldest(): void {
    const oldest = this.#kept.shift(); // of at most a thousand
    if (oldest === undefined) return;
    this.#bytes -= oldest.bytes;
    this.#room.bytes -= oldest.bytes;
    this.#evicted.add(oldest.exchange);
  }
}
