// The sandbox of a simulation, in memory or over a folder, and its ends: closed and opened again, or left as a crash
// leaves it.

import { copyFileSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import type { WallClock } from "../../src/world/clock.ts";
import type { Plan } from "./plan.ts";
import { START } from "./wall.ts";
import { type LiveSandbox, readMoment, type World, worldOf } from "./world.ts";

export type Storage = {
  /** The main world; it stays the same over every restart. */
  readonly main: World;
  readonly isStored: boolean;
  /** Opens what is stored, with every world. `end` closes the sandbox before that. */
  readonly reopen: (end: (sandbox: LiveSandbox) => Promise<void>) => Promise<LiveSandbox>;
  /** The same, as if the process had died now; work that is under way goes on nowhere. */
  readonly crash: (end: (sandbox: LiveSandbox) => Promise<void>) => Promise<LiveSandbox>;
  readonly close: () => Promise<void>;
};

export async function openStorage({ seed, stored }: Plan, wall: WallClock): Promise<Storage> {
  const folders: string[] = stored ? [await makeFolder()] : [];
  const data = () => (stored ? { data: folders.at(-1) } : {});
  const sandbox = await createSandbox({ clock: START, seed, wall, ...data() });
  const main = worldOf("main", sandbox, readMoment(sandbox));
  const reopen = () => createSandbox({ wall, ...data() });
  return {
    main,
    isStored: stored,
    async reopen(end) {
      await end(main.sandbox);
      return reopen();
    },
    async crash(end) {
      const before = folders.at(-1) ?? "";
      const after = await makeFolder();
      folders.push(after);
      await flush(main.sandbox);
      const ended = end(main.sandbox); // sends what is never answered before it first waits
      copyState(before, after);
      await ended;
      return reopen();
    },
    async close() {
      await main.sandbox.close();
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 5 })));
    },
  };
}

/** What a dying process leaves: the files of all worlds. */
function copyState(from: string, to: string): void {
  const names = readdirSync(from).filter((name) => name.endsWith(".json"));
  for (const name of names) copyFileSync(join(from, name), join(to, name));
}

function makeFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "vitrine-simulator-"));
}

/** Verbs are stored with the next request to their world. */
async function flush({ worlds }: LiveSandbox): Promise<void> {
  for (const world of worlds.list()) await world.fetch("/_vitrine/ready");
}
