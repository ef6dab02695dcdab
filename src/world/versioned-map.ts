/** A copy-on-write map. The first write after `freeze` copies the map, which takes about 1 ms for 10,000 entries. */

type MapSlot<T> = { readonly order: number; readonly value: T };

/** An immutable state of a map. Several maps and snapshots can share it. */
export type Version<T> = {
  readonly slots: ReadonlyMap<string, MapSlot<T>>;
  readonly nextOrder: number;
  ordered?: readonly T[] | undefined;
};

export class VersionedMap<T> {
  #slots: Map<string, MapSlot<T>>;
  #nextOrder: number;
  #ordered: readonly T[] | undefined;
  /** The version that shares `#slots`, so that a write must copy them. Undefined if only this map uses `#slots`. */
  #version: Version<T> | undefined;

  constructor(version: Version<T> = { slots: new Map(), nextOrder: 0 }) {
    this.#slots = version.slots as Map<string, MapSlot<T>>; // Safe cast: `put` copies the slots before it changes them.
    this.#nextOrder = version.nextOrder;
    this.#version = version;
  }

  get size(): number {
    return this.#slots.size;
  }

  get(key: string): T | undefined {
    return this.#slots.get(key)?.value;
  }

  order(key: string): number | undefined {
    return this.#slots.get(key)?.order;
  }

  /** Adds a new key at the end. An existing key keeps its position. */
  set(key: string, value: T): void {
    this.put(key, this.order(key) ?? this.#nextOrder, value);
  }

  delete(key: string): boolean {
    const order = this.order(key);
    if (order !== undefined) this.put(key, order, undefined);
    return order !== undefined;
  }

  /** Sets the value and position of a key. If the value is undefined, removes the key. */
  put(key: string, order: number, value: T | undefined): void {
    if (this.#version !== undefined) this.#slots = new Map(this.#slots);
    this.#version = this.#ordered = undefined;
    if (value === undefined) this.#slots.delete(key);
    else this.#slots.set(key, { order, value });
    this.#nextOrder = Math.max(this.#nextOrder, order + 1);
  }

  keys(): string[] {
    return listEntries({ slots: this.#slots }).map(([key]) => key);
  }

  /** Returns the values in order. Callers share the array: do not change it. */
  values(): readonly T[] {
    if (this.#version !== undefined) return sortValues(this.#version);
    this.#ordered ??= sortValues({ slots: this.#slots });
    return this.#ordered;
  }

  freeze(): Version<T> {
    this.#version ??= { slots: this.#slots, nextOrder: this.#nextOrder, ordered: this.#ordered };
    return this.#version;
  }
}

/** All entries of a map, sorted by `order`. */
export type VersionEntries<T> = readonly (readonly [key: string, order: number, value: T])[];

export function listEntries<T>({ slots }: Pick<Version<T>, "slots">): VersionEntries<T> {
  const entries = Array.from(slots, ([key, { order, value }]) => [key, order, value] as const);
  return entries.sort(([, left], [, right]) => left - right);
}

export function createVersion<T>(entries: VersionEntries<T>): Version<T> {
  const map = new VersionedMap<T>();
  for (const [key, order, value] of entries) map.put(key, order, value);
  return map.freeze();
}

function sortValues<T>(version: Pick<Version<T>, "slots" | "ordered">): readonly T[] {
  version.ordered ??= [...version.slots.values()]
    .sort((left, right) => left.order - right.order)
    .map(({ value }) => value);
  return version.ordered;
}
