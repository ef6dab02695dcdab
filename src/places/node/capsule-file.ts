/** Files in which failed tests leave their capsules: one per test, a newer run replacing the older. */

import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Capsule } from "../../journal/capsule.ts";

/** Characters; in any script no more than the 255 bytes that file systems take. */
const LONGEST_NAME = 80;

/** Writes the capsule of the named test into the folder, created if missing, and prints the command that shows it. */
export async function keepCapsule(folder: string, test: string, capsule: Capsule): Promise<void> {
  const file = join(folder, `${toFileName(test)}.json`);
  await mkdir(folder, { recursive: true });
  await writeFile(file, `${JSON.stringify(capsule, undefined, 2)}\n`);
  console.error(`vitrine show ${JSON.stringify(file)}`);
}

/** The end of a name is its most specific part; a digest of the whole keeps shortened names apart. */
function toFileName(test: string): string {
  const name = test.replace(/[^\p{L}\p{N}]+/gu, "-");
  if (name.length <= LONGEST_NAME) return name;
  const digest = createHash("sha256").update(test).digest("hex").slice(0, 8);
  return `${digest}${name.slice(digest.length - LONGEST_NAME)}`;
}
