/** Stores when a world was last used. Does not store every use, because Cloudflare charges for each write. */

import { parseDuration } from "../../world/time.ts";
import type { Sql } from "./durable-objects.ts";
import { KeyValueStore } from "./key-value-store.ts";

type IdleRecord = {
  readonly team: string;
  readonly world: string;
  readonly idleMs: number;
  /** Stored time of the last use, in ms since 1970. */
  readonly used: number;
};

/** A world may end later than its idle limit, by at most this share of the limit. */
const TOLERANCE = 0.1;

export class IdleTimer {
  readonly #store: KeyValueStore;
  #record: IdleRecord | undefined;

  constructor(sql: Sql) {
    this.#store = new KeyValueStore(sql);
  }

  get known(): IdleRecord | undefined {
    this.#record ??= this.#store.read("life");
    return this.#record;
  }

  /** Time when the world ends unless it is used before, in ms since 1970. */
  get end(): number | undefined {
    const { known } = this;
    return known && known.used + known.idleMs * (1 + TOLERANCE);
  }

  /** Records a use of the world. Returns whether the time was stored. */
  use(team: string, world: string, idle: string, now: number): boolean {
    const idleMs = parseDuration(idle);
    const { known } = this;
    if (known?.idleMs === idleMs && now - known.used < idleMs * TOLERANCE) return false;
    this.#record = { team, world, idleMs, used: now };
    this.#store.write("life", this.#record);
    return true;
  }

  leave(): void {
    this.#record = undefined;
  }
}
