/** Runtime for browsers and workers, without files and sockets. The bundle contains the fixtures and presets. */

import { base, presets, version } from "vitrine:library";
import { type PackageLibrary, rejectScenarioPath } from "../../scenario/library.ts";
import type { PresetName } from "../../scenario/preset-name.ts";
import type { Runtime } from "../../server/runtime.ts";
import { webPlatform } from "./platform.ts";

const library: PackageLibrary = {
  version: () => version,
  base: () => base,
  presetNames: () => Object.keys(presets) as PresetName[], // Safe cast: the type is generated from these names.
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
  // The errors of Node's newest fetch, because fetch in browsers does not report the cause of an error.
  parserErrors: { codes: false, expected: "HTTP/, RTSP/ or ICE/" },
  control: async () => (await import("../../control/index.ts")).control,
  sockets: undefined,
  mail: undefined,
};
