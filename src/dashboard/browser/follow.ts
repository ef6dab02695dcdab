/** Keeps what is known current: once a second the numbers, and more where these changed or something was done. */

import type { RecordedExchange } from "../../journal/recorded-exchange.ts";
import type { PageLocation } from "../location.ts";
import {
  CONSTANT_NAMES,
  type DataName,
  listDataNames,
  NEWEST_COUNT,
  READ_PATHS,
  resolvePage,
  type WorldData,
} from "../reads.ts";
import { type Api, ApiError } from "./api.ts";
import { ExchangeFeed } from "./ended.ts";
import { EventFeed } from "./events.ts";
import type { PageStore } from "./store.ts";

/** So many rows are kept; more only where one asked for earlier ones. */
const MAX_ROWS = 200;
const MAX_EARLIER_ROWS = 1_000;
/** What is read each second while its page is open: the numbers do not show it. */
const POLLED: ReadonlySet<DataName> = new Set(["open", "waiting"]);
/** They cost the sandbox time when the journal is long: once in so many seconds while there is traffic. */
const COSTLY: ReadonlySet<DataName> = new Set(["lint"]);
const COSTLY_EVERY = 4;
/** To draw the list takes longer than a frame may: so often at most. */
const MIN_REDRAW_MS = 350;

export class DataPoller {
  readonly #store: PageStore;
  readonly #api: Api;
  readonly #events: EventFeed;
  readonly #ended: ExchangeFeed;
  /** The stream that flowed when it was last asked which exchanges have ended. */
  #heardBy: number | undefined;
  #looking: Promise<void> | undefined;
  #seen = "";
  /** Something was done whose result the numbers may not show. */
  #isStirred = false;
  #arrived: RecordedExchange[] = [];
  #isGathering = false;
  #count = 0;

  constructor(store: PageStore, api: Api) {
    this.#store = store;
    this.#api = api;
    this.#ended = new ExchangeFeed(api, MAX_ROWS);
    this.#events = new EventFeed(api, (event, data) => {
      const exchange = data as RecordedExchange; // as the stream has it
      if (event === "exchange" && exchange.state === "ended") this.#arrive(exchange);
      this.#isStirred = true;
    });
  }

  start(): void {
    setInterval(() => this.#tick(), 1_000);
    document.addEventListener("visibilitychange", () =>
      document.hidden ? this.#events.close() : this.#tick(),
    );
    this.#tick();
  }

  /** Something has to wait: a stream may be what it waits for. */
  giveWay(): void {
    this.#events.giveWay();
    this.#store.note({ connection: "waiting" });
  }

  /** Reads all that the place shows, now. */
  async refresh(): Promise<void> {
    await this.#looking?.catch(() => {});
    this.#isStirred = true;
    this.#seen = "";
    await this.#look();
  }

  /** Reads what the place shows beyond the one before. */
  async move(before: PageLocation): Promise<void> {
    const { place, known } = this.#store;
    const page = resolvePage(place, known);
    const isOther = (name: DataName) => READ_PATHS[name](before) !== READ_PATHS[name](place);
    if (page !== resolvePage(before, known) || isOther("exchanges")) return this.refresh();
    for (const name of listDataNames(page).filter(isOther)) await this.#readOne(name, true).catch(() => {}); // the next look tells
  }

  /** Another world has other events. */
  async moveWorld(): Promise<void> {
    this.#events.close();
    this.#arrived = [];
    this.#store.forget();
    await this.refresh();
    this.#tick();
  }

  #tick(): void {
    if (document.hidden || this.#store.tab.locked) return;
    this.#count += 1;
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
      if (error instanceof ApiError && error.status === 401) this.#store.note({ locked: true });
      const isLate = error instanceof DOMException;
      this.#store.note({ connection: isLate ? "waiting" : "lost" });
    }
  }

  /** One after the other, so that one connection is enough. */
  async #read(): Promise<void> {
    const state = (await this.#api.read("/state")) as NonNullable<WorldData["state"]>; // as its row answers
    const before = this.#store.known.state;
    this.#store.know({ state });
    const numbers = JSON.stringify([state.digest, state.exchanges, state.mails, state.notices]);
    const isFresh = numbers !== this.#seen || this.#isStirred;
    this.#isStirred = false;
    const startedAgain = before !== undefined && state.exchanges < before.exchanges;
    const isWhole = startedAgain || this.#seen === "";
    for (const name of listDataNames(resolvePage(this.#store.place, this.#store.known)))
      if (name !== "state" && this.#isDue(name, isFresh, isWhole)) await this.#readOne(name, isWhole);
    this.#seen = numbers;
  }

  #isDue(name: DataName, isFresh: boolean, isWhole: boolean): boolean {
    const { known } = this.#store;
    if (!(name in known)) return true;
    if (CONSTANT_NAMES.has(name)) return false;
    if (name === "exchanges") return !this.#store.tab.paused && (isWhole || !this.#isHeard);
    if (COSTLY.has(name) && this.#seen !== "") return isFresh && this.#count % COSTLY_EVERY === 0;
    return isFresh || POLLED.has(name);
  }

  /** One stream has brought every exchange that ended since it was last asked. */
  get #isHeard(): boolean {
    const { flow } = this.#events;
    return flow !== undefined && flow === this.#heardBy && this.#store.place.filter === undefined;
  }

  async #readOne(name: DataName, isWhole: boolean): Promise<void> {
    const path = READ_PATHS[name](this.#store.place);
    if (path === undefined) this.#store.know({ [name]: undefined });
    if (path === undefined) return;
    const value = await this.#valueOf(name, path, isWhole).catch(nothingWhereUnknown);
    if (READ_PATHS[name](this.#store.place) !== path) return; // one has gone on meanwhile
    if (name === "exchanges" && !isWhole)
      this.#add(value as readonly RecordedExchange[]); // as the journal answers
    else this.#store.know({ [name]: value });
  }

  async #valueOf(name: DataName, path: string, isWhole: boolean): Promise<unknown> {
    const { exchanges } = this.#store.known;
    if (name === "open") {
      const open = await this.#ended.inFlight(path, isWhole ? undefined : exchanges?.at(-1)?.seq);
      if (this.#isHeard) this.#ended.caughtUp();
      return open;
    }
    if (name !== "exchanges") return this.#api.read(path);
    const { flow } = this.#events;
    const value = await (isWhole ? this.#ended.newest(path) : this.#ended.more(path));
    this.#heardBy = flow;
    return value;
  }

  /** One that comes alone is shown at once; of many, those of each moment are added together. */
  #arrive(exchange: RecordedExchange): void {
    const { place, tab } = this.#store;
    if (tab.paused) this.#store.note({ missed: tab.missed + 1 });
    // The next look asks which of them match a filter.
    if (tab.paused || place.filter !== undefined) return;
    this.#arrived.push(exchange);
    if (!this.#isGathering) this.#addArrived();
  }

  #addArrived(): void {
    this.#isGathering = true;
    requestAnimationFrame(() => this.#add(this.#arrived.splice(0)));
    setTimeout(() => {
      this.#isGathering = false;
      if (this.#arrived.length > 0) this.#addArrived();
    }, MIN_REDRAW_MS);
  }

  #add(more: readonly RecordedExchange[]): void {
    const { exchanges = [], open = [] } = this.#store.known;
    const known = new Set(exchanges.map(({ seq }) => seq));
    // Before the first there may be others, which one has to ask for.
    const first = exchanges.length < NEWEST_COUNT ? 0 : (exchanges[0]?.seq ?? 0);
    const fresh = more.filter(({ seq }) => seq > first && !known.has(seq));
    const ended = new Set(more.map(({ seq }) => seq));
    if (!open.some(({ seq }) => ended.has(seq)) && fresh.length === 0) return;
    const most = this.#store.tab.earlier ? MAX_EARLIER_ROWS : MAX_ROWS;
    const all = [...exchanges, ...fresh].sort((one, other) => one.seq - other.seq);
    this.#store.know({ exchanges: all.slice(-most), open: open.filter(({ seq }) => !ended.has(seq)) });
  }
}

/** What an address names may be gone: an exchange, a collection. */
function nothingWhereUnknown(error: unknown): undefined {
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return undefined;
  throw error;
}
