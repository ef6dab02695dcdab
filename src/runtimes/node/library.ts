/** The files that ship with the package: fixtures and presets, read once and kept frozen. */

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

/** A file of the package's own. @throws UsageError badData where the package is not there. */
function toFileUrl(path: string): URL {
  root ??= findPackageAbove() ?? findInstalledPackage();
  if (root !== undefined) return new URL(path, root);
  throw new UsageError(
    "badData",
    `The package vitrine is not there: ${fileURLToPath(import.meta.url)} is neither in it nor where it can be required from. ` +
      'What bundles a program has to leave it outside (external: ["vitrine"]), as its fixtures and presets are files.',
  );
}

/** The package's folder, wherever in it the build has put this module. */
function findPackageAbove(): URL | undefined {
  for (let folder = new URL("./", import.meta.url); ; ) {
    if (isOwnManifest(new URL("package.json", folder))) return folder;
    const above = new URL("../", folder);
    if (above.href === folder.href) return undefined;
    folder = above;
  }
}

/** The same where a bundler has put this module into a program of its own, beside the package. */
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
    const text = readFileSync(toFileUrl("package.json"), "utf8");
    return (JSON.parse(text) as { readonly version: string }).version; // our own file
  },
  base() {
    base ??= JSON.parse(readFileSync(toFileUrl("fixtures/base.json"), "utf8")) as NonNullable<typeof base>; // our own file
    return base;
  },
  presetNames() {
    names ??= readdirSync(toFileUrl("scenarios/"))
      .filter((name) => name.endsWith(".json"))
      .map((name) => name.slice(0, -".json".length) as PresetName) // which is generated from these
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
