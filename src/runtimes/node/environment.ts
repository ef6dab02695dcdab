/** Addresses as variables of the environment, under the names by which a program under test knows them. */

import { createHash, randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeUnknown } from "../../errors/nearest.ts";
import { UsageError } from "../../errors/usage-error.ts";
import type { Capsule } from "../../journal/capsule.ts";

/** By variable, the name of a URL of the sandbox: `{ VITE_MUSEUM_URL: "museum" }`. */
export type VariableNames = Readonly<Record<string, "museum" | "account" | "accountSandbox" | "control">>;
type Variables = Readonly<Record<string, string>>;

/** The variables with their URLs. Throws a UsageError for a URL that there is not. */
export function resolveVariables(names: Readonly<Record<string, string>>, urls: Variables): Variables {
  const entries = Object.entries(names).map(([variable, name]) => {
    const url = Object.hasOwn(urls, name) ? urls[name] : undefined;
    if (url === undefined)
      throw new UsageError("badOption", `${variable}: ${describeUnknown("URL", name, Object.keys(urls))}`);
    return [variable, url];
  });
  return Object.fromEntries(entries);
}

/** Sets variables of this process; the function that it returns puts back what was there. */
export function setVariables(variables: Variables): () => void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}

/** Prints one line to standard error. */
export function printLine(line: string): void {
  console.error(`vitrine: ${line}`);
}

export function newControlToken(): string {
  return randomUUID();
}

/** Characters; in any script no more than the 255 bytes that file systems take. */
const MAX_FILE_NAME_CHARS = 80;

/** Writes the capsule of the named test into the folder, created if missing, and prints the command that shows it. */
export async function writeCapsule(folder: string, test: string, capsule: Capsule): Promise<void> {
  const file = join(folder, `${toFileName(test)}.json`);
  await mkdir(folder, { recursive: true });
  await writeFile(file, `${JSON.stringify(capsule, undefined, 2)}\n`);
  console.error(`vitrine show ${JSON.stringify(file)}`);
}

/** The end of a name is its most specific part; a digest of the whole keeps shortened names apart. */
function toFileName(test: string): string {
  const name = test.replace(/[^\p{L}\p{N}]+/gu, "-");
  if (name.length <= MAX_FILE_NAME_CHARS) return name;
  const digest = createHash("sha256").update(test).digest("hex").slice(0, 8);
  return `${digest}${name.slice(digest.length - MAX_FILE_NAME_CHARS)}`;
}
