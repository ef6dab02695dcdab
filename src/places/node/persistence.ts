/**
 * When a world is written to its folder: after every change, one write at a time, each with all changes made meanwhile.
 * A reply leaves only when nothing it shows could be undone by a crash.
 */

import type { ClockState } from "../../world/clock.ts";
import { UsageError } from "../../world/usage-error.ts";
import type { World, WorldSnapshot } from "../../world/world.ts";
import type { StateFolder } from "./state-folder.ts";
import { reasonOf } from "./state-lock.ts";

const CLOCK = "clock";
const SEED = "seed";

/** The seed that a folder's ids continue from. Throws a UsageError when another one was asked for. */
export function seedOfState({ saved }: StateFolder, asked: number | undefined): number | undefined {
  const seed = saved?.values.get(SEED) as number | undefined; // as `Persistence.open` stores it
  if (seed === undefined || asked === undefined || asked === seed) return seed ?? asked;
  const message = `The saved state was made with seed ${seed}, not ${asked}: leave the seed out, or choose another --data folder.`;
  throw new UsageError("badOption", message);
}

export class Persistence {
  readonly #world: World;
  readonly #folder: StateFolder;
  #changes = 0;
  #written = 0;
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
   * Loads what the folder stores, or stores what the world has. The world was created over this folder.
   * The saved clock continues too, unless another was asked for.
   */
  static async open(world: World, folder: StateFolder, clockGiven: boolean): Promise<Persistence> {
    if (folder.saved === null) {
      world.store.setValue(SEED, world.random.seed);
      world.store.setValue(CLOCK, world.clock.state);
      await world.store.save();
    } else {
      await world.store.load();
      if (!clockGiven) world.clock.restore(world.store.value(CLOCK) as ClockState); // as it was saved above and below
    }
    const persistence = new Persistence(world, folder);
    world.store.onCommit(() => {
      persistence.#changes += 1;
    });
    return persistence;
  }

  /** Resolves once all changes so far are on disk. Rejects when they cannot be written: they are then undone. */
  flush(): Promise<void> | undefined {
    this.#noteClock();
    return this.#written < this.#changes ? this.#writeUpTo(this.#changes) : undefined;
  }

  async #writeUpTo(wanted: number): Promise<void> {
    while (this.#written < wanted) {
      this.#writing ??= this.#write().finally(() => {
        this.#writing = undefined;
      });
      await this.#writing;
    }
  }

  async close(): Promise<void> {
    try {
      await this.flush();
    } catch (error) {
      const message = `The last changes could not be stored: ${reasonOf(error)}.`;
      throw new UsageError("stateUnreadable", message, {}, { cause: error });
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
      this.#written = upTo;
    } catch (error) {
      this.#world.restore(this.#saved);
      this.#clock = this.#world.clock.state;
      this.#written = this.#changes;
      throw error;
    }
  }

  /** The clock is not part of the store; a change of it is saved like any other. */
  #noteClock(): void {
    const { state } = this.#world.clock;
    if (state === this.#clock) return;
    this.#clock = state;
    this.#world.store.setValue(CLOCK, state);
  }
}
