/** Keeps the data of the page current. Polls `/state` every second, and reads the other data after a change or event. */

import type { RecordedExchange } from "../../journal/recorded-exchange.ts";
import { parseFilter } from "../filter.ts";
import { buildHref } from "../location.ts";
import {
  CONSTANT_NAMES,
  type DataName,
  listDataNames,
  READ_PATHS,
  resolvePage,
  type WorldData,
} from "../reads.ts";
import { type Api, ApiError } from "./api.ts";
import { EventFeed, type EventName } from "./events.ts";
import { JournalReader } from "./journal-reader.ts";
import type { PageStore } from "./store.ts";

/** Data that is read every second, because `/state` does not reveal its changes. */
const POLLED: ReadonlySet<DataName> = new Set(["open", "waiting"]);
/** Minimum time between two renderings of the list in ms, because one rendering takes longer than a frame. */
const MIN_REDRAW_MS = 350;

export class DataPoller {
  readonly #store: PageStore;
  readonly #api: Api;
  readonly #events: EventFeed;
  readonly #reader: JournalReader;
  /** Id of the event stream that was open at the last read of the journal. Its events report all exchanges after that read. */
  #heardBy: number | undefined;
  #looking: Promise<void> | undefined;
  /** Digest and counters in the last response of `/state`, to detect changes. Empty: the next read must read all data. */
  #seen = "";
  /** True after an action or event, because the digest and counters of `/state` may not reveal its changes. */
  #isStirred = false;
  #isGathering = false;

  constructor(store: PageStore, api: Api) {
    this.#store = store;
    this.#api = api;
    this.#reader = new JournalReader((path) => api.read(path));
    this.#events = new EventFeed(api, (event, journal, data) => this.#hear(event, journal, data));
  }

  start(): void {
    setInterval(() => this.#tick(), 1_000);
    document.addEventListener("visibilitychange", () =>
      document.hidden ? this.#events.close() : this.#tick(),
    );
    this.#tick();
  }

  /** Called when a call is slow. Closes the event stream, because the stream may use the connection that the call needs. */
  giveWay(): void {
    this.#events.giveWay();
    if (this.#store.tab.connection === "live") this.#store.note({ connection: "waiting" });
  }

  async refresh(): Promise<void> {
    await this.#looking?.catch(() => {});
    this.#isStirred = true;
    this.#seen = "";
    await this.#look();
  }

  /** Called after the page has moved to another world. Replaces the data of the previous world, and opens a new event stream. */
  async moveWorld(): Promise<void> {
    this.#events.close();
    this.#store.forget();
    await this.refresh();
    this.#tick();
  }

  async showEarlier(): Promise<void> {
    await this.#reader.readEarlier();
    this.#store.know({ exchanges: this.#reader.rows });
  }

  #tick(): void {
    if (document.hidden || this.#store.tab.locked) return;
    void this.#look();
    this.#events.tick();
  }

  async #look(): Promise<void> {
    this.#looking ??= this.#read().finally(() => {
      this.#looking = undefined;
    });
    try {
      await this.#looking;
      if (this.#store.tab.connection !== "live") this.#store.note({ connection: "live" });
    } catch (error) {
      this.#seen = "";
      const status = error instanceof ApiError ? error.status : undefined;
      if (status === 409) return this.#look(); // 409: the journal was replaced.
      if (status === 401) this.#store.note({ locked: true });
      else if (status === 404) this.#store.note({ connection: "ended" });
      else this.#store.note({ connection: error instanceof DOMException ? "blocked" : "lost" });
    }
  }

  /** Reads the data sequentially, so that one connection is enough. */
  async #read(): Promise<void> {
    const state = (await this.#api.read("/state")) as NonNullable<WorldData["state"]>;
    const before = this.#store.known.state?.journal;
    if (before !== undefined && before !== state.journal) this.#dropJournal();
    this.#store.know({ state });
    const numbers = JSON.stringify([state.digest, state.exchanges, state.mails, state.notices]);
    const isFresh = numbers !== this.#seen || this.#isStirred;
    const isWhole = this.#seen === "";
    this.#isStirred = false;
    this.#seen = numbers;
    for (const name of listDataNames(resolvePage(this.#store.place, this.#store.known)))
      if (name !== "state" && this.#isDue(name, isFresh, isWhole)) await this.#readOne(name);
    this.#show();
  }

  /** Removes all exchanges from the page. Also hides the selected exchange: in a new journal, another exchange has its number. */
  #dropJournal(): void {
    const { place } = this.#store;
    this.#store.know({ exchanges: undefined, picked: undefined, other: undefined, open: undefined });
    if (place.seq === undefined) return;
    this.#store.move({ ...place, seq: undefined, other: undefined, tab: undefined });
    history.replaceState(null, "", buildHref(this.#store.place));
  }

  #isDue(name: DataName, isFresh: boolean, isWhole: boolean): boolean {
    const { known, tab, place } = this.#store;
    if (known[name] === undefined) return true;
    if (CONSTANT_NAMES.has(name)) return false;
    const { flow } = this.#events;
    const isHeard = flow !== undefined && flow === this.#heardBy && place.filter === undefined;
    if (name === "exchanges")
      return this.#reader.path !== READ_PATHS.exchanges(place) || (!tab.paused && (isWhole || !isHeard));
    return isFresh || POLLED.has(name);
  }

  async #readOne(name: DataName): Promise<void> {
    if (name === "exchanges") return this.#readExchanges();
    const path = READ_PATHS[name](this.#store.place);
    const value = path === undefined ? undefined : await this.#api.read(path).catch(nothingWhereUnknown);
    if (READ_PATHS[name](this.#store.place) === path) this.#store.know({ [name]: value });
  }

  /** Reads the exchanges that match the filter. If the filter is invalid, the previous list stays. */
  async #readExchanges(): Promise<void> {
    const { place, known } = this.#store;
    const { mistake } = parseFilter(place.filter ?? "");
    if (mistake !== undefined) return;
    const path = READ_PATHS.exchanges(place) ?? "";
    this.#heardBy = this.#events.flow;
    this.#reader.choose(known.state?.journal, path);
    try {
      await this.#reader.read();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error;
      return this.#store.note({ mistake: error.message });
    }
    if (READ_PATHS.exchanges(this.#store.place) !== path) return; // The user has changed the filter, so a new read follows.
    this.#store.know({ exchanges: this.#reader.rows });
    this.#store.note({ mistake: undefined });
  }

  #hear(event: EventName, journal: string, data: unknown): void {
    this.#isStirred = true;
    if (event !== "exchange") return;
    const exchange = data as RecordedExchange;
    const { place, tab } = this.#store;
    if (tab.paused && exchange.state === "ended") this.#store.note({ missed: tab.missed + 1 });
    if (tab.paused || place.filter !== undefined) return; // With a filter, only a read updates the list.
    if (!this.#reader.hear(journal, exchange)) this.#heardBy = undefined;
    else if (exchange.state === "ended") this.#show(); // The next read shows open exchanges.
  }

  /** Shows the rows of the reader. After that, collects changes for `MIN_REDRAW_MS` before the next rendering. */
  #show(): void {
    const { rows } = this.#reader;
    if (this.#isGathering || rows === undefined) return;
    this.#isGathering = true;
    this.#store.know({ exchanges: rows });
    setTimeout(() => {
      this.#isGathering = false;
      if (this.#store.known.exchanges !== this.#reader.rows) this.#show();
    }, MIN_REDRAW_MS);
  }
}

/** Returns undefined if an exchange or collection in the URL no longer exists. Rethrows other errors. */
function nothingWhereUnknown(error: unknown): undefined {
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return undefined;
  throw error;
}
