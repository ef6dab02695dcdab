/** Functions that differ between JavaScript runtimes. Each entry point of the package sets them first. */

import type { Key, KeyMaterial } from "./keys.ts";

export type Platform = {
  /** SHA-256. Strings are encoded as UTF-8. */
  digest(data: string | Uint8Array): Uint8Array;
  /** Returns the number of UTF-8 bytes of a string, without encoding it if the runtime supports this. */
  utf8Length(text: string): number;
  key(material: KeyMaterial): Key;
  /** Large packages that few sandboxes need. If the runtime can load lazily, the first call loads the package. */
  readonly packages: {
    jsonc(): typeof import("jsonc-parser");
    re2js(): typeof import("re2js");
  };
};

let currentPlatform: Platform | undefined;

/** Sets the platform. Only the entry points of the package call this function. */
export function setPlatform(platform: Platform): void {
  currentPlatform = platform;
}

export function getPlatform(): Platform {
  if (currentPlatform === undefined)
    throw new Error("No platform is set: import an entry point of the package first.");
  return currentPlatform;
}
