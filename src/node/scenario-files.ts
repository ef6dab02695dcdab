// Owns the finding of scenarios: presets of the package by name, and files of the user, with what those extend. A file
// never reaches beyond the folder of the file that was asked for.

import { readFileSync, realpathSync, watch } from "node:fs";
import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path";
import type { Services } from "../scenario/contract-of-when.ts";
import {
  isPresetName,
  type Library,
  loadScenario,
  type Scenario,
  type ScenarioInput,
  ScenarioText,
} from "../scenario/scenario.ts";
import { UsageError } from "../world/usage-error.ts";
import { presetNames, readPreset } from "./package-files.ts";

/** A preset's name, the path of a file, or a scenario as a value. */
export type GivenScenario = string | object;

/** Reads one scenario, or several of which a later one lies over an earlier. Throws a UsageError. */
export function readScenario(given: GivenScenario | readonly GivenScenario[], services: Services): Scenario {
  return loadScenario([given].flat().map(toScenarioInput), { services, library });
}

/** Refuses a file with a mistake in it, as `vitrine check` does. Returns the scenario. */
export function checkScenario(path: string, services: Services): Scenario {
  return loadScenario(readInput(path), { services, library });
}

/** All presets in alphabetical order, read and checked. */
export function readPresets(services: Services): readonly Scenario[] {
  return presetNames().map((name) => loadScenario(name, { services, library }));
}

export type Reload = { readonly scenario: Scenario } | { readonly error: UsageError };

/**
 * Reads again whenever one of the files changes, and tells what came of it. A file with a mistake is told as an error;
 * whoever listens keeps the last good one. Returns a function that ends it. Files that are extended are not watched.
 */
export function watchScenarios(
  given: readonly GivenScenario[],
  services: Services,
  tell: (reload: Reload) => void,
): () => void {
  const paths = given.filter((one): one is string => typeof one === "string" && isPath(one));
  let pending: NodeJS.Timeout | undefined;
  const reload = (): void => {
    try {
      tell({ scenario: readScenario(given, services) });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      tell({ error });
    }
  };
  // The folder is watched, not the file: editors replace a file by renaming another onto it.
  const watchers = paths.map((path) =>
    watch(dirname(resolve(path)), (_event, changed) => {
      if (changed !== basename(path)) return;
      clearTimeout(pending);
      pending = setTimeout(reload, SETTLE_MS);
    }),
  );
  return () => {
    clearTimeout(pending);
    for (const watcher of watchers) watcher.close();
  };
}

/** One save of an editor is several events. */
const SETTLE_MS = 50;

/** The text of a file for a path; names and values stay what they are. */
function toScenarioInput(given: GivenScenario): ScenarioInput {
  return typeof given === "string" && isPath(given) ? readInput(given) : given;
}

/** A path has a separator or ends in .json; anything else can only be the name of a preset. */
function isPath(text: string): boolean {
  return /[/\\]|\.json$/.test(text);
}

function readInput(path: string): ScenarioText {
  try {
    return new ScenarioText(path, readText(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // the file system throws nothing else
    const reason =
      code === "ENOENT"
        ? "There is no such file"
        : code === "EISDIR"
          ? "This is a folder"
          : "It cannot be read";
    throw new UsageError("unknownScenario", `${reason}.`, { file: path }, { cause: error });
  }
}

/** As it is, so that a byte order mark is seen by who reads it. */
function readText(path: string): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(readFileSync(path));
}

/** Presets for everybody; for a file also those in its folder and below, relative to itself. */
export const library: Library = {
  names: presetNames,
  read(name, from) {
    if (isPresetName(name) && presetNames().includes(name)) return readPreset(name);
    if (from === undefined || !isPath(name) || isAbsolute(name)) return undefined;
    const root = realPath(dirname(from));
    const path = realPath(resolve(dirname(from), name));
    return root !== undefined && path !== undefined && isUnder(root, path) ? readInput(path) : undefined;
  },
};

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // there is none: told as an unknown name
  }
}

function isUnder(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
