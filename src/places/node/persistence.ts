// Owns when a world is written to its folder: after every change, one write at a time, each with all changes that came
// meanwhile. A reply leaves only when nothing it shows could be undone by a crash.

import type { ClockState } from "../../world/clock.ts";
import { UsageError } from "../../world/usage-error.ts";
import type { World, WorldSnapshot } from "../../world/world.ts";
import type { StateFolder } from "./state-folder.ts";

const CLOCK = "clock";
const SEED = "seed";

/** The seed that a folder's ids go on from. Another one that was asked for is a mistake. */
export function keptSeed({ kept }: StateFolder, asked: number | undefined): number | undefined {
  const seed = kept?.values.get(SEED) as number | undefined; // as `Keeper.open` keeps it
  if (seed === undefined || asked === undefined || asked === seed) return seed ?? asked;
  const message = `The kept state was made with seed ${seed}, not ${asked}: leave the seed out, or choose another --data folder.`;
  throw new UsageError("badOption", message);
}

export class Keeper {
  readonly #world: World;
  readonly #folder: StateFolder;
  #changes = 0;
  #kept = 0;
  #saved: WorldSnapshot;
  #clock: unknown;
  #writing: Promise<void> | undefined;

  private constructor(world: World, folder: StateFolder) {
    this.#world = world;
    this.#folder = folder;
    this.#clock = world.store.value(CLOCK);
    this.#saved = world.snapshot();
  }

  /**
   * Goes on with what the folder keeps, or keeps what the world has. The world was made over this folder.
   * The kept clock goes on too, unless another was asked for.
   */
  static async open(world: World, folder: StateFolder, clockGiven: boolean): Promise<Keeper> {
    if (folder.kept === null) {
      world.store.setValue(SEED, world.random.seed);
      world.store.setValue(CLOCK, world.clock.state);
      await world.store.save();
    } else {
      await world.store.load();
      if (!clockGiven) world.clock.restore(world.store.value(CLOCK) as ClockState); // as it was kept above and below
    }
    const keeper = new Keeper(world, folder);
    world.store.onCommit(() => {
      keeper.#changes += 1;
    });
    return keeper;
  }

  /** Resolves once everything that has changed so far is on the disk. Rejects when it cannot be: it is then undone. */
  async settled(): Promise<void> {
    this.#noteClock();
    const wanted = this.#changes;
    while (this.#kept < wanted) {
      this.#writing ??= this.#write().finally(() => {
        this.#writing = undefined;
      });
      await this.#writing;
    }
  }

  async close(): Promise<void> {
    try {
      await this.settled();
    } finally {
      await this.#folder.release();
    }
  }

  async #write(): Promise<void> {
    const upTo = this.#changes;
    const snapshot = this.#world.snapshot();
    try {
      await this.#world.store.save();
      this.#saved = snapshot;
      this.#kept = upTo;
    } catch (error) {
      this.#world.restore(this.#saved);
      this.#clock = this.#world.clock.state;
      this.#kept = this.#changes;
      throw error;
    }
  }

  /** The clock is no part of the store; a change of it is kept like any other. */
  #noteClock(): void {
    const { state } = this.#world.clock;
    if (state === this.#clock) return;
    this.#clock = state;
    this.#world.store.setValue(CLOCK, state);
  }
}
