/** The data of a world, with atomic transactions. Snapshots share unchanged collections with the store. */

import { type Version, VersionedMap } from "./versioned-map.ts";

/** An object of plain, immutable JSON data. A change replaces the whole object. */
export type Entity = Readonly<Record<string, unknown>>;

/** An entity before and after a transaction. `before` is undefined for a new entity, `after` for a removed one. */
export type StoreChange = {
  readonly collection: string;
  readonly key: string;
  readonly before: Entity | undefined;
  readonly after: Entity | undefined;
};

/** A written entity and its position in the collection (`order`). Without `value`, the entity was removed. */
export type EntityChange = readonly [collection: string, key: string, order: number, value?: Entity];

export type StoreSnapshot = {
  readonly collections: ReadonlyMap<string, Version<Entity>>;
  readonly counters: ReadonlyMap<string, number>;
  readonly values: ReadonlyMap<string, unknown>;
};

type EntityKey = { readonly collection: string; readonly key: string };
type UndoEntry = Omit<StoreChange, "after"> & { readonly order: number | undefined };

/** A typed view of one collection. Its entities are in order of insertion. */
export type StoreCollection<T extends object> = {
  readonly name: string;
  readonly size: number;
  get(key: string): T | undefined;
  /** Returns the same array until the next write, so that callers can use it as a cache key. Do not change the array. */
  all(): readonly T[];
  set(key: string, entity: T): T;
  remove(key: string): boolean;
  clear(): void;
};

const EMPTY_MAP = new VersionedMap<Entity>();

export class Store {
  readonly #collections = new Map<string, VersionedMap<Entity>>();
  readonly #counters = new Map<string, number>();
  readonly #values = new Map<string, unknown>();
  #revision = 0;
  #undo: UndoEntry[] | undefined;
  #countersBefore: Map<string, number> | undefined;
  #onCommit: ((changes: readonly EntityChange[]) => void) | undefined;
  #afterCommit: (() => void)[] = [];

  /** Calls `listener` with the changes of each transaction or single write, but not after `apply` or `restore`. */
  onCommit(listener: (changes: readonly EntityChange[]) => void): void {
    this.#onCommit = listener;
  }

  /** The number that `next` returned last, by series. */
  get counters(): ReadonlyMap<string, number> {
    return this.#counters;
  }

  get values(): ReadonlyMap<string, unknown> {
    return this.#values;
  }

  /** Increases with every write of a counter or value, so that the runtime detects unsaved changes. */
  get revision(): number {
    return this.#revision;
  }

  collection<T extends object>(name: string): StoreCollection<T> {
    const getOrCreate = (): VersionedMap<Entity> => this.#map(name);
    const current = (): VersionedMap<Entity> => this.#collections.get(name) ?? EMPTY_MAP; // Reads create no collection.
    return {
      name,
      get size() {
        return current().size;
      },
      // Safe cast: the name of a collection determines the type of its entities.
      get: (key) => current().get(key) as T | undefined,
      all: () => current().values() as readonly T[],
      set: (key, entity) => {
        this.#recordUndo(name, key);
        getOrCreate().set(key, deepFreeze(entity) as Entity);
        this.#reportWrites([{ collection: name, key }]);
        return entity;
      },
      remove: (key) => {
        if (current().get(key) === undefined) return false;
        this.#recordUndo(name, key);
        getOrCreate().delete(key);
        this.#reportWrites([{ collection: name, key }]);
        return true;
      },
      clear: () => {
        const keys = current().keys();
        for (const key of keys) this.#recordUndo(name, key);
        for (const key of keys) getOrCreate().delete(key);
        this.#reportWrites(keys.map((key) => ({ collection: name, key })));
      },
    };
  }

  /** Returns the names of the collections, in order of their first write. */
  names(): string[] {
    return [...this.#collections.keys()];
  }

  /** Returns the next number of a series: 1, 2, 3, … */
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

  setValue(name: string, value: unknown): void {
    this.#values.set(name, value);
    this.#revision += 1;
  }

  /** Applies changes that `onCommit` reported, for example in an earlier process. Replaces counters and values if given. */
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

  /** Runs `work` after the current transaction commits, or immediately without a transaction. A rollback discards `work`. */
  afterCommit(work: () => void): void {
    if (this.#undo === undefined) work();
    else this.#afterCommit.push(work);
  }

  /** Runs `work`. Rolls back its writes of entities and counters if `work` throws or `keep` returns false. */
  transaction<R>(work: () => R, keep: (result: R) => boolean = () => true) {
    if (this.#undo !== undefined) return { result: work(), changes: [] };
    const undo: UndoEntry[] = [];
    this.#undo = undo;
    this.#countersBefore = undefined;
    let isKept = false;
    try {
      const result = work();
      isKept = keep(result);
      return { result, changes: isKept ? this.#changes(undo) : [] };
    } finally {
      this.#undo = undefined;
      const callbacks = this.#afterCommit;
      this.#afterCommit = [];
      if (!isKept) this.#rollBack(undo);
      else if (undo.length > 0) this.#reportCommit(findFirstStates(undo));
      if (isKept) for (const callback of callbacks) callback();
    }
  }

  snapshot(): StoreSnapshot {
    const collections = new Map<string, Version<Entity>>();
    for (const [name, map] of this.#collections) collections.set(name, map.freeze());
    return { collections, counters: new Map(this.#counters), values: new Map(this.#values) };
  }

  /** Replaces all collections, counters and values. */
  restore(snapshot: StoreSnapshot): void {
    this.#collections.clear();
    for (const [name, version] of snapshot.collections)
      this.#collections.set(name, new VersionedMap(version));
    refill(this.#counters, snapshot.counters);
    refill(this.#values, snapshot.values);
    this.#revision += 1;
  }

  #map(name: string): VersionedMap<Entity> {
    const map = this.#collections.get(name) ?? new VersionedMap<Entity>();
    this.#collections.set(name, map);
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

/** Returns the first undo entry of each entity, which has its state before the transaction. */
function findFirstStates(undo: readonly UndoEntry[]): readonly UndoEntry[] {
  if (undo.length < 2) return undo;
  const first = new Map<string, UndoEntry>();
  for (const entry of undo) {
    const id = `${entry.collection} ${entry.key}`;
    if (!first.has(id)) first.set(id, entry);
  }
  return [...first.values()];
}

/** Freezes a value and all its parts. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const key in value) deepFreeze(value[key]);
  return Object.freeze(value);
}
