/**
 * All state of a world: named collections of entities and counters, kept by lowdb. Transactions are all or
 * nothing; snapshots share what did not change. Knows nothing of HTTP, files or what an entity means.
 */

import { type Adapter, Low, Memory } from "lowdb";
import { type Layer, LayeredMap } from "./layered-map.ts";

/** An entity is plain JSON data and never changed in place: a change replaces it. */
export type Entity = Readonly<Record<string, unknown>>;

/** One entity before and after a transaction; `before` undefined: created, `after` undefined: removed. */
export type Change = {
  readonly collection: string;
  readonly key: string;
  readonly before: Entity | undefined;
  readonly after: Entity | undefined;
};

/** What lowdb holds: entities, series of numbers, and single values such as the clock's state. */
export type StoreData = {
  readonly collections: Map<string, LayeredMap<Entity>>;
  readonly counters: Map<string, number>;
  readonly values: Map<string, unknown>;
};

export type StoreSnapshot = {
  readonly collections: ReadonlyMap<string, Layer<Entity>>;
  readonly counters: ReadonlyMap<string, number>;
  readonly values: ReadonlyMap<string, unknown>;
};

type Undo = Omit<Change, "after"> & { readonly order: number | undefined };

/** A typed view of one collection. Keys are strings; the order is that of insertion. */
export type Collection<T extends object> = {
  readonly name: string;
  readonly size: number;
  get(key: string): T | undefined;
  /** In order of insertion; shared, do not change it. */
  all(): readonly T[];
  set(key: string, entity: T): T;
  remove(key: string): boolean;
  clear(): void;
};

/** A collection that nobody has written to. */
const NOTHING = new LayeredMap<Entity>();

export class Store {
  readonly #db: Low<StoreData>;
  #undo: Undo[] | undefined;
  #countersBefore: Map<string, number> | undefined;
  #onCommit: (() => void) | undefined;
  #certain: (() => void)[] = [];

  constructor(adapter: Adapter<StoreData> = new Memory<StoreData>()) {
    this.#db = new Low(adapter, { collections: new Map(), counters: new Map(), values: new Map() });
  }

  /** Reads what the adapter stored, if anything. */
  async load(): Promise<void> {
    await this.#db.read();
  }

  /** Passes the current state to the adapter. */
  async save(): Promise<void> {
    await this.#db.write();
  }

  /** Called after each transaction that changed something. */
  onCommit(listener: () => void): void {
    this.#onCommit = listener;
  }

  collection<T extends object>(name: string): Collection<T> {
    const map = (): LayeredMap<Entity> => this.#map(name);
    // Reading alone does not create a collection.
    const seen = (): LayeredMap<Entity> => this.#data.collections.get(name) ?? NOTHING;
    return {
      name,
      get size() {
        return seen().size;
      },
      // The store returns what this view wrote: a collection's name determines its type.
      get: (key) => seen().get(key) as T | undefined,
      all: () => seen().values() as readonly T[],
      set: (key, entity) => {
        this.#remember(name, key);
        map().set(key, frozen(entity) as Entity);
        this.#written();
        return entity;
      },
      remove: (key) => {
        if (seen().get(key) === undefined) return false;
        this.#remember(name, key);
        map().delete(key);
        this.#written();
        return true;
      },
      clear: () => {
        const keys = seen().keys();
        for (const key of keys) this.#remember(name, key);
        for (const key of keys) map().delete(key);
        this.#written();
      },
    };
  }

  /** Names of the collections that exist, in the order they were first used. */
  names(): string[] {
    return [...this.#data.collections.keys()];
  }

  /** The next number of a series: 1, 2, 3, … Stored with the state. */
  next(series: string): number {
    if (this.#undo !== undefined) this.#countersBefore ??= new Map(this.#data.counters);
    const value = (this.#data.counters.get(series) ?? 0) + 1;
    this.#data.counters.set(series, value);
    return value;
  }

  value(name: string): unknown {
    return this.#data.values.get(name);
  }

  /** Stores one JSON value under a name. */
  setValue(name: string, value: unknown): void {
    this.#data.values.set(name, value);
    this.#written();
  }

  /** Runs `work` once the open transaction is committed: at once when none is open, never when it is undone. */
  afterCommit(work: () => void): void {
    if (this.#undo === undefined) work();
    else this.#certain.push(work);
  }

  /** Runs `work`; when it throws or `keep` returns false, all writes are undone. Returns the result and the changes. */
  transaction<R>(
    work: () => R,
    keep: (result: R) => boolean = () => true,
  ): { result: R; changes: readonly Change[] } {
    if (this.#undo !== undefined) return { result: work(), changes: [] };
    const undo: Undo[] = [];
    this.#undo = undo;
    this.#countersBefore = undefined;
    let kept = false;
    try {
      const result = work();
      kept = keep(result);
      return { result, changes: kept ? this.#changes(undo) : [] };
    } finally {
      this.#undo = undefined;
      const certain = this.#certain;
      this.#certain = [];
      if (!kept) this.#rollBack(undo);
      else if (undo.length > 0) this.#onCommit?.();
      if (kept) for (const follow of certain) follow();
    }
  }

  snapshot(): StoreSnapshot {
    const collections = new Map<string, Layer<Entity>>();
    for (const [name, map] of this.#data.collections) collections.set(name, map.freeze());
    return { collections, counters: new Map(this.#data.counters), values: new Map(this.#data.values) };
  }

  /** Takes over a snapshot. Values that it does not have stay: they are about the store itself, such as its seed. */
  restore(snapshot: StoreSnapshot): void {
    const { collections, counters, values } = this.#data;
    for (const part of [collections, counters]) part.clear();
    for (const [name, layer] of snapshot.collections) collections.set(name, new LayeredMap(layer));
    for (const [series, value] of snapshot.counters) counters.set(series, value);
    for (const [name, value] of snapshot.values) values.set(name, value);
    this.#onCommit?.();
  }

  get #data(): StoreData {
    return this.#db.data;
  }

  #map(name: string): LayeredMap<Entity> {
    let map = this.#data.collections.get(name);
    if (map === undefined) {
      map = new LayeredMap();
      this.#data.collections.set(name, map);
    }
    return map;
  }

  #remember(collection: string, key: string): void {
    const map = this.#map(collection);
    this.#undo?.push({ collection, key, order: map.order(key), before: map.get(key) });
  }

  #changes(undo: readonly Undo[]): Change[] {
    return firstOfEach(undo).map(({ collection, key, before }) => ({
      collection,
      key,
      before,
      after: this.#map(collection).get(key),
    }));
  }

  #written(): void {
    if (this.#undo === undefined) this.#onCommit?.();
  }

  #rollBack(undo: readonly Undo[]): void {
    if (this.#countersBefore !== undefined) {
      this.#data.counters.clear();
      for (const [series, value] of this.#countersBefore) this.#data.counters.set(series, value);
    }
    for (const { collection, key, order, before } of [...undo].reverse())
      this.#map(collection).revert(key, order, before);
  }
}

/** The state of each entity before its first write. */
function firstOfEach(undo: readonly Undo[]): readonly Undo[] {
  if (undo.length < 2) return undo;
  const first = new Map<string, Undo>();
  for (const entry of undo) {
    const id = `${entry.collection} ${entry.key}`;
    if (!first.has(id)) first.set(id, entry);
  }
  return [...first.values()];
}

/** The same value, which from now on cannot change in any part. */
export function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const key in value) frozen(value[key]);
  return Object.freeze(value);
}
