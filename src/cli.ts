#!/usr/bin/env node
/** Maps the arguments to a command and its outcome to an exit code. Importing this module starts nothing. */

import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { check } from "./cli/check.ts";
import { type Command, findCommand, helpOf, overview, parseCall } from "./cli/command.ts";
import { coverage } from "./cli/coverage.ts";
import { exec } from "./cli/exec.ts";
import { explain } from "./cli/explain.ts";
import { type Io, processIo } from "./cli/io.ts";
import { openapi } from "./cli/openapi.ts";
import { replay } from "./cli/replay.ts";
import { scenarios } from "./cli/scenarios.ts";
import { seed } from "./cli/seed.ts";
import { start } from "./cli/start.ts";
import { packageVersion } from "./places/node/package-files.ts";
import { type UsageCode, UsageError } from "./world/usage-error.ts";

export const commands: readonly Command[] = [
  start,
  exec,
  scenarios,
  check,
  explain,
  openapi,
  seed,
  coverage,
  replay,
];

const EXIT_CODES: Partial<Readonly<Record<UsageCode, number>>> = {
  portInUse: 2,
  stateUnreadable: 3,
  stateLocked: 4,
};

/** Runs a command line; resolves with its exit code, and never throws. */
export async function main(args: readonly string[], io: Io): Promise<number> {
  try {
    const [first, ...rest] = args;
    if (first === "--version") return print(io, `${packageVersion()}\n`);
    if (first === "--help" || first === "-h" || first === "help")
      return print(io, overview(commands, start.name));
    const named = first !== undefined && !first.startsWith("-");
    const command = named ? findCommand(commands, first) : start;
    const call = parseCall(command, named ? rest : args, io);
    return call === "help" ? print(io, helpOf(command)) : await command.run(call);
  } catch (error) {
    io.complain(`vitrine: ${error instanceof Error ? error.message : String(error)}`);
    return error instanceof UsageError ? (EXIT_CODES[error.code] ?? 1) : 1;
  }
}

function print(io: Io, text: string): number {
  io.out(text);
  return 0;
}

const entry = process.argv[1];
if (entry !== undefined && realpathSync(entry) === fileURLToPath(import.meta.url))
  process.exitCode = await main(process.argv.slice(2), processIo());
