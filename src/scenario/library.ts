/** The files of the package and the scenarios that a caller names: where they come from, and how they are read. */

import { UsageError } from "../errors/usage-error.ts";
import type { Service } from "../operation/service.ts";
import type { PresetName } from "./preset-name.ts";
import {
  type LoadableScenario,
  loadScenario,
  type Scenario,
  type ScenarioContext,
  type ScenarioLibrary,
} from "./scenario.ts";

/** The files that ship with the package. */
export type PackageLibrary = {
  readonly version: () => string;
  /** The bundled base data: `anchor` and a section for each environment. */
  readonly base: () => { readonly anchor: string } & Readonly<Record<string, unknown>>;
  /** In alphabetical order. */
  readonly presetNames: () => readonly PresetName[];
  readonly preset: (name: string) => { readonly file: string; readonly text: string };
};

/** Where a runtime finds scenarios. */
export type ScenarioSource = {
  /** The scenarios that a name refers to. */
  readonly scenarios: ScenarioLibrary;
  /** Reads the file of a scenario that was given as a path. */
  readonly openScenario: (path: string) => LoadableScenario;
};

/** A preset's name, the path of a file, or a scenario as a value. */
export type ScenarioReference = string | object;

/** Reads one scenario, or several merged in order, later ones over earlier ones; all over `settings`. Throws a UsageError. */
export function readScenario(
  { scenarios: library, openScenario }: ScenarioSource,
  given: ScenarioReference | readonly ScenarioReference[],
  services: readonly Service[],
  settings?: ScenarioContext["settings"],
): Scenario {
  const inputs = [given].flat().map((one) => (isScenarioPath(one) ? openScenario(one) : one));
  return loadScenario(inputs, { services, library, settings });
}

/** A path has a separator or ends in .json; anything else can only be the name of a preset. */
export function isScenarioPath(given: ScenarioReference): given is string {
  return typeof given === "string" && /[/\\]|\.json$/.test(given);
}

/** Rejects paths in runtimes without files. */
export function rejectScenarioPath(file: string): never {
  const message = "There are no files here: import the file, and pass its value.";
  throw new UsageError("unknownScenario", message, { file });
}
