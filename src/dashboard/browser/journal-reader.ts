/** Reads the exchanges of one journal. A number names an exchange only together with the journal id. */

import type { RecordedExchange } from "../../journal/recorded-exchange.ts";
import { NEWEST_COUNT } from "../reads.ts";

type Rows = readonly RecordedExchange[];

/** Limits: rows of the first read, rows of a later read, ended rows in memory. */
const LIMITS = { first: NEWEST_COUNT, later: 200, kept: 1_000 };

export class JournalReader {
  readonly #ask: (path: string) => Promise<unknown>;
  readonly #limits: typeof LIMITS;
  #id: string | undefined;
  #path = "";
  #rows: Rows | undefined;
  /** All ended exchanges from this number on are among the rows. */
  #from = 0;

  constructor(ask: (path: string) => Promise<unknown>, limits: typeof LIMITS = LIMITS) {
    this.#ask = ask;
    this.#limits = limits;
  }

  /** In order of arrival; undefined before the first read of a journal. Open exchanges are among them. */
  get rows(): Rows | undefined {
    return this.#rows;
  }

  get path(): string {
    return this.#path;
  }

  /** Chooses a journal, and by `path` what to list of it. Drops the rows of another. Not during a read. */
  choose(id: string | undefined, path: string): void {
    if (id === this.#id && path === this.#path) return;
    this.#id = id;
    this.#path = path;
    this.#rows = undefined;
  }

  /** Adds what arrived or ended since the last read. */
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

  /** Adds the exchanges before those that are known. */
  async readEarlier(): Promise<void> {
    const { first } = this.#limits;
    const [id, path] = [this.#id, this.#path];
    const found = await this.#list({ before: this.#from, limit: first });
    if (id !== this.#id || path !== this.#path) return;
    this.#from = found.length < first ? 0 : (found[0]?.seq ?? 0);
    this.#add(found);
  }

  /** Adds an exchange that an event reported. False if it is of another journal: read again. */
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

  /** `asked`: open exchanges that a read asked for. If they were not found, they match the filter no longer. */
  #add(found: Rows, asked: Rows = []): void {
    const rows = new Map(this.#rows?.map((row) => [row.seq, row]));
    for (const row of asked) if (rows.get(row.seq) === row) rows.delete(row.seq);
    // An event may have reported the end of an exchange before a read returns.
    for (const row of found) if (rows.get(row.seq)?.state !== "ended") rows.set(row.seq, row);
    const all = [...rows.values()].sort((one, other) => one.seq - other.seq);
    const ended = all.filter((row) => !isOpen(row) && row.seq >= this.#from);
    this.#from = ended.at(-this.#limits.kept)?.seq ?? this.#from;
    this.#rows = all.filter((row) => isOpen(row) || row.seq >= this.#from);
  }

  /** Throws an ApiError with status 409 if the journal is another by now. */
  async #list(query: Readonly<Record<string, string | number>>): Promise<Rows> {
    const id = this.#id;
    const path = this.#path;
    const [journal = "", filter] = path.split("?");
    const fields = new URLSearchParams(filter);
    if (id !== undefined) fields.set("journal", id);
    for (const [name, value] of Object.entries(query)) {
      const least = name === "after" ? Number(fields.get(name)) : 0; // the filter can have `after` too
      fields.set(name, typeof value === "number" ? String(Math.max(value, least)) : value);
    }
    return (await this.#ask(`${journal}?${fields}`)) as Rows;
  }
}

function isOpen({ state }: RecordedExchange): boolean {
  return state === "open";
}
