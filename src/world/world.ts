/** Everything a handler may touch. Two worlds never share anything but frozen state. */

import { UsageError } from "../errors/usage-error.ts";
import { Clock, type ClockState, type WallClock, wallClock } from "./clock.ts";
import { Identities } from "./identities.ts";
import { Mailbox } from "./mailbox.ts";
import { Random } from "./random.ts";
import { Store, type StoreSnapshot } from "./store.ts";
import { MAIN_WORLD } from "./world-name.ts";

export type WorldOptions = {
  /** The name in URLs; the first world is `main`. */
  readonly id?: string | undefined;
  readonly seed: number;
  readonly clock?: ClockState | undefined;
  readonly wall?: WallClock | undefined;
};

export type WorldSnapshot = {
  readonly seed: number;
  readonly clock: ClockState;
  readonly store: StoreSnapshot;
};

export class World {
  readonly id: string;
  readonly wall: WallClock;
  readonly clock: Clock;
  readonly store: Store;
  readonly random: Random;
  readonly identities: Identities;
  readonly mailbox: Mailbox;
  /**
   * What other modules attach to this world and lose with it, each by its own symbol. A WeakMap of worlds would do the
   * same, but its values survive minor garbage collections, which makes short-lived worlds cost three times as much.
   */
  readonly companions = new Map<symbol, unknown>();
  readonly #end = new AbortController();

  constructor({ id = MAIN_WORLD, seed, clock, wall = wallClock }: WorldOptions) {
    this.id = id;
    this.wall = wall;
    this.clock = new Clock(wall, clock);
    this.store = new Store();
    this.random = new Random(seed, this.store);
    this.identities = new Identities(this.store);
    this.mailbox = new Mailbox(this.store, { wall, ended: this.ended });
  }

  /** Aborted when the world ends, with a UsageError: what waits in it gives up, and nothing waits in it from then on. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  end(): void {
    this.#end.abort(new UsageError("closed", "This sandbox was closed."));
  }

  /** Data, clock and random position as they are now. Copies nothing that did not change. */
  snapshot(): WorldSnapshot {
    return { seed: this.random.seed, clock: this.clock.state, store: this.store.snapshot() };
  }

  restore(snapshot: WorldSnapshot): void {
    this.random.reseed(snapshot.seed);
    this.clock.restore(snapshot.clock);
    this.store.restore(snapshot.store);
  }
}
