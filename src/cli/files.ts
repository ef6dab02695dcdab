/** Reads files that an option or an operand names. */

import { readFileSync } from "node:fs";
import { UsageError } from "../errors/usage-error.ts";
import { tryParseJson } from "../linter/traffic.ts";

export function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError("badOption", "The file cannot be read.", { file }, { cause: error });
  }
}

export function readJson(file: string): unknown {
  const value = tryParseJson(readText(file));
  if (value !== undefined) return value;
  throw new UsageError("badOption", "The file is not valid JSON.", { file });
}
