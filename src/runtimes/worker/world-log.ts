/** The lines of the log: what changed in a world, or one action on all of it. Replaying them restores the state. */

import { Coverage } from "../../journal/coverage.ts";
import { NO_JOURNAL } from "../../journal/journal-record.ts";
import type { Service } from "../../operation/service.ts";
import { readRecord, type WorldRecord, writeRecord } from "../../sandbox/record.ts";
import { SandboxCore } from "../../sandbox/sandbox.ts";
import type { Replacement, StoredState, WorldAction } from "../../sandbox/sandbox-state.ts";
import type { EntityChange } from "../../world/store.ts";
import { World } from "../../world/world.ts";
import { applyFrame, type Frame, FrameTracker } from "./world-frame.ts";

/** `n` counts the lines of all logs; `w` is the world. */
export type LogLine = { readonly n: number; readonly w: string } & (
  | { readonly v?: undefined; readonly c?: readonly EntityChange[]; readonly f?: Frame }
  | { readonly v: "verb"; readonly verb: Exclude<WorldAction, { verb: "replace" }> }
  | { readonly v: "fork"; readonly from: string; readonly made: number }
  | { readonly v: "record"; readonly record: WorldRecord }
  | { readonly v: "end" }
);

/** What a line says apart from its number. */
export type LogEntry = LogLine extends infer L ? (L extends LogLine ? Omit<L, "n"> : never) : never;

/** One live world, and what changed in it since it was last written. */
export class WorldChanges {
  readonly sandbox: SandboxCore;
  readonly #frame: FrameTracker;
  #changes: EntityChange[] = [];

  constructor(sandbox: SandboxCore) {
    this.sandbox = sandbox;
    this.#frame = new FrameTracker(sandbox);
  }

  add(changes: readonly EntityChange[]): void {
    for (const change of changes) this.#changes.push(change);
  }

  get isChanged(): boolean {
    return this.#changes.length > 0 || this.#frame.isChanged;
  }

  /** One line for all of it, so that a line that is cut takes no half of a transaction away; from now on written. */
  take(n: number): string | undefined {
    const frame = this.#frame.take();
    const changes = this.#changes;
    if (frame === undefined && changes.length === 0) return undefined;
    this.#changes = [];
    const c = changes.length === 0 ? "" : `,"c":${JSON.stringify(changes)}`;
    const f = frame === undefined ? "" : `,"f":${frame}`;
    return `{"n":${n},"w":${JSON.stringify(this.sandbox.id)}${c}${f}}`;
  }

  /** The world is as it is written. */
  forget(): void {
    this.#changes = [];
    this.#frame.take();
  }
}

/** The entry for a world as a whole. */
export function createRecordEntry(sandbox: SandboxCore): LogEntry {
  const record = writeRecord(sandbox.id, { ...sandbox.getStoredState(), journal: NO_JOURNAL });
  return { w: sandbox.id, v: "record", record };
}

/** Worlds on which lines are played. Nobody sees them. */
export class ReplayedWorlds {
  readonly sandboxes = new Map<string, SandboxCore>();
  made: number;
  readonly #services: readonly Service[];
  readonly #coverage: Coverage;

  constructor(services: readonly Service[], worlds: ReadonlyMap<string, StoredState>, made: number) {
    this.#services = services;
    this.#coverage = new Coverage(services);
    this.made = made;
    for (const [id, state] of worlds) this.#put(id, state);
  }

  play(line: LogLine): void {
    switch (line.v) {
      case undefined: {
        const sandbox = this.#known(line.w);
        sandbox.world.store.apply(line.c ?? []);
        applyFrame(sandbox, line.f ?? {});
        return;
      }
      case "verb":
        replayAction(this.#known(line.w), line.verb);
        return;
      case "fork":
        this.made = line.made;
        this.#put(line.w, this.#known(line.from).getForkState());
        return;
      case "record":
        this.#put(line.w, readRecord(line.record));
        return;
      case "end":
        this.sandboxes.delete(line.w);
    }
  }

  #known(id: string): SandboxCore {
    return this.sandboxes.get(id) ?? throwMissing(id);
  }

  #put(id: string, state: Replacement): void {
    const { world, settings } = state.present;
    const own = { world: new World({ id, seed: world.seed }), settings, state };
    const baseData = () => throwMissing("base data");
    const shared = { services: this.#services, coverage: this.#coverage, baseData };
    this.sandboxes.set(id, new SandboxCore({ ...own, ...shared }));
  }
}

function replayAction(sandbox: SandboxCore, verb: Exclude<WorldAction, { verb: "replace" }>): void {
  switch (verb.verb) {
    case "snapshot":
      sandbox.snapshot(verb.name);
      return;
    case "restore":
      sandbox.restore(verb.id);
      return;
    case "forget":
      sandbox.dropSnapshot(verb.id);
      return;
    case "reset":
      sandbox.reset();
      return;
    case "start":
      sandbox.markStart();
  }
}

function throwMissing(id: string): never {
  throw new Error(`${JSON.stringify(id)} is not there`);
}
