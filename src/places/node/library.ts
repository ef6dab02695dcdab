/** The files that ship with the package: fixtures and presets, read once and kept frozen. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Fixture } from "../../operation/service.ts";
import type { PresetName } from "../../scenario/preset-name.ts";
import type { PackageLibrary } from "../place.ts";

const ROOT = rootOf(import.meta.url);
type Preset = ReturnType<PackageLibrary["preset"]>;

const fixtures = new Map<string, Fixture>();
const presets = new Map<string, Preset>();
let names: readonly PresetName[] | undefined;

/** The nearest folder above the module with a package.json, wherever in the package the build has put the module. */
function rootOf(module: string): URL {
  let folder = new URL("./", module);
  while (!existsSync(new URL("package.json", folder))) folder = new URL("../", folder);
  return folder;
}

export const library: PackageLibrary = {
  version() {
    const text = readFileSync(new URL("package.json", ROOT), "utf8");
    return (JSON.parse(text) as { readonly version: string }).version; // our own file
  },
  fixture(name) {
    let fixture = fixtures.get(name);
    if (fixture === undefined) {
      const text = readFileSync(new URL(`fixtures/${name}.json`, ROOT), "utf8");
      fixture = JSON.parse(text) as Fixture; // our own file; test/services/fixtures.test.ts checks each
      fixtures.set(name, fixture);
    }
    return fixture;
  },
  presetNames() {
    names ??= readdirSync(new URL("scenarios/", ROOT))
      .filter((name) => name.endsWith(".json"))
      .map((name) => name.slice(0, -".json".length) as PresetName) // which is generated from these
      .sort();
    return names;
  },
  preset(name) {
    let preset = presets.get(name);
    if (preset === undefined) {
      const file = fileURLToPath(new URL(`scenarios/${name}.json`, ROOT));
      preset = { file, text: readFileSync(file, "utf8") };
      presets.set(name, preset);
    }
    return preset;
  },
};
