/** The journal and coverage of a world in the rows of its object: behind the replies, many exchanges to a row. */

import { Coverage, type CoverageRecord } from "../../journal/coverage.ts";
import type { Service } from "../../operation/service.ts";
import type { SandboxCore } from "../../sandbox/sandbox.ts";
import {
  formatLines,
  type JournalLine,
  JournalReader,
  type PendingEntry,
  snapshotJournal,
} from "./journal-lines.ts";
import type { TextRows } from "./rows.ts";

const ROW_EXCHANGES = 32;
const MAX_EXCHANGES = 2_000;

export class StoredJournal {
  readonly #rows: TextRows;
  readonly #onWaiting: (isRow: boolean) => void;
  #sandbox: SandboxCore | undefined;
  #waiting: PendingEntry[] = [];
  /** The counts of coverage that are written. */
  #counted = new Map<string, ReadonlyMap<string, number>>();
  #written = 0;

  /** `onWaiting` is called with each that waits to be written; `isRow`: there are enough for a row. */
  constructor(rows: TextRows, onWaiting: (isRow: boolean) => void) {
    this.#rows = rows;
    this.#onWaiting = onWaiting;
  }

  /** Keeps the journal of this world from now on, which gets what was kept of it. */
  follow(sandbox: SandboxCore): void {
    const { id, journal, coverage } = sandbox;
    const reader = new JournalReader([sandbox], coverage);
    this.#readInto(reader);
    if (this.#rows.count > 0) reader.end();
    this.#written = journal.ended().length;
    this.#counted = new Map();
    coverage.toRecord(this.#counted);
    this.#sandbox = sandbox;
    journal.onChange((exchange) =>
      this.#add(exchange === undefined ? snapshotJournal(id, journal) : [id, exchange]),
    );
    if (this.#rows.count === 0) this.#waiting = [snapshotJournal(id, journal)]; // goes with the first row
  }

  /** Writes what waits. */
  flush(): void {
    const sandbox = this.#sandbox;
    const waiting = this.#waiting;
    if (sandbox === undefined || waiting.length === 0) return;
    this.#waiting = [];
    this.#written += waiting.length;
    const counts = () => sandbox.coverage.toRecord(this.#counted);
    if (this.#written <= MAX_EXCHANGES) {
      for (const line of formatLines(waiting, counts)) this.#rows.append(line);
      return;
    }
    this.#counted = new Map();
    const moment = snapshotJournal(sandbox.id, sandbox.journal);
    this.#rows.replace(formatLines([moment], counts));
    this.#written = moment.exchanges.length;
  }

  /** What the rows say of coverage. */
  met(services: readonly Service[]): readonly CoverageRecord[] {
    const coverage = new Coverage(services);
    this.#readInto(new JournalReader([], coverage));
    return coverage.toRecord();
  }

  /** The world has ended, and its storage was emptied. */
  leave(): void {
    this.#sandbox = undefined;
    this.#waiting = [];
    this.#rows.forget();
  }

  #readInto(reader: JournalReader): void {
    for (const text of this.#rows.read()) reader.take(JSON.parse(text) as JournalLine); // only this class writes them
  }

  #add(one: PendingEntry): void {
    if (this.#sandbox === undefined) return;
    this.#waiting.push(one);
    this.#onWaiting(this.#waiting.length === ROW_EXCHANGES);
  }
}
