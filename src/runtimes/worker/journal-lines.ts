/** Formats a journal as JSON lines, and restores it from them. */

import type { Exchange } from "../../http/exchange.ts";
import type { Coverage, CoverageRecord } from "../../journal/coverage.ts";
import type { Journal } from "../../journal/journal.ts";
import { type ExchangeRecord, type JournalHead, writeExchange } from "../../journal/journal-record.ts";

/** Starts the journal of world `w`: it is new, or was replaced or cleared. Lines with its exchanges follow. */
type BeginLine = JournalHead & { readonly w: string };
/** Ended exchanges `x` in order, each with its world, and changed coverage counts `m`. */
type ExchangesLine = {
  readonly x: readonly (readonly [world: string, exchange: ExchangeRecord])[];
  readonly m?: readonly CoverageRecord[];
};
export type JournalLine = BeginLine | ExchangesLine;

type JournalSnapshot = BeginLine & { readonly exchanges: readonly Exchange[] };

type WorldExchange = readonly [world: string, exchange: Exchange];

export type PendingEntry = JournalSnapshot | WorldExchange;

export function snapshotJournal(world: string, journal: Journal): JournalSnapshot {
  return { w: world, ...journal.beginning(), exchanges: journal.ended() };
}

/** Maximum size of a line in exchanges and characters. Formatting it takes about 2 ms. */
const SLICE_EXCHANGES = 100;
const SLICE_CHARS = 262_144;

/** Adds the coverage counts to the last line of exchanges, so that both are stored or neither. */
export function* formatLines(
  entries: readonly PendingEntry[],
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
  for (const entry of flattenEntries(entries)) {
    if (x.length >= SLICE_EXCHANGES || length > SLICE_CHARS || ("w" in entry && x.length > 0))
      yield formatLine(take());
    if ("w" in entry) {
      yield formatLine(entry);
      continue;
    }
    const [world, exchange] = entry;
    x.push([world, writeExchange(exchange)]);
    length += (exchange.requestText?.length ?? 0) + (exchange.responseBody?.length ?? 0);
  }
  const m = counts();
  if (x.length > 0 || m.length > 0) yield formatLine({ ...take(), m });
}

function* flattenEntries(entries: readonly PendingEntry[]): Generator<BeginLine | WorldExchange> {
  for (const entry of entries) {
    if (!("w" in entry)) {
      yield entry;
      continue;
    }
    const { exchanges, ...begin } = entry;
    yield begin;
    for (const exchange of exchanges) yield [begin.w, exchange];
  }
}

function formatLine(line: JournalLine): string {
  return JSON.stringify(line);
}

/** Collects the lines of a journal. Restores coverage immediately, and the journal on request. */
export class JournalReader {
  readonly #coverage: Coverage;
  #found: (JournalHead & { opened: number; exchanges: ExchangeRecord[] }) | undefined;

  constructor(coverage: Coverage) {
    this.#coverage = coverage;
  }

  read(line: JournalLine): void {
    if ("w" in line) {
      const { opened, evicted } = line;
      this.#found = { opened, evicted, exchanges: [] };
      return;
    }
    const found = this.#found;
    if (found !== undefined)
      for (const [, exchange] of line.x) {
        found.exchanges.push(exchange);
        found.opened = Math.max(found.opened, exchange.seq ?? 0);
      }
    this.#coverage.restore(line.m ?? []);
  }

  restore(journal: Journal): void {
    if (this.#found !== undefined) journal.restore({ ...this.#found, notices: [] });
  }
}
