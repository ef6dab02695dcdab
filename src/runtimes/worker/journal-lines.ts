/** Formats a journal as JSON lines, and restores a journal from its lines. */

import type { Exchange } from "../../http/exchange.ts";
import type { Coverage, CoverageRecord } from "../../journal/coverage.ts";
import type { Journal } from "../../journal/journal.ts";
import { type ExchangeRecord, type JournalHead, writeExchange } from "../../journal/journal-record.ts";

/** First line of the journal of world `w`. If the journal was replaced or cleared, another BeginLine discards the earlier exchanges. */
type BeginLine = JournalHead & { readonly w: string };
/** `x`: ended exchanges, each with its world. `m`: the coverage counts that have changed since the last write. */
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

/** Maximum size of a line, in exchanges and in characters. Formatting a line of this size takes about 2 ms. */
const SLICE_EXCHANGES = 100;
const SLICE_CHARS = 262_144;

/** Adds the coverage counts to the last line of exchanges, so that one write stores both. */
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

/** Reads the lines of a journal. `read` restores the coverage counts of a line; `restore` fills the journal from all lines. */
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
