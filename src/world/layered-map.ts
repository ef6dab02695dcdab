/**
 * A map that can be frozen, forked and restored without copying what did not change: writes go to an overlay,
 * and freezing turns the overlay into one more shared layer. Knows nothing of entities or services.
 */

const GONE: unique symbol = Symbol("gone");
type Slot<T> = { readonly order: number; readonly value: T | typeof GONE };

/** A frozen state of a map. Shared by any number of maps; never changes. */
export type Layer<T> = {
  readonly parent: Layer<T> | undefined;
  readonly slots: ReadonlyMap<string, Slot<T>>;
  readonly size: number;
  readonly nextOrder: number;
  /** The values in order, computed on first use. */
  ordered?: readonly T[];
};

const EMPTY: Layer<never> = { parent: undefined, slots: new Map(), size: 0, nextOrder: 0, ordered: [] };

export class LayeredMap<T> {
  #base: Layer<T>;
  #own = new Map<string, Slot<T>>();
  #size: number;
  #nextOrder: number;
  #ordered: readonly T[] | undefined;

  constructor(base: Layer<T> = EMPTY) {
    this.#base = base;
    this.#size = base.size;
    this.#nextOrder = base.nextOrder;
  }

  get size(): number {
    return this.#size;
  }

  get(key: string): T | undefined {
    const slot = this.#slot(key);
    return slot === undefined || slot.value === GONE ? undefined : slot.value;
  }

  /** Sets a value; a new key goes to the end of the order, a known one keeps its place. */
  set(key: string, value: T): void {
    const slot = this.#slot(key);
    const known = slot !== undefined && slot.value !== GONE;
    this.#own.set(key, { order: known ? slot.order : this.#nextOrder++, value });
    if (!known) this.#size += 1;
    this.#ordered = undefined;
  }

  delete(key: string): boolean {
    const slot = this.#slot(key);
    if (slot === undefined || slot.value === GONE) return false;
    this.#own.set(key, { order: slot.order, value: GONE });
    this.#size -= 1;
    this.#ordered = undefined;
    return true;
  }

  /** Puts a value into a place of the order, such as its old one; undefined: takes it out. */
  put(key: string, order: number, value: T | undefined): void {
    const known = this.get(key) !== undefined;
    this.#own.set(key, { order, value: value === undefined ? GONE : value });
    this.#size += Number(value !== undefined) - Number(known);
    this.#nextOrder = Math.max(this.#nextOrder, order + 1);
    this.#ordered = undefined;
  }

  order(key: string): number | undefined {
    return this.#slot(key)?.order;
  }

  /** The live keys, in order of insertion. */
  keys(): string[] {
    const slots = slotsOf(this.#base, this.#own);
    const present = [...slots].filter(([, slot]) => slot.value !== GONE);
    return present.sort(([, one], [, other]) => one.order - other.order).map(([key]) => key);
  }

  /** All values in order of insertion. The array is shared: do not change it. */
  values(): readonly T[] {
    this.#ordered ??= this.#own.size === 0 ? orderOf(this.#base) : live(slotsOf(this.#base, this.#own));
    return this.#ordered;
  }

  /** The current state as a layer that later writes do not change. Costs what was written since the last freeze. */
  freeze(): Layer<T> {
    if (this.#own.size > 0) {
      this.#base = push(this.#base, this.#own, this.#size, this.#nextOrder);
      this.#own = new Map();
    }
    return this.#base;
  }

  #slot(key: string): Slot<T> | undefined {
    const own = this.#own.get(key);
    if (own !== undefined) return own;
    for (let layer: Layer<T> | undefined = this.#base; layer !== undefined; layer = layer.parent) {
      const slot = layer.slots.get(key);
      if (slot !== undefined) return slot;
    }
    return undefined;
  }
}

/** A layer's own entries as plain data: key, place in the order, value; without a value: removed here. */
export type Slots<T> = readonly (readonly [key: string, order: number, value?: T])[];

/** In their order, whichever was written last: what came to be in two ways is the same. */
export function slotsIn<T>(layer: Layer<T>): Slots<T> {
  return [...entriesIn(layer)].sort(([, one], [, other]) => one - other);
}

/** The same, one after the other. */
export function* entriesIn<T>(layer: Layer<T>): Generator<Slots<T>[number]> {
  for (const [key, { order, value }] of layer.slots)
    yield value === GONE ? [key, order] : [key, order, value];
}

/** The layer over `parent` with these entries. */
export function layerOf<T>(parent: Layer<T> | undefined, entries: Slots<T>): Layer<T> {
  const below = new LayeredMap(parent);
  let { size, nextOrder } = parent ?? EMPTY;
  const slots = new Map<string, Slot<T>>();
  for (const [key, order, value] of entries) {
    const wasThere = below.get(key) !== undefined;
    slots.set(key, { order, value: value === undefined ? GONE : value });
    size += Number(value !== undefined) - Number(wasThere);
    nextOrder = Math.max(nextOrder, order + 1);
  }
  return { parent, slots, size, nextOrder };
}

/** Some 5 ms of work: nothing that a request waits for may take longer. */
const MOST_MERGED = 10_000;

/** A layer over `base`, which takes over `own`. Layers of similar size are merged, so that a lookup visits few of them. */
function push<T>(base: Layer<T>, own: Map<string, Slot<T>>, size: number, nextOrder: number): Layer<T> {
  let parent: Layer<T> | undefined = base;
  let merged = 0;
  while (parent !== undefined && parent.slots.size <= 2 * own.size) {
    merged += parent.slots.size;
    if (merged > MOST_MERGED) break;
    for (const [key, slot] of parent.slots) if (!own.has(key)) own.set(key, slot);
    parent = parent.parent;
  }
  return { parent, slots: own, size, nextOrder };
}

function orderOf<T>(layer: Layer<T>): readonly T[] {
  layer.ordered ??= live(slotsOf(layer));
  return layer.ordered;
}

/** All slots of a layer and those below it, with what comes above. */
function slotsOf<T>(top: Layer<T>, own?: ReadonlyMap<string, Slot<T>>): ReadonlyMap<string, Slot<T>> {
  if (top.parent === undefined && own === undefined) return top.slots;
  const chain = own === undefined ? [] : [own];
  for (let layer: Layer<T> | undefined = top; layer !== undefined; layer = layer.parent)
    chain.push(layer.slots);
  const slots = new Map(chain.at(-1));
  for (const above of chain.slice(0, -1).reverse()) for (const [key, slot] of above) slots.set(key, slot);
  return slots;
}

function live<T>(slots: ReadonlyMap<string, Slot<T>>): readonly T[] {
  const present: Slot<T>[] = [];
  for (const slot of slots.values()) if (slot.value !== GONE) present.push(slot);
  present.sort((one, other) => one.order - other.order);
  return present.map((slot) => slot.value as T); // GONE was filtered out above
}
