/** Finds the exchanges that ended since the last read. One that waited at a gate ends after exchanges with higher numbers. */

import type { RecordedExchange } from "../../journal/recorded-exchange.ts";
import type { Api } from "./api.ts";

type ExchangeList = readonly RecordedExchange[];

export class ExchangeFeed {
  readonly #api: Api;
  /** So many are asked for at once, the newest of them. */
  readonly #pageSize: number;
  #inFlight: ReadonlySet<number> = new Set();
  /** One that had begun before those in flight were read; what was not among them then has ended, or has a higher number. */
  #begun = 0;
  /** What that was when it was last asked which have ended. */
  #since = 0;
  /** No longer in flight since then. */
  readonly #gone = new Set<number>();

  constructor(api: Api, most: number) {
    this.#api = api;
    this.#pageSize = most;
  }

  /** Those in flight, which are read before those that ended; `newest`: the number of one that is known to have ended. */
  async inFlight(path: string, newest: number | undefined): Promise<ExchangeList> {
    this.#begun = newest ?? (await this.#ask("/journal?state=ended&limit=1")).at(-1)?.seq ?? 0;
    const open = await this.#ask(path);
    const now = new Set(open.map(({ seq }) => seq));
    for (const seq of this.#inFlight) if (!now.has(seq)) this.#gone.add(seq);
    this.#inFlight = now;
    return open;
  }

  /** From here on others are asked for: up to those in flight, all that ended is known. */
  caughtUp(): void {
    this.#since = this.#begun;
    this.#gone.clear();
  }

  async newest(path: string): Promise<ExchangeList> {
    const newest = await this.#ask(path);
    this.caughtUp();
    return newest;
  }

  /** A few of them may be known already. */
  async more(path: string): Promise<ExchangeList> {
    const since = this.#since;
    const late = [...this.#gone].filter((seq) => seq <= since);
    const found = [await this.#ask(within(path, { after: since, limit: this.#pageSize }))];
    for (const seq of late) found.push(await this.#ask(within(path, { after: seq - 1, before: seq + 1 })));
    this.caughtUp();
    return found.flat();
  }

  async #ask(path: string): Promise<ExchangeList> {
    return (await this.#api.read(path)) as ExchangeList; // as the journal answers
  }
}

/** Of what a path asks for, those within some numbers; a filter may have an `after` of its own. */
function within(path: string, { after, ...numbers }: Readonly<Record<string, number>>): string {
  const [journal = "", query] = path.split("?");
  const fields = new URLSearchParams(query);
  fields.set("after", String(Math.max(after ?? 0, Number(fields.get("after")))));
  for (const [name, value] of Object.entries(numbers)) fields.set(name, String(value));
  return `${journal}?${fields}`;
}
