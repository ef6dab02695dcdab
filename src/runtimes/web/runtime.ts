/** A page, a worker, or whatever else runs JavaScript: no files and no sockets. What ships with the package is part of the program. */

import { base, presets, version } from "vitrine:library";
import { type PackageLibrary, rejectScenarioPath } from "../../scenario/library.ts";
import type { PresetName } from "../../scenario/preset-name.ts";
import type { Runtime } from "../../server/runtime.ts";
import { webPlatform } from "./platform.ts";

const library: PackageLibrary = {
  version: () => version,
  base: () => base,
  presetNames: () => Object.keys(presets) as PresetName[], // which are generated from these
  preset: (name) => ({ file: `scenarios/${name}.json`, text: presets[name] ?? "" }),
};

export const webRuntime: Runtime = {
  platform: webPlatform,
  library,
  scenarios: {
    names: library.presetNames,
    read: (name) => (Object.hasOwn(presets, name) ? library.preset(name) : undefined),
  },
  openScenario: rejectScenarioPath,
  openBase: rejectScenarioPath,
  // As the newest fetch of Node: a page learns no reason at all.
  parserErrors: { codes: false, expected: "HTTP/, RTSP/ or ICE/" },
  control: async () => (await import("../../control/index.ts")).control,
  sockets: undefined,
  mail: undefined,
};
