/** Converts snapshots of a world to JSON and back. A table stores each version of a collection once for all snapshots. */

import type { ClockState } from "./clock.ts";
import { deepFreeze, type Entity } from "./store.ts";
import { createVersion, listEntries, type Version, type VersionEntries } from "./versioned-map.ts";
import type { WorldSnapshot } from "./world.ts";

export type VersionTable = Readonly<Record<string, VersionEntries<Entity>>>;

export type SnapshotRecord = {
  readonly seed: number;
  readonly clock: ClockState;
  /** Id of the version in the table, by name of the collection. */
  readonly collections: Readonly<Record<string, string>>;
  readonly counters: Readonly<Record<string, number>>;
  readonly values: Readonly<Record<string, unknown>>;
};

/** Converts snapshots to records, and collects the versions of collections that the records refer to. */
export class SnapshotWriter {
  readonly #ids = new Map<Version<Entity>, string>();

  /** Ids of the versions of all snapshots that `write` has converted. */
  get ids(): ReadonlyMap<Version<Entity>, string> {
    return this.#ids;
  }

  get versions(): VersionTable {
    return Object.fromEntries(Array.from(this.#ids, ([version, id]) => [id, listEntries(version)]));
  }

  write({ seed, clock, store }: WorldSnapshot): SnapshotRecord {
    const collections = [...store.collections].map(([name, version]) => [name, this.#assignId(version)]);
    return {
      seed,
      clock,
      collections: Object.fromEntries(collections),
      counters: Object.fromEntries(store.counters),
      values: Object.fromEntries(store.values),
    };
  }

  #assignId(version: Version<Entity>): string {
    const id = this.#ids.get(version) ?? String(this.#ids.size + 1);
    this.#ids.set(version, id);
    return id;
  }
}

/** Converts records to snapshots. Throws if a record refers to a version that the table lacks. */
export class SnapshotReader {
  readonly #versions: ReadonlyMap<string, Version<Entity>>;

  constructor(table: VersionTable) {
    this.#versions = new Map(
      Object.entries(table).map(([id, entries]) => [id, createVersion(deepFreeze(entries))] as const),
    );
  }

  read({ seed, clock, collections, counters, values }: SnapshotRecord): WorldSnapshot {
    const versions = Object.entries(collections).map(([name, id]) => {
      const version = this.#versions.get(id);
      if (version === undefined) throw new Error(`The table has no version ${JSON.stringify(id)}.`);
      return [name, version] as const;
    });
    return {
      seed,
      clock,
      store: {
        collections: new Map(versions),
        counters: new Map(Object.entries(counters)),
        values: new Map(Object.entries(values)),
      },
    };
  }
}
