// Owns the verbs that one can say to a sandbox, as one type with two implementations: the sandbox itself in process,
// and control/remote.ts over HTTP. Whatever steers a sandbox from outside can do exactly this.

import type { Instant } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Urls } from "./addresses.ts";

/** In process most verbs answer at once; over HTTP none does. `await` suits both. */
export type Awaitable<T> = T | Promise<T>;

export type Controls = {
  /** The name of the world. */
  readonly id: string;
  readonly clock: {
    now(): Awaitable<Instant>;
    freeze(at?: string | Date): Awaitable<void>;
    set(at: string | Date): Awaitable<void>;
    advance(by: string): Awaitable<void>;
    resume(): Awaitable<void>;
  };
  readonly urls: Urls;
  reset(): Awaitable<void>;
  fork(name?: string): Awaitable<Controls>;
  close(): Awaitable<void>;
};

const controls = new WeakMap<World, Controls>();

/** Says which sandbox answers for a world; the control API steers it through this. */
export function bindControls(world: World, sandbox: Controls): void {
  controls.set(world, sandbox);
}

export function controlsOf(world: World): Controls {
  const found = controls.get(world);
  if (found === undefined) throw new Error(`no controls are bound to the world ${world.id}`);
  return found;
}
