/** Reads the fixtures and presets of the package, each file once. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { UsageError } from "../../errors/usage-error.ts";
import type { PackageLibrary } from "../../scenario/library.ts";
import type { PresetName } from "../../scenario/preset-name.ts";

type PresetFile = ReturnType<PackageLibrary["preset"]>;

let base: ReturnType<PackageLibrary["base"]> | undefined;
const presets = new Map<string, PresetFile>();
let names: readonly PresetName[] | undefined;

let root: URL | undefined;

/** Returns the URL of a file in the package. @throws UsageError badData if the package is not installed. */
function toFileUrl(path: string): URL {
  root ??= findPackageAbove() ?? findInstalledPackage();
  if (root !== undefined) return new URL(path, root);
  throw new UsageError(
    "badData",
    `Cannot find the package vitrine: ${fileURLToPath(import.meta.url)} is outside of it and cannot require it. ` +
      'In your bundler, mark it as external (external: ["vitrine"]), because it reads its fixtures and presets from files.',
  );
}

/** Searches the folders above this module for the package's folder. */
function findPackageAbove(): URL | undefined {
  for (let folder = new URL("./", import.meta.url); ; ) {
    if (isOwnManifest(new URL("package.json", folder))) return folder;
    const above = new URL("../", folder);
    if (above.href === folder.href) return undefined;
    folder = above;
  }
}

/** Finds the installed package. Needed if a bundler has copied this module into another program. */
function findInstalledPackage(): URL | undefined {
  try {
    return new URL("./", pathToFileURL(createRequire(import.meta.url).resolve("vitrine/package.json")));
  } catch {
    return undefined;
  }
}

function isOwnManifest(manifest: URL): boolean {
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).name === "vitrine";
}

export const library: PackageLibrary = {
  version() {
    return JSON.parse(readFileSync(toFileUrl("package.json"), "utf8")).version;
  },
  base() {
    base ??= JSON.parse(readFileSync(toFileUrl("fixtures/base.json"), "utf8")) as NonNullable<typeof base>;
    return base;
  },
  presetNames() {
    names ??= readdirSync(toFileUrl("scenarios/"))
      .filter((name) => name.endsWith(".json"))
      .map((name) => name.slice(0, -".json".length) as PresetName) // Safe: `PresetName` is generated from these files.
      .sort();
    return names;
  },
  preset(name) {
    let preset = presets.get(name);
    if (preset === undefined) {
      const file = fileURLToPath(toFileUrl(`scenarios/${name}.json`));
      preset = { file, text: readFileSync(file, "utf8") };
      presets.set(name, preset);
    }
    return preset;
  },
};
