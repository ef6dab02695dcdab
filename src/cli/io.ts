/** Access of commands to the process: streams, environment variables and signals. */

import module from "node:module";
import { constants } from "node:os";
import type { Writable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { toLine } from "../errors/line.ts";

export type Io = {
  /** Writes to standard output without changes. */
  out(text: string): void;
  /** Writes one line to standard error. Escapes line breaks and control characters. */
  printError(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Length of the standard output that is still in the buffer, because its reader is slow. */
  unread(): number;
  /** Standard input, as a stream of text chunks. */
  input(): AsyncIterable<string>;
  /** Treats the end of standard input as SIGTERM. */
  stopWithStdin(): void;
  /** Resolves with the first stop signal after the call. The process then ends within 1.2 s, or at the second signal. */
  started(): Promise<NodeJS.Signals>;
};

const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Maximum time in ms from the first stop signal to the end of the process, even if the shutdown hangs. */
const MAX_STOP_MS = 1_200;
/** Maximum time in ms to wait for a slow reader of the output after a stop signal has ended the command. */
const MAX_FLUSH_MS = 200;

/** `exit` sets the exit code. The process ends when its work is done. After a stop signal, `exit` also limits the output's flush. */
export function createProcessIo(): Io & { exit(code: number): void } {
  let isStopping = false;
  // Ignores write errors, because the reader of the output may end before this process.
  for (const stream of [process.stdout, process.stderr] as Writable[]) stream.on("error", () => {});
  // In a container, this process can be process 1, which ignores signals without a listener.
  if (process.pid === 1) for (const signal of STOP_SIGNALS) process.once(signal, endProcess);
  return {
    out: (text) => void process.stdout.write(text),
    printError: (text) => void process.stderr.write(`${toLine(text)}\n`),
    env: process.env,
    unread: () => process.stdout.writableLength,
    input: () => process.stdin.setEncoding("utf8"),
    stopWithStdin() {
      const stop = (): void => {
        if (!isStopping) process.kill(process.pid, "SIGTERM");
      };
      process.stdin.once("end", stop).once("error", stop).resume().unref?.(); // A file as standard input has no `unref`.
    },
    started() {
      for (const flag of HEAP_FLAGS) setFlagsFromString(flag);
      flushCompiled();
      return new Promise((resolve) => {
        const stop = (signal: NodeJS.Signals): void => {
          isStopping = true;
          for (const each of STOP_SIGNALS) process.removeAllListeners(each);
          setTimeout(endProcess, MAX_STOP_MS, signal).unref();
          resolve(signal);
        };
        for (const each of STOP_SIGNALS) process.removeAllListeners(each).once(each, stop);
      });
    },
    exit(code) {
      process.exitCode = code;
      const drop = (): void => {
        if (process.stdout.writableLength + process.stderr.writableLength > 0) process.exit();
      };
      if (isStopping) setTimeout(drop, MAX_FLUSH_MS).unref();
    },
  };
}

/** Ends the process with a signal, because process.exit waits for hanging file operations. Only process 1 reaches process.exit. */
function endProcess(signal: NodeJS.Signals): void {
  process.kill(process.pid, signal);
  process.exit(128 + constants.signals[signal]);
}

/** Node flags for a small heap. They are set after startup, because they would slow down the startup. */
const HEAP_FLAGS = ["--semi-space-growth-factor=1", "--heap-growing-percent=50"];
/** Delay in ms before the compile cache is written, so that the cache includes lazily loaded modules. */
const FLUSH_DELAY_MS = 2_000;

/** Writes Node's compile cache to disk. By default, Node does so only at exit, which killed servers never reach. */
function flushCompiled(): void {
  const { flushCompileCache } = module as { readonly flushCompileCache?: () => void };
  if (flushCompileCache !== undefined) setTimeout(flushCompileCache, FLUSH_DELAY_MS).unref();
}
