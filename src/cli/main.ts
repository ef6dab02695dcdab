/** Finds the command that the arguments name, runs it, and returns its exit code. */

import { getMember } from "../errors/nearest.ts";
import { type UsageCode, UsageError } from "../errors/usage-error.ts";
import { library } from "../runtimes/node/library.ts";
import { type Commands, formatHelp, formatOverview, parseCall } from "./command.ts";
import type { Io } from "./io.ts";

const DEFAULT_COMMAND = "start";
export const commands: Commands = {
  start: async () => (await import("./start.ts")).start,
  exec: async () => (await import("./exec.ts")).exec,
  scenarios: async () => (await import("./scenarios.ts")).scenarios,
  check: async () => (await import("./check.ts")).check,
  explain: async () => (await import("./explain.ts")).explain,
  openapi: async () => (await import("./openapi.ts")).openapi,
  seed: async () => (await import("./seed.ts")).seed,
  coverage: async () => (await import("./coverage.ts")).coverage,
  calibrate: async () => (await import("./evidence.ts")).calibrate,
  drift: async () => (await import("./evidence.ts")).drift,
  assumptions: async () => (await import("./evidence.ts")).assumptions,
  mcp: async () => (await import("./mcp.ts")).mcp,
  show: async () => (await import("./show.ts")).show,
};

const EXIT_CODES: Partial<Readonly<Record<UsageCode, number>>> = {
  portInUse: 2,
  stateUnreadable: 3,
  stateLocked: 4,
};

/** Runs a command line. Resolves with its exit code and never rejects. */
export async function main(args: readonly string[], io: Io): Promise<number> {
  try {
    const [first, ...rest] = args;
    if (first === "--version") return print(io, `${library.version()}\n`);
    if (first === "--help" || first === "-h" || first === "help")
      return print(io, await formatOverview(commands, DEFAULT_COMMAND));
    const named = first !== undefined && !first.startsWith("-");
    const command = await getMember(commands, "command", named ? first : DEFAULT_COMMAND)();
    const call = parseCall(command, named ? rest : args, io);
    return call === "help" ? print(io, formatHelp(command)) : await command.run(call);
  } catch (error) {
    io.printError(`vitrine: ${error instanceof Error ? error.message : String(error)}`);
    return error instanceof UsageError ? (EXIT_CODES[error.code] ?? 1) : 1;
  }
}

function print(io: Io, text: string): number {
  io.out(text);
  return 0;
}
