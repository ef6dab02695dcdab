/**
 * What a place offers in which the sandbox runs: what the package ships, where scenarios are found, and what only some places
 * have, such as files and sockets.
 */

import type { Fixture, Service } from "../operation/service.ts";
import type { ParserErrors } from "../request/broken-reply.ts";
import type { PresetName } from "../scenario/preset-name.ts";
import {
  type Context,
  type Library,
  loadScenario,
  type Scenario,
  type ScenarioInput,
} from "../scenario/scenario.ts";
import type { Platform } from "../world/platform.ts";
import { UsageError } from "../world/usage-error.ts";

/** The files that ship with the package. */
export type PackageLibrary = {
  readonly version: () => string;
  /** The committed fixture of that name. */
  readonly fixture: (name: string) => Fixture;
  /** In alphabetical order. */
  readonly presetNames: () => readonly PresetName[];
  readonly preset: (name: string) => { readonly file: string; readonly text: string };
};

/** A preset's name, the path of a file, or a scenario as a value. */
export type GivenScenario = string | object;

export type Place = {
  readonly platform: Platform;
  readonly library: PackageLibrary;
  /** What the names in scenarios refer to. */
  readonly scenarios: Library;
  /** Reads the file of a scenario that was given as a path. */
  readonly openScenario: (path: string) => ScenarioInput;
  /** How this place's own fetch reports bytes that are not HTTP. */
  readonly parserErrors: ParserErrors;
  /** The control API, with its pages where there is somebody to look at them. */
  readonly control: () => Promise<Service>;
  /** Each is loaded by those who ask for it; undefined where the place has none. */
  readonly sockets: (() => Promise<typeof import("./node/http-server.ts")>) | undefined;
  readonly state: (() => Promise<typeof import("./node/kept-state.ts")>) | undefined;
  readonly mail: (() => Promise<typeof import("./node/mail-relay.ts")>) | undefined;
};

/** Loads what only some places have. `what` asks for it, and cannot be had without. */
export function load<T>(part: (() => Promise<T>) | undefined, what: string): Promise<T> {
  if (part !== undefined) return part();
  const where = "In a browser there are no files and no sockets";
  throw new UsageError(
    "badOption",
    `${what} is only there on a server, with createSandbox of "vitrine". ${where}.`,
  );
}

/** Reads one scenario, or several merged in order, later ones over earlier ones; all over `settings`. Throws a UsageError. */
export function readScenario(
  { scenarios: library, openScenario }: Pick<Place, "scenarios" | "openScenario">,
  given: GivenScenario | readonly GivenScenario[],
  services: readonly Service[],
  settings?: Context["settings"],
): Scenario {
  const inputs = [given].flat().map((one) => (isPath(one) ? openScenario(one) : one));
  return loadScenario(inputs, { services, library, settings });
}

/** A path has a separator or ends in .json; anything else can only be the name of a preset. */
export function isPath(given: GivenScenario): given is string {
  return typeof given === "string" && /[/\\]|\.json$/.test(given);
}

/** Where there are no files. */
export function openScenarioOfPage(file: string): never {
  const message = "There are no files here: import the scenario, and give its value.";
  throw new UsageError("unknownScenario", message, { file });
}
