/**
 * A world at one moment as plain JSON, and back. Moments share layers of entities: each layer is written once, in a
 * table of them all, and named by its id.
 */

import type { ClockState } from "./clock.ts";
import { type Layer, layerOf, type Slots, slotsIn } from "./layered-map.ts";
import { type Entity, frozen } from "./store.ts";
import type { WorldSnapshot } from "./world.ts";

/** One layer: what it changes of its parent. */
export type LayerRecord = { readonly parent?: string | undefined; readonly entries: Slots<Entity> };
/** By id; a layer comes after its parent. */
export type LayerTable = Readonly<Record<string, LayerRecord>>;

export type MomentRecord = {
  readonly seed: number;
  readonly clock: ClockState;
  /** Name of a collection -> id of its layer. */
  readonly collections: Readonly<Record<string, string>>;
  readonly counters: Readonly<Record<string, number>>;
  readonly values: Readonly<Record<string, unknown>>;
};

/** Writes moments, and the table of the layers that they share. */
export class MomentWriter {
  readonly #ids = new Map<Layer<Entity>, string>();

  /** Each layer that the moments need, after its parent, by its id. */
  get named(): ReadonlyMap<Layer<Entity>, string> {
    return this.#ids;
  }

  get layers(): LayerTable {
    return Object.fromEntries(
      Array.from(this.#ids, ([layer, id]) => {
        const parent = layer.parent === undefined ? {} : { parent: this.#idOf(layer.parent) };
        return [id, { ...parent, entries: slotsIn(layer) }];
      }),
    );
  }

  write({ seed, clock, store }: WorldSnapshot): MomentRecord {
    const collections = [...store.collections].map(([name, layer]) => [name, this.#idOf(layer)] as const);
    return {
      seed,
      clock,
      collections: Object.fromEntries(collections),
      counters: Object.fromEntries(store.counters),
      values: Object.fromEntries(store.values),
    };
  }

  #idOf(layer: Layer<Entity>): string {
    const known = this.#ids.get(layer);
    if (known !== undefined) return known;
    if (layer.parent !== undefined) this.#idOf(layer.parent);
    const id = String(this.#ids.size + 1);
    this.#ids.set(layer, id);
    return id;
  }
}

/** Reads moments over one table of layers. `missing` is called with the id of a layer that the table does not have. */
export class MomentReader {
  readonly #layers = new Map<string, Layer<Entity>>();
  readonly #missing: (id: string) => never;

  constructor(table: LayerTable, missing: (id: string) => never) {
    this.#missing = missing;
    for (const [id, { parent, entries }] of Object.entries(table)) {
      const below = parent === undefined ? undefined : this.#layer(parent);
      this.#layers.set(id, layerOf(below, frozen(entries)));
    }
  }

  read({ seed, clock, collections, counters, values }: MomentRecord): WorldSnapshot {
    const layers = Object.entries(collections).map(([name, id]) => [name, this.#layer(id)] as const);
    return {
      seed,
      clock,
      store: {
        collections: new Map(layers),
        counters: new Map(Object.entries(counters)),
        values: new Map(Object.entries(values)),
      },
    };
  }

  #layer(id: string): Layer<Entity> {
    return this.#layers.get(id) ?? this.#missing(id);
  }
}
