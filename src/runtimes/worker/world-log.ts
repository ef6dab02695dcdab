/** Log of a world. A line contains changes, one action, or a whole record. Replaying the log restores the state. */

import { Coverage } from "../../journal/coverage.ts";
import { NO_JOURNAL } from "../../journal/journal-record.ts";
import type { Service } from "../../operation/service.ts";
import { readRecord, type WorldRecord, writeRecord } from "../../sandbox/record.ts";
import { SandboxCore } from "../../sandbox/sandbox.ts";
import type { Replacement, WorldAction } from "../../sandbox/sandbox-state.ts";
import type { EntityChange } from "../../world/store.ts";
import { World } from "../../world/world.ts";
import { applyFrame, type Frame, FrameTracker } from "./world-frame.ts";

/** `n`: line number. `w`: world. `c`: changed entities. `f`: other changed state. `v`: kind of a line without `c` and `f`. */
export type LogLine = { readonly n: number; readonly w: string } & (
  | { readonly v?: undefined; readonly c?: readonly EntityChange[]; readonly f?: Frame }
  | { readonly v: "verb"; readonly verb: Exclude<WorldAction, { verb: "replace" }> }
  | { readonly v: "record"; readonly record: WorldRecord }
);

/** A log line without its number. */
export type LogEntry = LogLine extends infer L ? (L extends LogLine ? Omit<L, "n"> : never) : never;

/** Collects the changes of a world since its last write. */
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

  /** Returns all changes as one line, so that a torn write cannot split a transaction. Marks the changes as written. */
  take(n: number): string | undefined {
    const frame = this.#frame.take();
    const changes = this.#changes;
    if (frame === undefined && changes.length === 0) return undefined;
    this.#changes = [];
    const c = changes.length === 0 ? "" : `,"c":${JSON.stringify(changes)}`;
    const f = frame === undefined ? "" : `,"f":${frame}`;
    return `{"n":${n},"w":${JSON.stringify(this.sandbox.id)}${c}${f}}`;
  }

  /** Marks the current state as written. */
  forget(): void {
    this.#changes = [];
    this.#frame.take();
  }
}

export function createRecordEntry(sandbox: SandboxCore): LogEntry {
  const record = writeRecord(sandbox.id, { ...sandbox.getStoredState(), journal: NO_JOURNAL });
  return { w: sandbox.id, v: "record", record };
}

/** Replays a log on a sandbox that no client can access. */
export class ReplayedWorld {
  /** The replayed sandbox. Undefined before the first line. */
  sandbox: SandboxCore | undefined;
  readonly #services: readonly Service[];

  constructor(services: readonly Service[]) {
    this.#services = services;
  }

  replay(line: LogLine): void {
    if (line.v === "record") this.sandbox = this.#create(line.w, readRecord(line.record));
    const sandbox = this.sandbox ?? throwMissing(line.w);
    if (line.v === "verb") replayAction(sandbox, line.verb);
    if (line.v !== undefined) return;
    sandbox.world.store.apply(line.c ?? []);
    applyFrame(sandbox, line.f ?? {});
  }

  #create(id: string, state: Replacement): SandboxCore {
    const { world, settings } = state.present;
    const own = { world: new World({ id, seed: world.seed }), settings, state };
    const baseData = () => throwMissing("base data");
    const services = this.#services;
    return new SandboxCore({ ...own, services, coverage: new Coverage(services), baseData });
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
