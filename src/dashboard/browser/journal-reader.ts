/** Reads the exchanges of a journal. The number `seq` is only unique within one journal, so each journal has an id. */

import type { RecordedExchange } from "../../journal/recorded-exchange.ts";
import { NEWEST_COUNT } from "../reads.ts";

type Rows = readonly RecordedExchange[];

/** Maximum numbers of exchanges: in the first read (`first`), in each later read (`later`), and of ended ones in memory (`kept`). */
const LIMITS = { first: NEWEST_COUNT, later: 200, kept: 1_000 };

export class JournalReader {
  readonly #ask: (path: string) => Promise<unknown>;
  readonly #limits: typeof LIMITS;
  #id: string | undefined;
  #path = "";
  #rows: Rows | undefined;
  /** The rows contain all ended exchanges with this `seq` or a higher one. */
  #from = 0;

  constructor(ask: (path: string) => Promise<unknown>, limits: typeof LIMITS = LIMITS) {
    this.#ask = ask;
    this.#limits = limits;
  }

  /** Open and ended exchanges in order of arrival. Undefined before the first read of a journal. */
  get rows(): Rows | undefined {
    return this.#rows;
  }

  get path(): string {
    return this.#path;
  }

  /** Selects a journal by id, and the `path` with the filter. Removes the rows of the previous selection. Do not call it during a read. */
  choose(id: string | undefined, path: string): void {
    if (id === this.#id && path === this.#path) return;
    this.#id = id;
    this.#path = path;
    this.#rows = undefined;
  }

  /** Adds the exchanges that arrived or ended since the last read. */
  async read(): Promise<void> {
    const { later } = this.#limits;
    const rows = this.#rows;
    if (rows === undefined) return this.#readNewest();
    const open = rows.filter(isOpen);
    const newest = rows.at(-1)?.seq ?? 0;
    const after = Math.min(newest, (open[0]?.seq ?? Number.POSITIVE_INFINITY) - 1);
    const read = await this.#list({ after, limit: later });
    const first = read.length < later ? after : (read[0]?.seq ?? 0);
    if (first > newest) return this.#readNewest();
    const late = open.filter(({ seq }) => seq < first);
    const found = await Promise.all(late.map(({ seq }) => this.#list({ after: seq - 1, before: seq + 1 })));
    this.#add([...found.flat(), ...read], open);
  }

  /** Adds exchanges that are older than the rows. */
  async readEarlier(): Promise<void> {
    const { first } = this.#limits;
    const [id, path] = [this.#id, this.#path];
    const found = await this.#list({ before: this.#from, limit: first });
    if (id !== this.#id || path !== this.#path) return;
    this.#from = found.length < first ? 0 : (found[0]?.seq ?? 0);
    this.#add(found);
  }

  /** Adds an exchange from an event. Returns false if it belongs to another journal; the caller must read again. */
  hear(id: string, exchange: RecordedExchange): boolean {
    if (id !== this.#id || this.#rows === undefined) return false;
    this.#add([exchange]);
    return true;
  }

  async #readNewest(): Promise<void> {
    const { first } = this.#limits;
    const open = await this.#list({ state: "open" });
    const newest = await this.#list({ limit: first });
    this.#from = newest.length < first ? 0 : (newest[0]?.seq ?? 0);
    this.#rows = [];
    this.#add([...open, ...newest]);
  }

  /** `asked`: open exchanges that a read has requested again. If one is missing in `found`, it no longer matches the filter. */
  #add(found: Rows, asked: Rows = []): void {
    const rows = new Map(this.#rows?.map((row) => [row.seq, row]));
    for (const row of asked) if (rows.get(row.seq) === row) rows.delete(row.seq);
    // Does not replace an ended row: an event may have reported the end of the exchange after the read has started.
    for (const row of found) if (rows.get(row.seq)?.state !== "ended") rows.set(row.seq, row);
    const all = [...rows.values()].sort((one, other) => one.seq - other.seq);
    const ended = all.filter((row) => !isOpen(row) && row.seq >= this.#from);
    this.#from = ended.at(-this.#limits.kept)?.seq ?? this.#from;
    this.#rows = all.filter((row) => isOpen(row) || row.seq >= this.#from);
  }

  /** Requests exchanges. Throws an ApiError with status 409 if the world has a new journal. */
  async #list(query: Readonly<Record<string, string | number>>): Promise<Rows> {
    const id = this.#id;
    const path = this.#path;
    const [journal = "", filter] = path.split("?");
    const fields = new URLSearchParams(filter);
    if (id !== undefined) fields.set("journal", id);
    for (const [name, value] of Object.entries(query)) {
      const least = name === "after" ? Number(fields.get(name)) : 0; // The filter can contain `after` too: the higher one applies.
      fields.set(name, typeof value === "number" ? String(Math.max(value, least)) : value);
    }
    return (await this.#ask(`${journal}?${fields}`)) as Rows;
  }
}

function isOpen({ state }: RecordedExchange): boolean {
  return state === "open";
}
