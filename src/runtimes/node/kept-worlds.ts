/** What a folder has goes on: its worlds come back, and options that they do not follow any more are reported. */

import { UsageError } from "../../errors/usage-error.ts";
import type { Settings, StoredState } from "../../sandbox/sandbox-state.ts";
import type { Worlds } from "../../sandbox/worlds.ts";
import { parseClock } from "../../world/clock.ts";
import { MAIN_WORLD } from "../../world/world-name.ts";
import { KeptJournals } from "./kept-journals.ts";
import { Persistence } from "./persistence.ts";
import type { StateFolder } from "./state-folder.ts";

type Options = {
  readonly clock?: string | Date | undefined;
  readonly scenario?: unknown;
  readonly settings?: unknown;
  readonly keepJournal?: boolean | undefined;
};

/**
 * The seed that a folder's ids continue from, and its main world; both undefined in a new folder. Throws a UsageError
 * if another seed was asked for.
 */
export function mainWorldOf(
  { found }: StateFolder,
  asked: number | undefined,
): { readonly seed: number | undefined; readonly state: StoredState | undefined } {
  const seed = found?.manifest.seed;
  if (seed !== undefined && asked !== undefined && asked !== seed) {
    const message = `The saved state was made with seed ${seed}, not ${asked}: leave the seed out, or choose another --data folder.`;
    throw new UsageError("badOption", message);
  }
  const main = found?.now.sandboxes.get(MAIN_WORLD);
  return { seed, state: main?.getStoredState() };
}

/** Keeps the worlds in the folder from now on, the main one being there already, and brings the others. */
export async function keepWorlds(
  worlds: Worlds,
  folder: StateFolder,
  options: Options,
  settings: Settings,
): Promise<Persistence> {
  const { main } = worlds;
  const { found } = folder;
  if (found !== undefined) {
    for (const [id, sandbox] of found.now.sandboxes)
      if (id !== MAIN_WORLD) worlds.restoreWorld(id, sandbox.getStoredState());
    worlds.made = found.now.made;
  }
  const setClock = parseClock(found === undefined ? undefined : options.clock); // first: it may refuse
  const journals = options.keepJournal === true ? await keepJournals(worlds, folder) : undefined;
  const persistence = await Persistence.open(worlds, folder, journals);
  setClock(main.clock);
  const ignored = found === undefined ? [] : ignoredOptions(worlds, folder.folder, options, settings);
  for (const message of [...folder.notices, ...ignored]) main.journal.notices.add({ key: "state", message });
  return persistence;
}

function keepJournals(worlds: Worlds, folder: StateFolder): Promise<KeptJournals> {
  const { main } = worlds;
  return KeptJournals.open(folder, worlds.list(), main.coverage, (code) => {
    const message = `The journals could not be written (${code}). Requests go on, and the next ones try again.`;
    main.journal.notices.add({ key: "journalNotKept", message });
  });
}

/** What a user asked for and does not get, since the state has its own. */
function ignoredOptions(
  { main }: Worlds,
  folder: string,
  options: Options,
  settings: Settings,
): readonly string[] {
  const { name } = main.ruleSet.scenario;
  const scenario = `The state in ${folder} goes on with its own scenario (${name}); the one asked for is not applied again.`;
  const own = `The state in ${folder} goes on with its own settings; those asked for have no effect.`;
  const differs = JSON.stringify(settings) !== JSON.stringify(main.baseSettings);
  return [
    ...(options.scenario === undefined ? [] : [scenario]),
    ...(options.settings !== undefined && differs ? [own] : []),
  ];
}
