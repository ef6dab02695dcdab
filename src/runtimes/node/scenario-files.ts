/** Finds presets by name and scenarios by path. A scenario file can only refer to files in its own folder and below. */

import { type FSWatcher, readFileSync, realpathSync, statSync, watch } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { UsageError } from "../../errors/usage-error.ts";
import type { Service } from "../../operation/service.ts";
import { isScenarioPath, readScenario, type ScenarioReference } from "../../scenario/library.ts";
import { loadScenario, type Scenario, type ScenarioLibrary, ScenarioText } from "../../scenario/scenario.ts";
import { clearTimeout, setTimeout } from "../../world/timers.ts";
import { library } from "./library.ts";

/** Loads a scenario file. Throws a UsageError with the errors that `vitrine check` prints. */
export function checkScenario(path: string, services: readonly Service[]): Scenario {
  return loadScenario(openScenario(path), { services, library: scenarios });
}

/** Loads all presets in alphabetical order. */
export function readPresets(services: readonly Service[]): readonly Scenario[] {
  return library.presetNames().map((name) => loadScenario(name, { services, library: scenarios }));
}

export type Reload = { readonly scenario: Scenario | undefined } | { readonly error: UsageError };

/** Reloads scenarios when a file changes, and passes the scenario or a UsageError to `onReload`. The result stops watching. */
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
  // Watch folders, not files: many editors save a file by renaming a new file onto it.
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
  read(); // Adds the files that the scenarios extend to `files`, and starts the watchers.
  return () => {
    clearTimeout(pending);
    for (const watcher of watchers.values()) watcher.close();
  };
}

/** Returns the library `scenarios` with a `read` that also adds each file's path to `files`. */
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

/** Delay in ms before a changed file is read, because an editor causes several file events when it saves once. */
const SETTLE_MS = 50;

/** Opens a base file, or `base.json` if the path is a folder. */
export function openBase(path: string): ScenarioText {
  return openScenario(toBasePath(path));
}

function toBasePath(path: string): string {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? join(path, "base.json") : path;
}

export function openScenario(path: string): ScenarioText {
  try {
    // Keeps a byte order mark, so that the JSON parser reports it as an error.
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    return new ScenarioText(path, decoder.decode(readFileSync(path)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // Safe cast: the file system throws ErrnoExceptions.
    const reason =
      code === "ENOENT" ? "No such file" : code === "EISDIR" ? "This is a folder" : "The file cannot be read";
    throw new UsageError("unknownScenario", `${reason}.`, { file: path }, { cause: error });
  }
}

/** Reads presets by name. For a reference in the scenario file `from`, also reads files in its folder and below. */
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
    return undefined; // The caller reports a missing file as an unknown name.
  }
}

function isUnder(root: string, path: string): boolean {
  const inner = relative(root, path);
  return inner !== "" && inner !== ".." && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
}
