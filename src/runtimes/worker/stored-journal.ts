/** Stores journal and coverage of a world asynchronously, several exchanges per database row. */

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
/** Number of stored exchanges after which the rows are compacted. */
const MAX_EXCHANGES = 2_000;

export class StoredJournal {
  readonly #rows: TextRows;
  readonly #onPending: (isRow: boolean) => void;
  #sandbox: SandboxCore | undefined;
  #pending: PendingEntry[] = [];
  /** Coverage counts at the last write, so that the next write contains only changed counts. */
  #counted = new Map<string, ReadonlyMap<string, number>>();
  #written = 0;

  /** Calls `onPending` for each pending entry. `isRow`: whether the pending entries now fill a row. */
  constructor(rows: TextRows, onPending: (isRow: boolean) => void) {
    this.#rows = rows;
    this.#onPending = onPending;
  }

  /** Restores journal and coverage of a world. After that, stores all changes of its journal. */
  follow(sandbox: SandboxCore): void {
    const { id, journal, coverage } = sandbox;
    const reader = this.#read(coverage);
    if (this.#rows.count > 0) reader.restore(journal);
    this.#written = journal.ended().length;
    this.#counted = new Map();
    coverage.toRecord(this.#counted);
    this.#sandbox = sandbox;
    journal.onChange((exchange) =>
      this.#add(exchange === undefined ? snapshotJournal(id, journal) : [id, exchange]),
    );
    if (this.#rows.count === 0) this.#pending = [snapshotJournal(id, journal)]; // The first flush writes the snapshot.
  }

  flush(): void {
    const sandbox = this.#sandbox;
    const pending = this.#pending;
    if (sandbox === undefined || pending.length === 0) return;
    this.#pending = [];
    this.#written += pending.length;
    const counts = () => sandbox.coverage.toRecord(this.#counted);
    if (this.#written <= MAX_EXCHANGES) {
      for (const line of formatLines(pending, counts)) this.#rows.append(line);
      return;
    }
    this.#counted = new Map();
    const snapshot = snapshotJournal(sandbox.id, sandbox.journal);
    this.#rows.replace(formatLines([snapshot], counts));
    this.#written = snapshot.exchanges.length;
  }

  /** Reads the coverage from the rows, without opening the world. */
  met(services: readonly Service[]): readonly CoverageRecord[] {
    const coverage = new Coverage(services);
    this.#read(coverage);
    return coverage.toRecord();
  }

  leave(): void {
    this.#sandbox = undefined;
    this.#pending = [];
    this.#rows.forget();
  }

  #read(coverage: Coverage): JournalReader {
    const reader = new JournalReader(coverage);
    for (const text of this.#rows.read()) reader.read(JSON.parse(text) as JournalLine); // Safe cast: only this class writes these rows.
    return reader;
  }

  #add(entry: PendingEntry): void {
    if (this.#sandbox === undefined) return;
    this.#pending.push(entry);
    this.#onPending(this.#pending.length === ROW_EXCHANGES);
  }
}
