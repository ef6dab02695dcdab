/** The file with a capsule, as the commands that take one read it. */

import { readFileSync } from "node:fs";
import { UsageError } from "../world/usage-error.ts";

/** What it holds, unchecked. Throws a UsageError where that is no JSON. */
export function readCapsule(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    const what = error instanceof SyntaxError ? "is not valid JSON" : "cannot be read";
    throw new UsageError("badOption", `The capsule ${what}.`, { file }, { cause: error });
  }
}
