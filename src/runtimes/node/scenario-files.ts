/** Finds scenarios: presets by name, and the user's files. A file never reaches beyond its own folder. */

import { type FSWatcher, readFileSync, realpathSync, statSync, watch } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { UsageError } from "../../errors/usage-error.ts";
import type { Service } from "../../operation/service.ts";
import { isScenarioPath, readScenario, type ScenarioReference } from "../../scenario/library.ts";
import { loadScenario, type Scenario, type ScenarioLibrary, ScenarioText } from "../../scenario/scenario.ts";
import { clearTimeout, setTimeout } from "../../world/timers.ts";
import { library } from "./library.ts";

/** Refuses a file with a mistake in it, as `vitrine check` does. Returns the scenario. */
export function checkScenario(path: string, services: readonly Service[]): Scenario {
  return loadScenario(openScenario(path), { services, library: scenarios });
}

/** All presets in alphabetical order, read and checked. */
export function readPresets(services: readonly Service[]): readonly Scenario[] {
  return library.presetNames().map((name) => loadScenario(name, { services, library: scenarios }));
}

export type Reload = { readonly scenario: Scenario | undefined } | { readonly error: UsageError };

/**
 * Reads the scenarios again whenever one of their files, a file that they extend, or a base file changes, and reports the
 * result. `onReload` may throw a UsageError, which is reported too. Returns a function that stops watching.
 */
export function watchScenarios(
  given: readonly ScenarioReference[],
  services: readonly Service[],
  bases: readonly string[],
  onReload: (reload: Reload) => Promise<void> | void,
): () => void {
  const basePaths = bases.map((path) => resolve(toBasePath(path)));
  const files = new Set([...given.filter(isScenarioPath).map((path) => resolve(path)), ...basePaths]);
  const watchers = new Map<string, FSWatcher>();
  let pending: NodeJS.Timeout | undefined;
  const read = (): Reload => {
    try {
      const source = { scenarios: withTracking(files), openScenario };
      return { scenario: given.length === 0 ? undefined : readScenario(source, given, services) };
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return { error };
    } finally {
      follow();
    }
  };
  const reload = async (): Promise<void> => {
    try {
      await onReload(read());
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      await onReload({ error });
    }
  };
  // Folders are watched, not files: editors replace a file by renaming another onto it.
  const follow = (): void => {
    for (const folder of new Set([...files].map((file) => dirname(file)))) {
      if (watchers.has(folder)) continue;
      const watcher = watch(folder, (_event, changed) => {
        if (changed === null || !files.has(join(folder, changed))) return;
        clearTimeout(pending);
        pending = setTimeout(() => void reload(), SETTLE_MS);
      });
      watchers.set(folder, watcher);
    }
  };
  read(); // for the names of the files that are extended
  return () => {
    clearTimeout(pending);
    for (const watcher of watchers.values()) watcher.close();
  };
}

/** The library, which also adds each file that it reads to `files`. */
function withTracking(files: Set<string>): ScenarioLibrary {
  return {
    ...scenarios,
    read(name, from) {
      const found = scenarios.read(name, from);
      if (found !== undefined && isScenarioPath(name)) files.add(resolve(found.file));
      return found;
    },
  };
}

/** One save in an editor causes several events. */
const SETTLE_MS = 50;

/** A base file by its path, or `base.json` in a folder. */
export function openBase(path: string): ScenarioText {
  return openScenario(toBasePath(path));
}

function toBasePath(path: string): string {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? join(path, "base.json") : path;
}

export function openScenario(path: string): ScenarioText {
  try {
    // A byte order mark is left for the reader to see.
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    return new ScenarioText(path, decoder.decode(readFileSync(path)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // the file system throws nothing else
    const reason =
      code === "ENOENT" ? "No such file" : code === "EISDIR" ? "This is a folder" : "It cannot be read";
    throw new UsageError("unknownScenario", `${reason}.`, { file: path }, { cause: error });
  }
}

/** Presets for everybody; for a file also those in its folder and below, relative to itself. */
export const scenarios: ScenarioLibrary = {
  names: library.presetNames,
  read(name, from) {
    if (library.presetNames().some((preset) => preset === name)) return library.preset(name);
    if (from === undefined || !isScenarioPath(name) || isAbsolute(name)) return undefined;
    const root = findRealPath(dirname(from));
    const path = findRealPath(resolve(dirname(from), name));
    return root !== undefined && path !== undefined && isUnder(root, path) ? openScenario(path) : undefined;
  },
};

function findRealPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // it does not exist: reported as an unknown name
  }
}

function isUnder(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
