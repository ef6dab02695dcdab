// The sandbox of a simulation, in memory or over a folder, and its ends: closed and opened again, or left as a crash
// leaves it.

import { copyFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSandbox } from "../../src/vitrine.ts";
import type { Wall } from "../../src/world/clock.ts";
import { DEFAULTS, type Moment } from "./model/moment.ts";
import type { Plan } from "./plan.ts";
import { START } from "./wall.ts";
import { type LiveSandbox, readMoment, type World, worldOf } from "./world.ts";

const STATE = "state.json";

export type Storage = {
  /** The main world; it stays the same over every restart. */
  readonly main: World;
  readonly isStored: boolean;
  /** Opens what is stored. `end` closes the sandbox before that. */
  readonly reopen: (end: (sandbox: LiveSandbox) => Promise<void>) => Promise<void>;
  /** The same, as if the process had died now; work that is under way goes on nowhere. */
  readonly crash: (end: (sandbox: LiveSandbox) => Promise<void>) => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function openStorage({ seed, stored }: Plan, wall: Wall): Promise<Storage> {
  const folders: string[] = stored ? [await makeFolder()] : [];
  const data = () => (stored ? { data: folders.at(-1) } : {});
  const sandbox = await createSandbox({ clock: START, seed, wall, ...data() });
  const main = worldOf("main", sandbox, readMoment(sandbox));
  // Opened again, it resets to the base data of the wall's day, since nobody gives a clock.
  const base = stored ? await baseAt(wall) : main.moment;
  const reopen = async (): Promise<void> => {
    main.sandbox = await createSandbox({ wall, ...data() });
    main.moment = { ...main.moment, settings: DEFAULTS, added: [], scenario: [] };
    main.initial = base;
    main.snapshots.clear();
    main.log = [];
  };
  return {
    main,
    isStored: stored,
    async reopen(end) {
      await end(main.sandbox);
      await reopen();
    },
    async crash(end) {
      const before = folders.at(-1) ?? "";
      const after = await makeFolder();
      folders.push(after);
      await flush(main.sandbox);
      const { sandbox: dying } = main;
      const ended = end(dying); // sends what is never answered before it first waits
      copyFileSync(join(before, STATE), join(after, STATE));
      await ended;
      await reopen();
    },
    async close() {
      await main.sandbox.close();
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 5 })));
    },
  };
}

function makeFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "vitrine-simulator-"));
}

async function baseAt(wall: Wall): Promise<Moment> {
  const sandbox = await createSandbox({ wall });
  const base = readMoment(sandbox);
  await sandbox.close();
  return base;
}

/** Verbs are stored with the next request. */
async function flush(sandbox: LiveSandbox): Promise<void> {
  await sandbox.fetch("/_vitrine/ready");
}
