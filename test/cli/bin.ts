// Runs the real command as a process of its own, from the build.

import { type ChildProcess, spawn } from "node:child_process";
import { ROOT } from "../support/built.ts";

export const BIN = `${ROOT}/dist/cli.js`;

export type Run = {
  readonly child: ChildProcess;
  readonly output: { out: string; err: string };
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  /** Resolves with standard output once it matches; rejects when the process ends without. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
};

export function runBin(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  stderr: "pipe" | number = "pipe",
): Run {
  const child = spawn(process.execPath, [BIN, ...args], {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", stderr],
  });
  const output = { out: "", err: "" };
  child.stdout?.on("data", (chunk) => {
    output.out += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    output.err += chunk;
  });
  const ended = new Promise<number | string>((resolve) => {
    child.once("close", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
  const until = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(output.out);
        if (match !== null) resolve(match);
      };
      child.stdout?.on("data", look);
      look();
      void ended.then((end) =>
        reject(new Error(`ended with ${end} before ${pattern}: ${output.out}${output.err}`)),
      );
    });
  return { child, output, ended, until };
}

export type Ready = {
  readonly event: "ready";
  readonly url: string;
  readonly urls: Readonly<Record<string, string>>;
  readonly pid: number;
};

/** Starts the server on a free port; resolves when it is ready. */
export async function startBin(
  ...args: string[]
): Promise<{ run: Run; ready: Ready; stop: () => Promise<number | string> }> {
  const run = runBin(["start", "--port", "0", "--json", ...args]);
  const [line] = await run.until(/^.*\n/);
  const stop = (): Promise<number | string> => {
    run.child.kill("SIGTERM");
    return run.ended;
  };
  return { run, ready: JSON.parse(line), stop };
}
