/** Stores worlds in a folder. Only sandboxes with the option `data` load this module. */

import type { Settings } from "../../sandbox/sandbox-state.ts";
import type { Worlds } from "../../sandbox/worlds.ts";
import { parseClock } from "../../world/clock.ts";
import { MAIN_WORLD } from "../../world/world-name.ts";
import { applyEdits, findEdits } from "./data-edit.ts";
import { DataFolder } from "./data-folder.ts";
import { DataStore } from "./data-store.ts";
import { getData } from "./world-file.ts";

export { DataFolder };

type StoreOptions = {
  readonly clock?: string | Date | undefined;
  readonly base?: unknown;
  readonly scenario?: unknown;
  readonly settings?: unknown;
};

/** Restores all worlds of the folder except the main world, which the caller has restored. The returned DataStore stores changes. */
export async function storeWorlds(
  worlds: Worlds,
  folder: DataFolder,
  options: StoreOptions,
  settings: Settings,
): Promise<DataStore> {
  const { main } = worlds;
  const isStored = folder.found.get(MAIN_WORLD)?.content.state !== undefined;
  for (const [id, { content }] of folder.found) {
    if (id === MAIN_WORLD) continue;
    const sandbox = worlds.restoreWorld(id, content.state ?? main.getForkState());
    if (content.state !== undefined) continue;
    applyEdits(
      sandbox,
      findEdits(getData(sandbox.getStoredState(), main.services), content.data, main.services),
    );
    sandbox.markStart();
  }
  worlds.made = folder.server?.made ?? 0;
  const setClock = parseClock(isStored ? options.clock : undefined); // Throws for an invalid clock before anything is written.
  const store = new DataStore(worlds, folder);
  await store.flush(main, undefined);
  setClock(main.clock);
  const { path, notices } = folder;
  const differs =
    options.settings !== undefined && JSON.stringify(settings) !== JSON.stringify(main.baseSettings);
  if (isStored && (options.base ?? options.scenario) !== undefined)
    notices.push(
      `Using the stored state in ${path}. The base data and the scenario apply at the next reset.`,
    );
  if (isStored && differs)
    notices.push(`Using the stored settings in ${path}. The option "settings" has no effect.`);
  for (const message of notices) main.journal.notices.add({ key: "state", message });
  return store;
}
