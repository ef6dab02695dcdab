/** Functions that differ between JavaScript runtimes. Each entry point sets the platform first. */

import type { Key, KeyMaterial } from "./keys.ts";

export type Platform = {
  /** SHA-256. Strings are encoded as UTF-8. */
  digest(data: string | Uint8Array): Uint8Array;
  /** Number of UTF-8 bytes of a string, if possible without encoding it. */
  utf8Length(text: string): number;
  key(material: KeyMaterial): Key;
  /** Large packages that few sandboxes need. Loaded on first use if the runtime supports it. */
  readonly packages: {
    jsonc(): typeof import("jsonc-parser");
    re2js(): typeof import("re2js");
  };
};

let currentPlatform: Platform | undefined;

/** Only entry points call this function. */
export function setPlatform(platform: Platform): void {
  currentPlatform = platform;
}

export function getPlatform(): Platform {
  if (currentPlatform === undefined)
    throw new Error("No platform is set: import an entry point of the package first.");
  return currentPlatform;
}
