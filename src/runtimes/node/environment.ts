/** Sets environment variables to URLs of the sandbox, and writes failure reports (capsules) of tests to files. */

import { createHash, randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeUnknown } from "../../errors/nearest.ts";
import { UsageError } from "../../errors/usage-error.ts";
import type { Capsule } from "../../journal/capsule.ts";

/** Environment variables to set. Each value names a URL of the sandbox: `{ VITE_MUSEUM_URL: "museum" }`. */
export type VariableNames = Readonly<Record<string, "museum" | "account" | "accountSandbox" | "control">>;
type Variables = Readonly<Record<string, string>>;

/** Returns the URL for each variable. Throws a UsageError for an unknown URL name. */
export function resolveVariables(names: Readonly<Record<string, string>>, urls: Variables): Variables {
  const entries = Object.entries(names).map(([variable, name]) => {
    const url = Object.hasOwn(urls, name) ? urls[name] : undefined;
    if (url === undefined)
      throw new UsageError("badOption", `${variable}: ${describeUnknown("URL", name, Object.keys(urls))}`);
    return [variable, url];
  });
  return Object.fromEntries(entries);
}

/** Sets environment variables. Returns a function that restores the previous values. */
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

export function printLine(line: string): void {
  console.error(`vitrine: ${line}`);
}

export function newControlToken(): string {
  return randomUUID();
}

/** Maximum length of a file name without extension, in characters. It fits the 255 bytes that file systems allow. */
const MAX_FILE_NAME_CHARS = 80;

/** Writes the capsule of a test into the folder, and prints the command that shows the capsule. */
export async function writeCapsule(folder: string, test: string, capsule: Capsule): Promise<void> {
  const file = join(folder, `${toFileName(test)}.json`);
  await mkdir(folder, { recursive: true });
  await writeFile(file, `${JSON.stringify(capsule, undefined, 2)}\n`);
  console.error(`vitrine show ${JSON.stringify(file)}`);
}

/** Returns the end of the test name, its most specific part, and a digest that keeps the file names unique. */
function toFileName(test: string): string {
  const digest = createHash("sha256").update(test).digest("hex").slice(0, 8);
  return `${test} ${digest}`.replace(/[^\p{L}\p{N}]+/gu, "-").slice(-MAX_FILE_NAME_CHARS);
}
