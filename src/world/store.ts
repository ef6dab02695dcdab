/** All state of a world. Transactions are all or nothing; snapshots share what did not change. */

import { type Version, VersionedMap } from "./versioned-map.ts";

/** An entity is plain JSON data and never changed in place: a change replaces it. */
export type Entity = Readonly<Record<string, unknown>>;

/** One entity before and after a transaction; `before` undefined: created, `after` undefined: removed. */
export type StoreChange = {
  readonly collection: string;
  readonly key: string;
  readonly before: Entity | undefined;
  readonly after: Entity | undefined;
};

/** One entity as it is from now on, with its place in the order; without a value: removed. */
export type EntityChange = readonly [collection: string, key: string, order: number, value?: Entity];

export type StoreSnapshot = {
  readonly collections: ReadonlyMap<string, Version<Entity>>;
  readonly counters: ReadonlyMap<string, number>;
  readonly values: ReadonlyMap<string, unknown>;
};

type EntityKey = { readonly collection: string; readonly key: string };
type UndoEntry = Omit<StoreChange, "after"> & { readonly order: number | undefined };

/** A typed view of one collection. Keys are strings; the order is that of insertion. */
export type StoreCollection<T extends object> = {
  readonly name: string;
  readonly size: number;
  get(key: string): T | undefined;
  /** In order of insertion. The same array until the next write, so results can be cached for it. Do not change it. */
  all(): readonly T[];
  set(key: string, entity: T): T;
  remove(key: string): boolean;
  clear(): void;
};

/** A collection that nobody has written to. */
const EMPTY_MAP = new VersionedMap<Entity>();

export class Store {
  readonly #collections = new Map<string, VersionedMap<Entity>>();
  readonly #counters = new Map<string, number>();
  readonly #values = new Map<string, unknown>();
  #revision = 0;
  #undo: UndoEntry[] | undefined;
  #countersBefore: Map<string, number> | undefined;
  #onCommit: ((changes: readonly EntityChange[]) => void) | undefined;
  #certain: (() => void)[] = [];

  /** Calls `listener` with what each transaction changed, and each write outside one. Restoring tells nobody. */
  onCommit(listener: (changes: readonly EntityChange[]) => void): void {
    this.#onCommit = listener;
  }

  /** The last number of each series. */
  get counters(): ReadonlyMap<string, number> {
    return this.#counters;
  }

  get values(): ReadonlyMap<string, unknown> {
    return this.#values;
  }

  /** Changes whenever a counter or a value may have. */
  get revision(): number {
    return this.#revision;
  }

  collection<T extends object>(name: string): StoreCollection<T> {
    const map = (): VersionedMap<Entity> => this.#map(name);
    // Reading alone does not create a collection.
    const seen = (): VersionedMap<Entity> => this.#collections.get(name) ?? EMPTY_MAP;
    return {
      name,
      get size() {
        return seen().size;
      },
      // The store returns what this view wrote: a collection's name determines its type.
      get: (key) => seen().get(key) as T | undefined,
      all: () => seen().values() as readonly T[],
      set: (key, entity) => {
        this.#recordUndo(name, key);
        map().set(key, deepFreeze(entity) as Entity);
        this.#reportWrites([{ collection: name, key }]);
        return entity;
      },
      remove: (key) => {
        if (seen().get(key) === undefined) return false;
        this.#recordUndo(name, key);
        map().delete(key);
        this.#reportWrites([{ collection: name, key }]);
        return true;
      },
      clear: () => {
        const keys = seen().keys();
        for (const key of keys) this.#recordUndo(name, key);
        for (const key of keys) map().delete(key);
        this.#reportWrites(keys.map((key) => ({ collection: name, key })));
      },
    };
  }

  /** Names of the collections that exist, in the order they were first used. */
  names(): string[] {
    return [...this.#collections.keys()];
  }

  /** The next number of a series: 1, 2, 3, … Stored with the state. */
  next(series: string): number {
    if (this.#undo !== undefined) this.#countersBefore ??= new Map(this.#counters);
    const value = (this.#counters.get(series) ?? 0) + 1;
    this.#counters.set(series, value);
    this.#revision += 1;
    return value;
  }

  value(name: string): unknown {
    return this.#values.get(name);
  }

  /** Stores one JSON value under a name. */
  setValue(name: string, value: unknown): void {
    this.#values.set(name, value);
    this.#revision += 1;
  }

  /** Puts entities into the places that `onCommit` named, and replaces the counters and values that are given. */
  apply(
    changes: readonly EntityChange[],
    counters?: Iterable<readonly [string, number]>,
    values?: Iterable<readonly [string, unknown]>,
  ): void {
    for (const [collection, key, order, value] of changes)
      this.#map(collection).put(key, order, value === undefined ? undefined : deepFreeze(value));
    if (counters !== undefined) refill(this.#counters, counters);
    if (values !== undefined) refill(this.#values, values);
    this.#revision += 1;
  }

  /** Runs `work` once the open transaction is committed: at once when none is open, never when it is undone. */
  afterCommit(work: () => void): void {
    if (this.#undo === undefined) work();
    else this.#certain.push(work);
  }

  /** Runs `work`; when it throws or `keep` returns false, all writes are undone. Returns the result and the changes. */
  transaction<R>(work: () => R, keep: (result: R) => boolean = () => true) {
    if (this.#undo !== undefined) return { result: work(), changes: [] };
    const undo: UndoEntry[] = [];
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
      else if (undo.length > 0) this.#reportCommit(findFirstStates(undo));
      if (kept) for (const follow of certain) follow();
    }
  }

  snapshot(): StoreSnapshot {
    const collections = new Map<string, Version<Entity>>();
    for (const [name, map] of this.#collections) collections.set(name, map.freeze());
    return { collections, counters: new Map(this.#counters), values: new Map(this.#values) };
  }

  /** Takes over a snapshot. Values that it does not have stay: they are about the store itself, such as its seed. */
  restore(snapshot: StoreSnapshot): void {
    this.#collections.clear();
    for (const [name, version] of snapshot.collections)
      this.#collections.set(name, new VersionedMap(version));
    refill(this.#counters, snapshot.counters);
    refill(this.#values, snapshot.values);
    this.#revision += 1;
  }

  #map(name: string): VersionedMap<Entity> {
    let map = this.#collections.get(name);
    if (map === undefined) {
      map = new VersionedMap();
      this.#collections.set(name, map);
    }
    return map;
  }

  #recordUndo(collection: string, key: string): void {
    const map = this.#map(collection);
    this.#undo?.push({ collection, key, order: map.order(key), before: map.get(key) });
  }

  #changes(undo: readonly UndoEntry[]): StoreChange[] {
    return findFirstStates(undo).map(({ collection, key, before }) => ({
      collection,
      key,
      before,
      after: this.#map(collection).get(key),
    }));
  }

  #reportWrites(written: readonly EntityKey[]): void {
    if (this.#undo === undefined && written.length > 0) this.#reportCommit(written);
  }

  #reportCommit(written: readonly EntityKey[]): void {
    this.#onCommit?.(
      written.map(({ collection, key }) => {
        const map = this.#map(collection);
        const [order, value] = [map.order(key) ?? 0, map.get(key)];
        return value === undefined ? [collection, key, order] : [collection, key, order, value];
      }),
    );
  }

  #rollBack(undo: readonly UndoEntry[]): void {
    if (this.#countersBefore !== undefined) refill(this.#counters, this.#countersBefore);
    for (const { collection, key, order, before } of [...undo].reverse())
      this.#map(collection).put(key, order ?? 0, before);
  }
}

function refill<V>(map: Map<string, V>, entries: Iterable<readonly [string, V]>): void {
  const fresh = [...entries];
  map.clear();
  for (const [name, value] of fresh) map.set(name, value);
}

/** The state of each entity before its first write. */
function findFirstStates(undo: readonly UndoEntry[]): readonly UndoEntry[] {
  if (undo.length < 2) return undo;
  const first = new Map<string, UndoEntry>();
  for (const entry of undo) {
    const id = `${entry.collection} ${entry.key}`;
    if (!first.has(id)) first.set(id, entry);
  }
  return [...first.values()];
}

/** The same value, which from now on cannot change in any part. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const key in value) deepFreeze(value[key]);
  return Object.freeze(value);
}
