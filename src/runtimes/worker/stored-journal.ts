/**
 * The journal of a world and what it counts for coverage, in the rows of its object: behind the replies, many exchanges to a
 * row. Rows are read again when the object wakes, and written anew when they have twice what the journal holds.
 */

import { Coverage, type MetRecord } from "../../journal/coverage.ts";
import type { Service } from "../../operation/service.ts";
import type { SandboxCore } from "../../sandbox/sandbox.ts";
import { type JournalLine, JournalReader, journalLines, momentOf, type Waiting } from "./journal-lines.ts";
import type { Rows } from "./rows.ts";

const TOGETHER = 32;
const MOST_EXCHANGES = 2_000;

export class KeptJournal {
  readonly #rows: Rows;
  readonly #onWaiting: (isRow: boolean) => void;
  #sandbox: SandboxCore | undefined;
  #waiting: Waiting[] = [];
  /** The counts of coverage that are written. */
  #counted = new Map<string, ReadonlyMap<string, number>>();
  #written = 0;

  /** `onWaiting` is called with each that waits to be written; `isRow`: there are enough for a row. */
  constructor(rows: Rows, onWaiting: (isRow: boolean) => void) {
    this.#rows = rows;
    this.#onWaiting = onWaiting;
  }

  /** Keeps the journal of this world from now on, which gets what was kept of it. */
  follow(sandbox: SandboxCore): void {
    const { id, journal, coverage } = sandbox;
    const reader = new JournalReader([sandbox], coverage);
    this.#readInto(reader);
    if (this.#rows.count > 0) reader.end();
    this.#written = journal.exchanges().length;
    this.#counted = new Map();
    coverage.toRecord(this.#counted);
    this.#sandbox = sandbox;
    journal.onChange((exchange) =>
      this.#add(exchange === undefined ? momentOf(id, journal) : [id, exchange]),
    );
    if (this.#rows.count === 0) this.#waiting = [momentOf(id, journal)]; // goes with the first row
  }

  /** Writes what waits. */
  flush(): void {
    const sandbox = this.#sandbox;
    const waiting = this.#waiting;
    if (sandbox === undefined || waiting.length === 0) return;
    this.#waiting = [];
    this.#written += waiting.length;
    const counts = () => sandbox.coverage.toRecord(this.#counted);
    if (this.#written <= MOST_EXCHANGES) {
      for (const line of journalLines(waiting, counts)) this.#rows.append(line);
      return;
    }
    this.#counted = new Map();
    const moment = momentOf(sandbox.id, sandbox.journal);
    this.#rows.replace(journalLines([moment], counts));
    this.#written = moment.exchanges.length;
  }

  /** What the rows say of coverage. */
  met(services: readonly Service[]): readonly MetRecord[] {
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

  #add(one: Waiting): void {
    if (this.#sandbox === undefined) return;
    this.#waiting.push(one);
    this.#onWaiting(this.#waiting.length === TOGETHER);
  }
}
