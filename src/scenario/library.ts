/** Reads scenarios by name, path or value. Declares the interface to the files that the package contains. */

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

export type PackageLibrary = {
  readonly version: () => string;
  /** Base data of the package: a section for each environment, and `anchor`, the reference day of all dates. */
  readonly base: () => { readonly anchor: string } & Readonly<Record<string, unknown>>;
  readonly presetNames: () => readonly PresetName[];
  readonly preset: (name: string) => { readonly file: string; readonly text: string };
};

export type ScenarioSource = {
  /** Finds scenarios by name. */
  readonly scenarios: ScenarioLibrary;
  readonly openScenario: (path: string) => LoadableScenario;
};

/** The name of a preset, the path of a file, or the scenario itself. */
export type ScenarioReference = string | object;

/** Reads a scenario, or merges several: later ones override earlier ones. Throws a UsageError for an invalid scenario. */
export function readScenario(
  { scenarios: library, openScenario }: ScenarioSource,
  given: ScenarioReference | readonly ScenarioReference[],
  services: readonly Service[],
  settings?: ScenarioContext["settings"],
): Scenario {
  const inputs = [given].flat().map((input) => (isScenarioPath(input) ? openScenario(input) : input));
  return loadScenario(inputs, { services, library, settings });
}

/** Whether the string is a path: it contains a separator or ends in .json. Other strings are names of presets. */
export function isScenarioPath(given: ScenarioReference): given is string {
  return typeof given === "string" && /[/\\]|\.json$/.test(given);
}

export function rejectScenarioPath(file: string): never {
  const message = "This runtime has no files. Import the file and pass its value.";
  throw new UsageError("unknownScenario", message, { file });
}
