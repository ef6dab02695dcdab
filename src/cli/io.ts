/** What a command may touch of its process: two streams, the environment, the signals that end it. */

import module from "node:module";
import { constants } from "node:os";
import type { Writable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { toLine } from "./line.ts";

export type Io = {
  /** Writes to standard output as it is. */
  out(text: string): void;
  /** Writes one line to standard error, whatever the text holds. */
  complain(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** To be called once it serves: from now on it is long-lived, and what its start has used can go. */
  started(): void;
  /** Resolves with the first SIGINT or SIGTERM, which then no longer ends the process by itself; the next does. */
  stopped(): Promise<NodeJS.Signals>;
};

/** The process itself. */
export function processIo(): Io {
  let stopped: Promise<NodeJS.Signals> | undefined;
  // The reader of our output may be gone before us; that is no reason to die.
  for (const stream of [process.stdout, process.stderr] as Writable[]) stream.on("error", () => {});
  return {
    out: (text) => void process.stdout.write(text),
    complain: (text) => void process.stderr.write(`${toLine(text)}\n`),
    env: process.env,
    started() {
      for (const flag of SMALL_HEAP) setFlagsFromString(flag);
      keepCompiled();
    },
    stopped() {
      stopped ??= new Promise((resolve) => {
        let first = true;
        const stop = (signal: NodeJS.Signals): void => {
          if (!first) process.exit(128 + constants.signals[signal]);
          first = false;
          resolve(signal);
        };
        for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);
      });
      return stopped;
    },
  };
}

/** Otherwise Node keeps more garbage than we have data; while it starts, that makes it faster. */
const SMALL_HEAP = ["--semi-space-growth-factor=1", "--heap-growing-percent=50"];
/** When a server has been asked for what is loaded late. */
const ASKED_MS = 2_000;

/** Where Node can keep what it has compiled, it does so as it ends; but a server may be killed. */
function keepCompiled(): void {
  const { flushCompileCache } = module as { readonly flushCompileCache?: () => void };
  if (flushCompileCache !== undefined) setTimeout(flushCompileCache, ASKED_MS).unref();
}
