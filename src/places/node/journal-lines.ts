/** The lines of kept journals: written in slices, and read again. */

import { join } from "node:path";
import type { Coverage, MetRecord } from "../../journal/coverage.ts";
import { type ExchangeRecord, type JournalBeginning, writeExchange } from "../../journal/journal-record.ts";
import type { Exchange } from "../../operation/exchange.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import { checkedLine, readLines } from "./checked-lines.ts";
import type { StateFolder } from "./state-folder.ts";
import { generationsOf, JOURNAL } from "./state-names.ts";
import { refusal } from "./state-refusal.ts";

/** The journal of a world `w` that is new, was replaced or cleared: what is before its exchanges, which follow. */
type BeginLine = JournalBeginning & { readonly w: string };
/** What ended, in order, each with its world; and the counts of coverage that it changed. */
type EndedLine = {
  readonly x: readonly (readonly [world: string, exchange: ExchangeRecord])[];
  readonly m?: readonly MetRecord[];
};
type HeadLine = { readonly store: string };

/** All of one journal. */
export type JournalMoment = BeginLine & { readonly exchanges: readonly Exchange[] };

type Ended = readonly [world: string, exchange: Exchange];

/** What is to be written. */
export type Waiting = JournalMoment | Ended;

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

function lineOf(line: BeginLine | EndedLine): string {
  return checkedLine(JSON.stringify(line));
}

/**
 * Gives the worlds the journals that the folder has for them, and coverage the counts. Returns how long the file is, or
 * undefined where there is none. Its torn end is cut; anything else that is not as it was written is refused.
 */
export async function readJournals(
  { folder, files, manifest, notices }: StateFolder,
  worlds: readonly Sandbox[],
  coverage: Coverage,
): Promise<number | undefined> {
  const path = join(folder, JOURNAL);
  const names = await files.list(folder);
  if (!names.includes(JOURNAL)) return undefined;
  const refuse = refusal(folder, generationsOf(names));
  const bytes = await files.read(path);
  const reader = new JournalReader(new Set(worlds.map(({ id }) => id)), coverage);
  const broken = readLines(bytes, (value, line, byte) => {
    if (line > 1)
      reader.take(value as BeginLine | EndedLine); // only journalLines wrote the line
    else if ((value as HeadLine).store !== manifest.data.storeId)
      refuse(JOURNAL, "it belongs to another state", { line, byte });
  });
  const good = broken?.byte ?? bytes.length;
  if (broken !== undefined && (good === 0 || !broken.isLast)) refuse(JOURNAL, broken.reason, broken);
  if (good === 0) refuse(JOURNAL, "it is empty");
  if (good < bytes.length) {
    await files.truncate(path, good);
    const torn = bytes.length - good;
    notices.push(`${JOURNAL}: the last ${torn} bytes are no whole line, as after a kill; they were cut off.`);
  }
  for (const { id, journal } of worlds) {
    const found = reader.journals.get(id);
    if (found !== undefined) journal.restore({ ...found, notices: [] });
  }
  return good;
}

/** Puts together what the lines say of the worlds that are there; others have ended. */
class JournalReader {
  readonly journals = new Map<string, JournalBeginning & { opened: number; exchanges: ExchangeRecord[] }>();
  readonly #worlds: ReadonlySet<string>;
  readonly #coverage: Coverage;

  constructor(worlds: ReadonlySet<string>, coverage: Coverage) {
    this.#worlds = worlds;
    this.#coverage = coverage;
  }

  take(line: BeginLine | EndedLine): void {
    if ("w" in line) {
      const { w, opened, evicted } = line;
      if (this.#worlds.has(w)) this.journals.set(w, { opened, evicted, exchanges: [] });
      return;
    }
    for (const [world, exchange] of line.x) {
      const journal = this.journals.get(world);
      if (journal === undefined) continue;
      journal.exchanges.push(exchange);
      journal.opened = Math.max(journal.opened, exchange.seq ?? 0);
    }
    this.#coverage.restore(line.m ?? []);
  }
}
