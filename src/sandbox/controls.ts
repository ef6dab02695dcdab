// Owns the verbs that one can say to a sandbox, as one type with two implementations: the sandbox itself in process,
// and control/remote.ts over HTTP. Whatever steers a sandbox from outside can do exactly this.

import type { ClockState } from "../world/clock.ts";
import type { Message, MessageFilter } from "../world/mailbox.ts";
import type { Entity } from "../world/store.ts";
import type { Instant } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Urls } from "./addresses.ts";
import type { StateReport } from "./state-report.ts";

/** In process most verbs answer at once; over HTTP none does. `await` suits both. */
export type Awaitable<T> = T | Promise<T>;

export type Within = { readonly within?: string | undefined };

export type ClockControls = {
  now(): Awaitable<Instant>;
  freeze(at?: string | Date): Awaitable<void>;
  set(at: string | Date): Awaitable<void>;
  advance(by: string): Awaitable<void>;
  resume(): Awaitable<void>;
};

export type CollectionControls = {
  all(): Awaitable<readonly Entity[]>;
  get(key: string): Awaitable<Entity | undefined>;
  upsert(entities: readonly unknown[]): Awaitable<void>;
  replace(entities: readonly unknown[]): Awaitable<void>;
  remove(keys: readonly string[]): Awaitable<void>;
};

export type MailboxControls = {
  messages(filter?: MessageFilter): Awaitable<readonly Message[]>;
  waitFor(filter?: MessageFilter, options?: Within): Promise<Message>;
  clear(): Awaitable<void>;
};

export type Controls = {
  /** The name of the world. */
  readonly id: string;
  /** Base URL of each environment, with the prefix of the world. */
  readonly urls: Urls;
  readonly clock: ClockControls;
  readonly mailbox: MailboxControls;
  /** Environment key -> collection -> its entities: `data.museum.specialEvents`. */
  readonly data: Readonly<Record<string, Readonly<Record<string, CollectionControls>>>>;
  reset(): Awaitable<void>;
  snapshot(name?: string): Awaitable<{ readonly id: string }>;
  restore(snapshot: { readonly id: string } | string): Awaitable<void>;
  fork(name?: string): Awaitable<Controls>;
  /** What there is, in numbers, and a digest that changes with any of it. */
  state(): Awaitable<StateReport>;
  close(): Awaitable<void>;
};

/** The controls of a world in this process, with what only the control API asks of them. */
export type LocalControls = Controls & {
  readonly world: World;
  readonly clock: { readonly state: ClockState };
  /** The base URLs as seen from a client that came to `origin`. */
  urlsAt(origin: string): Urls;
  readonly worlds: {
    list(): readonly LocalControls[];
    remove(id: string): void;
  };
};

const controls = new WeakMap<World, LocalControls>();

/** Says which sandbox answers for a world; the control API steers it through this. */
export function bindControls(world: World, sandbox: LocalControls): void {
  controls.set(world, sandbox);
}

export function controlsOf(world: World): LocalControls {
  const found = controls.get(world);
  if (found === undefined) throw new Error(`no controls are bound to the world ${world.id}`);
  return found;
}
