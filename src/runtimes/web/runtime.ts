/** Runtime for browsers, workers and others without files and sockets. Fixtures and presets are part of the bundle. */

import { base, presets, version } from "vitrine:library";
import { type PackageLibrary, rejectScenarioPath } from "../../scenario/library.ts";
import type { PresetName } from "../../scenario/preset-name.ts";
import type { Runtime } from "../../server/runtime.ts";
import { webPlatform } from "./platform.ts";

const library: PackageLibrary = {
  version: () => version,
  base: () => base,
  presetNames: () => Object.keys(presets) as PresetName[], // Safe: the type is generated from these names.
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
  // Like the newest fetch of Node. Browsers hide the reason.
  parserErrors: { codes: false, expected: "HTTP/, RTSP/ or ICE/" },
  control: async () => (await import("../../control/index.ts")).control,
  sockets: undefined,
  mail: undefined,
};
