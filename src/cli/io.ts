/** Gives a command access to its process: streams, environment and signals. */

import module from "node:module";
import { constants } from "node:os";
import type { Writable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { toLine } from "../errors/line.ts";

export type Io = {
  /** Writes to standard output as it is. */
  out(text: string): void;
  /** Writes one line to standard error, whatever the text holds. */
  printError(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Characters of standard output that wait to be read. */
  unread(): number;
  /** Standard input, in pieces. */
  input(): AsyncIterable<string>;
  /** Treats the end of standard input as SIGTERM. */
  stopWithStdin(): void;
  /**
   * Call this when the server listens. Resolves with the first signal to stop, after which the process ends within 1.2 s.
   * Before the call and after the first signal, a signal ends the process at once.
   */
  started(): Promise<NodeJS.Signals>;
};

const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Limit from the first signal to the end of the process, also if a part of it hangs. */
const MAX_STOP_MS = 1_200;
/** Limit for the reader of the output after the command has ended. */
const MAX_FLUSH_MS = 200;

/** The process itself. `exit` sets its exit code and lets it end. */
export function createProcessIo(): Io & { exit(code: number): void } {
  let isStopping = false;
  // The reader of our output may be gone before us; that is no reason to die.
  for (const stream of [process.stdout, process.stderr] as Writable[]) stream.on("error", () => {});
  // As process 1, in a container, signals without a listener are ignored.
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
      process.stdin.once("end", stop).once("error", stop).resume().unref?.(); // a file has no unref
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

/** Ends by the default action, because process.exit waits for threads that hang in the file system. Process 1 needs both. */
function endProcess(signal: NodeJS.Signals): void {
  process.kill(process.pid, signal);
  process.exit(128 + constants.signals[signal]);
}

/** Otherwise Node keeps more garbage than we have data; while it starts, that makes it faster. */
const HEAP_FLAGS = ["--semi-space-growth-factor=1", "--heap-growing-percent=50"];
/** When a server has been asked for what is loaded late. */
const FLUSH_DELAY_MS = 2_000;

/** Where Node can keep what it has compiled, it does so as it ends; but a server may be killed. */
function flushCompiled(): void {
  const { flushCompileCache } = module as { readonly flushCompileCache?: () => void };
  if (flushCompileCache !== undefined) setTimeout(flushCompileCache, FLUSH_DELAY_MS).unref();
}
