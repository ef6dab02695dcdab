/** The newest 1,000 snapshots of a sandbox by name. You can restore an older snapshot if you have its object. */

import { createUnknownError } from "../errors/nearest.ts";
import type { SandboxSnapshot } from "./sandbox-state.ts";

const MAX_SNAPSHOTS = 1_000;

export class Snapshots {
  readonly #byName = new Map<string, SandboxSnapshot>();
  /** Number of snapshots created without a name. */
  taken = 0;

  /** Lists the snapshots, oldest first. */
  all(): readonly SandboxSnapshot[] {
    return [...this.#byName.values()];
  }

  get(id: string): SandboxSnapshot {
    const found = this.#byName.get(id);
    if (found === undefined) throw createUnknownError("snapshot", id, [...this.#byName.keys()]);
    return found;
  }

  has(snapshot: SandboxSnapshot): boolean {
    return this.#byName.get(snapshot.id) === snapshot;
  }

  /** Returns `name`, or the next default name: `s1`, `s2`, … */
  createName(name: string | undefined): string {
    if (name === undefined) this.taken += 1;
    return name ?? `s${this.taken}`;
  }

  put(snapshot: SandboxSnapshot): void {
    this.#byName.delete(snapshot.id);
    this.#byName.set(snapshot.id, snapshot);
    const [oldest] = this.#byName.keys();
    if (this.#byName.size > MAX_SNAPSHOTS && oldest !== undefined) this.#byName.delete(oldest);
  }

  remove(id: string): void {
    this.get(id);
    this.#byName.delete(id);
  }

  replace(snapshots: readonly SandboxSnapshot[], taken: number): void {
    this.#byName.clear();
    for (const snapshot of snapshots) this.put(snapshot);
    this.taken = taken;
  }
}
