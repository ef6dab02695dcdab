/** Stores the sandboxes of one server by world name. Limits their number, and removes idle sandboxes. */

import { readFields } from "../errors/arguments.ts";
import { quote } from "../errors/quote.ts";
import { runAtPointer, UsageError } from "../errors/usage-error.ts";
import { parseDuration, type Timestamp } from "../world/time.ts";
import { isWorldName, MAIN_WORLD } from "../world/world-name.ts";
import type { WorldSource } from "./controls.ts";
import { readRecord } from "./record.ts";
import type { SandboxCore } from "./sandbox.ts";
import type { SandboxParts, SandboxState, StoredState } from "./sandbox-state.ts";

export type WorldsOptions = {
  /** Whether to reject requests that name no world. */
  readonly strict: boolean;
  /** Maximum number of worlds in addition to the main one. */
  readonly limit: number;
  /** Idle time after which a world is removed, such as `30m`. */
  readonly idle: string;
};

/** Notified after a world is created (`put`) or ended. */
export type WorldsWatcher = {
  put(sandbox: SandboxCore): void;
  ended(id: string): void;
};

type MakeSandbox = (parts: SandboxParts) => SandboxCore;

export class Worlds {
  readonly main: SandboxCore;
  readonly strict: boolean;
  readonly #make: MakeSandbox;
  readonly #limit: number;
  readonly #idle: string;
  readonly #idleMs: number;
  /** All worlds except the main world, least recently used first. */
  readonly #forks = new Map<string, { readonly sandbox: SandboxCore; readonly used: Timestamp }>();
  /** Counter for default names: 3 after the name `w3` was assigned. */
  made = 0;
  #watcher: WorldsWatcher | undefined;

  constructor(main: SandboxParts, make: MakeSandbox, { strict, limit, idle }: WorldsOptions) {
    if (!Number.isSafeInteger(limit) || limit < 0)
      throw new UsageError("badOption", `worldLimit must be a whole number from 0, not ${limit}.`);
    this.strict = strict;
    this.#make = make;
    this.#limit = limit;
    this.#idle = idle;
    this.#idleMs = parseDuration(idle);
    this.main = make(main);
  }

  /** Returns a world and restarts its idle time. */
  get(id: string): SandboxCore | undefined {
    if (id === this.main.id) return this.main;
    this.#expire();
    const entry = this.#forks.get(id);
    if (entry === undefined) return undefined;
    this.#forks.delete(id);
    this.#forks.set(id, { ...entry, used: this.main.world.wall.now() });
    return entry.sandbox;
  }

  fork(origin: SandboxCore, name?: string): SandboxCore {
    const sandbox = this.#add(name === undefined ? this.#nextId() : name, origin);
    this.#watcher?.put(sandbox);
    return sandbox;
  }

  /** Adds a world with a stored state. Ignores the world limit. The watcher is not notified. */
  restoreWorld(id: string, state: StoredState): SandboxCore {
    return this.#put(this.main.copy(id, state));
  }

  watch(watcher: WorldsWatcher): void {
    this.#watcher = watcher;
  }

  /** Creates a world, or replaces an existing world if `replace` is true. The main world can only be replaced. */
  put(id: string, source: WorldSource, replace: boolean): SandboxCore {
    assertWorldName(id);
    const { from, record } = readWorldSource(source);
    const existing = this.get(id);
    const origin = from === undefined ? this.main : this.#find(from);
    const state =
      from === undefined ? runAtPointer("/record", () => readRecord(record)) : origin.getForkState();
    const replaced = replace ? existing : undefined;
    const sandbox = replaced ?? this.#add(id, origin, state);
    if (replaced !== undefined) replaced.replace(state);
    else this.#watcher?.put(sandbox);
    return sandbox;
  }

  #find(id: string): SandboxCore {
    const found = this.get(id);
    if (found === undefined)
      throw new UsageError("unknownName", this.describeMissing(id), { pointer: "/from" });
    return found;
  }

  #add(id: string, origin: SandboxCore, state?: SandboxState): SandboxCore {
    this.#expire();
    if (this.#forks.size >= this.#limit) throw createLimitError(this.#limit);
    assertWorldName(id);
    const twin = this.#findTwin(id);
    if (twin !== undefined) throw createExistsError(twin);
    return this.#put(origin.copy(id, state));
  }

  #put(parts: SandboxParts): SandboxCore {
    const sandbox = this.#make(parts);
    this.#forks.set(sandbox.id, { sandbox, used: this.main.world.wall.now() });
    return sandbox;
  }

  /** Ends and removes a world. Throws a UsageError for the main world and unknown worlds. */
  remove(id: string): void {
    if (id === MAIN_WORLD) throw createMainError();
    const entry = this.#forks.get(id);
    if (entry === undefined) throw new UsageError("unknownWorld", this.describeMissing(id));
    this.#forks.delete(id);
    entry.sandbox.end();
    this.#watcher?.ended(id);
  }

  /** Ends every world permanently (see `SandboxCore.end`), without notifying the watcher. */
  end(): void {
    this.#watcher = undefined;
    for (const { sandbox } of this.#forks.values()) sandbox.end();
    this.main.end();
  }

  /** Lists all sandboxes; the main one is first. */
  list(): readonly SandboxCore[] {
    this.#expire();
    return [this.main, ...Array.from(this.#forks.values(), ({ sandbox }) => sandbox)];
  }

  /** Returns the path prefix of a world, such as `/~w1`. Empty if requests without a prefix belong to this world. */
  getPrefix({ world }: SandboxCore): string {
    return world.id === MAIN_WORLD && !this.strict ? "" : `/~${world.id}`;
  }

  describeMissing(id: string): string {
    return formatUnknownWorld(id, this.#idle);
  }

  /** Returns an equal name. Ignores case, because worlds can be stored as files, and some file systems ignore case. */
  #findTwin(id: string): string | undefined {
    return [this.main.id, ...this.#forks.keys()].find((name) => name.toLowerCase() === id.toLowerCase());
  }

  #nextId(): string {
    do this.made += 1;
    while (this.#findTwin(`w${this.made}`) !== undefined);
    return `w${this.made}`;
  }

  #expire(): void {
    const latest = this.main.world.wall.now() - this.#idleMs;
    for (const [id, { used }] of this.#forks) {
      if (used >= latest) return;
      this.remove(id);
    }
  }
}

export function formatUnknownWorld(id: string, idle: string): string {
  return `No world ${quote(id)}. Create it with POST /_vitrine/worlds {"name":${quote(id)}}; worlds that are idle for ${idle} are removed.`;
}

/** Throws a UsageError unless the source has exactly one of `from` and `record`. */
export function readWorldSource(source: WorldSource): WorldSource {
  const { from, record } = readFields(source, ["from", "record"], "source");
  if ((from === undefined) !== (record === undefined)) return { from, record };
  throw new UsageError("badOption", 'Give either "from", the name of a world, or "record".');
}

export function assertWorldName(id: string): void {
  if (typeof id === "string" && isWorldName(id)) return;
  throw new UsageError(
    "badOption",
    `${quote(id)} is not a valid world name. Use 1 to 100 letters, digits, dots, dashes and underscores, a letter or digit first.`,
  );
}

export function createExistsError(id: string): UsageError {
  return new UsageError("worldExists", `A world ${quote(id)} already exists.`);
}

export function createLimitError(limit: number): UsageError {
  return new UsageError(
    "worldLimit",
    `The limit of ${limit} worlds (option worldLimit) is reached. Close some, or raise it.`,
  );
}

export function createMainError(): UsageError {
  return new UsageError("badOption", "The main world cannot be removed; reset it instead.");
}
