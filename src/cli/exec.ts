/** `vitrine exec -- COMMAND`: serves while the command runs. If the server or the command ends, the other one ends too. */

import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { UsageError } from "../errors/usage-error.ts";
import type { Listening } from "../open/live-sandbox.ts";
import { resolveVariables } from "../runtimes/node/environment.ts";
import { defineCommand } from "./command.ts";
import type { Io } from "./io.ts";
import { SERVING_FLAGS, serve } from "./serving.ts";

/** Time in ms that the command has to end after a signal. Then vitrine kills the command. */
const GRACE_MS = 1_000;

export const exec = defineCommand({
  name: "exec",
  summary: "serve while a command runs, with the URLs in environment variables, and exit with its code",
  takes: { name: "COMMAND …", least: 1, most: Number.POSITIVE_INFINITY },
  afterDashes: true,
  flags: {
    ...SERVING_FLAGS,
    port: { value: "N", about: "the port (default: any free one)" },
    env: { value: "NAME=URL", many: true, about: "another variable with a URL: VITE_MUSEUM_URL=museum" },
  },
  async run({ flags, operands, io }) {
    const named = readNames(flags.env);
    const { sandbox, listening, stopped } = await serve(flags, io, 0);
    try {
      const custom = resolveVariables(named, listening.urls);
      return await runCommand(operands, { ...io.env, ...toVariables(listening), ...custom }, stopped);
    } finally {
      await sandbox.close();
    }
  },
});

/** Parses `--env VITE_MUSEUM_URL=museum` to `{ VITE_MUSEUM_URL: "museum" }`. */
function readNames(given: readonly string[]): Readonly<Record<string, string>> {
  const names = new Map<string, string>();
  for (const text of given) {
    const [, variable = "", name = ""] = /^([A-Za-z_]\w*)=(.+)$/.exec(text) ?? [];
    const message = `--env must be a variable and the name of a URL, such as VITE_MUSEUM_URL=museum, not ${JSON.stringify(text)}.`;
    if (name === "") throw new UsageError("badOption", message);
    if (names.has(variable)) throw new UsageError("badOption", `--env sets ${variable} more than once.`);
    names.set(variable, name);
  }
  return Object.fromEntries(names);
}

/** Returns `VITRINE_URL`, and a variable such as `VITRINE_ACCOUNT_SANDBOX_URL` for each environment. */
function toVariables({ url, urls }: Listening): Io["env"] {
  const entries = Object.entries(urls).map(([key, address]) => [
    `VITRINE_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}_URL`,
    address,
  ]);
  return { VITRINE_URL: url, ...Object.fromEntries(entries) };
}

/** Runs the command in its own process group, and kills the group when the command ends. */
async function runCommand(
  [command = "", ...args]: readonly string[],
  env: Io["env"],
  stopped: Promise<NodeJS.Signals>,
): Promise<number> {
  const child = spawn(command, args, { env, stdio: "inherit", detached: true });
  const ended = waitForExit(child, command);
  const { pid } = child;
  if (pid === undefined) return ended;
  const watchdog = startWatchdog(pid);
  void stopped.then((signal) => {
    signalGroup(pid, signal);
    setTimeout(() => signalGroup(pid, "SIGKILL"), GRACE_MS).unref();
  });
  try {
    return await ended;
  } finally {
    signalGroup(pid, "SIGKILL");
    watchdog.kill("SIGKILL");
  }
}

function waitForExit(child: ChildProcess, command: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) => {
      const reason = error.code === "ENOENT" ? "command not found" : error.message;
      reject(new UsageError("badOption", `exec: cannot run ${JSON.stringify(command)}: ${reason}.`));
    });
    child.once("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? "SIGKILL"]));
  });
}

/** Starts a shell that reads a pipe from this process. If this process dies, the pipe closes and the shell kills `group`. */
function startWatchdog(group: number): ChildProcess {
  const script = `read -r _; kill -TERM -${group} 2>/dev/null; sleep 1; kill -KILL -${group} 2>/dev/null`;
  const watchdog = spawn("/bin/sh", ["-c", script], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  watchdog.on("error", () => {}); // Ignored: the shell is only needed if a SIGKILL ends this process.
  watchdog.unref();
  return watchdog;
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // Ignored: the group has already ended.
  }
}
