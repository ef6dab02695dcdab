/** Reads files that an option or an operand names. */

import { readFileSync } from "node:fs";
import { UsageError } from "../errors/usage-error.ts";

export function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError("badOption", "The file cannot be read.", { file }, { cause: error });
  }
}

/** The error has no cause, because the cause would show the text of the file. */
export function readJson(file: string): unknown {
  const text = readText(file);
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError("badOption", "The file is not valid JSON.", { file });
  }
}
