/** What differs between JavaScript platforms. An entry sets it before anything else; each gives the same bytes. */

import type { Key, KeyMaterial } from "./keys.ts";

export type Platform = {
  /** SHA-256, of a text as UTF-8. */
  digest(data: string | Uint8Array): Uint8Array;
  /** How many bytes a text has in UTF-8, without making them where the place can do that. */
  utf8Length(text: string): number;
  /** A key that signs and verifies tokens. */
  key(material: KeyMaterial): Key;
  /** Large packages that few sandboxes need: loaded with the first use, where a place can do that at once. */
  readonly packages: {
    jsonc(): typeof import("jsonc-parser");
    re2js(): typeof import("re2js");
  };
};

let currentPlatform: Platform | undefined;

/** Called by the entries alone. */
export function setPlatform(platform: Platform): void {
  currentPlatform = platform;
}

export function getPlatform(): Platform {
  if (currentPlatform === undefined)
    throw new Error("No place says what this process runs on: import an entry first.");
  return currentPlatform;
}
