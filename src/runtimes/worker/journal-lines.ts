/** The lines of kept journals: JSON texts, written in slices and read again. */

import type { Exchange } from "../../http/exchange.ts";
import type { Coverage, MetRecord } from "../../journal/coverage.ts";
import type { Journal } from "../../journal/journal.ts";
import { type ExchangeRecord, type JournalBeginning, writeExchange } from "../../journal/journal-record.ts";
import type { SandboxCore } from "../../sandbox/sandbox.ts";

/** The journal of a world `w` that is new, was replaced or cleared: what is before its exchanges, which follow. */
type BeginLine = JournalBeginning & { readonly w: string };
/** What ended, in order, each with its world; and the counts of coverage that it changed. */
type EndedLine = {
  readonly x: readonly (readonly [world: string, exchange: ExchangeRecord])[];
  readonly m?: readonly MetRecord[];
};
export type JournalLine = BeginLine | EndedLine;

type JournalMoment = BeginLine & { readonly exchanges: readonly Exchange[] };

type Ended = readonly [world: string, exchange: Exchange];

/** What is to be written. */
export type Waiting = JournalMoment | Ended;

export function momentOf(world: string, journal: Journal): JournalMoment {
  return { w: world, ...journal.beginning(), exchanges: journal.exchanges() };
}

/** Some 2 ms of work. */
const SLICE_EXCHANGES = 100;
const SLICE_LENGTH = 262_144;

/** The counts stand in the last line, so that a line that is cut takes both away. */
export function* journalLines(
  waiting: readonly Waiting[],
  counts: () => readonly MetRecord[],
): Generator<string> {
  let x: (readonly [string, ExchangeRecord])[] = [];
  let length = 0;
  const take = (): EndedLine => {
    const line = { x };
    x = [];
    length = 0;
    return line;
  };
  for (const one of inOrder(waiting)) {
    if (x.length >= SLICE_EXCHANGES || length > SLICE_LENGTH || ("w" in one && x.length > 0))
      yield lineOf(take());
    if ("w" in one) {
      yield lineOf(one);
      continue;
    }
    const [world, exchange] = one;
    x.push([world, writeExchange(exchange)]);
    length += (exchange.requestText?.length ?? 0) + (exchange.responseBody?.length ?? 0);
  }
  const m = counts();
  if (x.length > 0 || m.length > 0) yield lineOf({ ...take(), m });
}

function* inOrder(waiting: readonly Waiting[]): Generator<BeginLine | Ended> {
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

function lineOf(line: JournalLine): string {
  return JSON.stringify(line);
}

/** Puts together what the lines say: to coverage at once, to the worlds that are there at the end. */
export class JournalReader {
  readonly #worlds: readonly SandboxCore[];
  readonly #coverage: Coverage;
  readonly #journals = new Map<string, JournalBeginning & { opened: number; exchanges: ExchangeRecord[] }>();

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
