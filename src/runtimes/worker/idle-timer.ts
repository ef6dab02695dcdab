/** Notes how long an unused world lives. The note is a row that is paid for, so it is renewed seldom. */

import { parseDuration } from "../../world/time.ts";
import type { Sql } from "./durable-objects.ts";
import { KeyValueStore } from "./key-value-store.ts";

type IdleRecord = {
  readonly team: string;
  readonly world: string;
  readonly idleMs: number;
  /** When it was used last, as far as was noted. */
  readonly used: number;
};

/** A world may live so much longer than it should, as a share of its idle time. */
const TOLERANCE = 0.1;

export class IdleTimer {
  readonly #store: KeyValueStore;
  #life: IdleRecord | undefined;

  constructor(sql: Sql) {
    this.#store = new KeyValueStore(sql);
  }

  get known(): IdleRecord | undefined {
    this.#life ??= this.#store.read("life");
    return this.#life;
  }

  /** When the world ends if nobody calls it. */
  get end(): number | undefined {
    const { known } = this;
    return known && known.used + known.idleMs * (1 + TOLERANCE);
  }

  /** The world is used now. Returns whether that had to be noted. */
  use(team: string, world: string, idle: string, now: number): boolean {
    const idleMs = parseDuration(idle);
    const { known } = this;
    if (known?.idleMs === idleMs && now - known.used < idleMs * TOLERANCE) return false;
    this.#life = { team, world, idleMs, used: now };
    this.#store.write("life", this.#life);
    return true;
  }

  /** The storage was emptied. */
  leave(): void {
    this.#life = undefined;
  }
}
