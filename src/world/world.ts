/** A world: an isolated copy of the sandbox's state. Worlds share only frozen objects. */

import { UsageError } from "../errors/usage-error.ts";
import { Clock, type ClockState, type WallClock, wallClock } from "./clock.ts";
import { Identities } from "./identities.ts";
import { Mailbox } from "./mailbox.ts";
import { Random } from "./random.ts";
import { Store, type StoreSnapshot } from "./store.ts";
import { MAIN_WORLD } from "./world-name.ts";

export type WorldOptions = {
  /** Name in URLs. Default: `main`. */
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
  /** Data that other modules attach, each under its own symbol. A WeakMap would triple the cost of a short-lived world. */
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

  /** Aborts with a UsageError when the world ends. Pending and future waits reject with this error. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  end(): void {
    this.#end.abort(new UsageError("closed", "This sandbox was closed."));
  }

  /** Fast, because it copies no entities: collections are copy-on-write. */
  snapshot(): WorldSnapshot {
    return { seed: this.random.seed, clock: this.clock.state, store: this.store.snapshot() };
  }

  restore(snapshot: WorldSnapshot): void {
    this.random.reseed(snapshot.seed);
    this.clock.restore(snapshot.clock);
    this.store.restore(snapshot.store);
  }
}
