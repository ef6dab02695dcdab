/** The lines of kept journals: JSON texts, written in slices and read again. */

import type { Exchange } from "../../http/exchange.ts";
import type { Coverage, CoverageRecord } from "../../journal/coverage.ts";
import type { Journal } from "../../journal/journal.ts";
import { type ExchangeRecord, type JournalHead, writeExchange } from "../../journal/journal-record.ts";
import type { SandboxCore } from "../../sandbox/sandbox.ts";

/** The journal of a world `w` that is new, was replaced or cleared: what is before its exchanges, which follow. */
type BeginLine = JournalHead & { readonly w: string };
/** What ended, in order, each with its world; and the counts of coverage that it changed. */
type ExchangesLine = {
  readonly x: readonly (readonly [world: string, exchange: ExchangeRecord])[];
  readonly m?: readonly CoverageRecord[];
};
export type JournalLine = BeginLine | ExchangesLine;

type JournalSnapshot = BeginLine & { readonly exchanges: readonly Exchange[] };

type WorldExchange = readonly [world: string, exchange: Exchange];

/** What is to be written. */
export type PendingEntry = JournalSnapshot | WorldExchange;

export function snapshotJournal(world: string, journal: Journal): JournalSnapshot {
  return { w: world, ...journal.beginning(), exchanges: journal.ended() };
}

/** Some 2 ms of work. */
const SLICE_EXCHANGES = 100;
const SLICE_CHARS = 262_144;

/** The counts stand in the last line, so that a line that is cut takes both away. */
export function* formatLines(
  waiting: readonly PendingEntry[],
  counts: () => readonly CoverageRecord[],
): Generator<string> {
  let x: (readonly [string, ExchangeRecord])[] = [];
  let length = 0;
  const take = (): ExchangesLine => {
    const line = { x };
    x = [];
    length = 0;
    return line;
  };
  for (const one of flattenEntries(waiting)) {
    if (x.length >= SLICE_EXCHANGES || length > SLICE_CHARS || ("w" in one && x.length > 0))
      yield formatLine(take());
    if ("w" in one) {
      yield formatLine(one);
      continue;
    }
    const [world, exchange] = one;
    x.push([world, writeExchange(exchange)]);
    length += (exchange.requestText?.length ?? 0) + (exchange.responseBody?.length ?? 0);
  }
  const m = counts();
  if (x.length > 0 || m.length > 0) yield formatLine({ ...take(), m });
}

function* flattenEntries(waiting: readonly PendingEntry[]): Generator<BeginLine | WorldExchange> {
  for (const one of waiting) {
    if (!("w" in one)) {
      yield one;
      continue;
    }
    const { exchanges, ...begin } = one;
    yield begin;
    for (const exchange of exchanges) yield [begin.w, exchange];
  }
}

function formatLine(line: JournalLine): string {
  return JSON.stringify(line);
}

/** Puts together what the lines say: to coverage at once, to the worlds that are there at the end. */
export class JournalReader {
  readonly #worlds: readonly SandboxCore[];
  readonly #coverage: Coverage;
  readonly #journals = new Map<string, JournalHead & { opened: number; exchanges: ExchangeRecord[] }>();

  constructor(worlds: readonly SandboxCore[], coverage: Coverage) {
    this.#worlds = worlds;
    this.#coverage = coverage;
  }

  take(line: JournalLine): void {
    if ("w" in line) {
      const { w, opened, evicted } = line;
      this.#journals.set(w, { opened, evicted, exchanges: [] });
      return;
    }
    for (const [world, exchange] of line.x) {
      const journal = this.#journals.get(world);
      if (journal === undefined) continue;
      journal.exchanges.push(exchange);
      journal.opened = Math.max(journal.opened, exchange.seq ?? 0);
    }
    this.#coverage.restore(line.m ?? []);
  }

  /** Gives the worlds their journals. */
  end(): void {
    for (const { id, journal } of this.#worlds) {
      const found = this.#journals.get(id);
      if (found !== undefined) journal.restore({ ...found, notices: [] });
    }
  }
}
