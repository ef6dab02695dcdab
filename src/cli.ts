#!/usr/bin/env node
/** The program: prepares its process and runs the command line in it. Importing this module starts nothing. */

import { realpathSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

/** When a server has done what it does at its start. */
const SETTLED_MS = 2_000;

/** Otherwise Node keeps more garbage than we have data. */
const SMALL_HEAP = ["--semi-space-growth-factor=1", "--heap-growing-percent=50"];

const entry = process.argv[1];
if (entry !== undefined && realpathSync(entry) === fileURLToPath(import.meta.url)) {
  for (const flag of SMALL_HEAP) setFlagsFromString(flag); // first of all
  keepCompiled();
  const [{ main }, { processIo }] = await Promise.all([import("./cli/main.ts"), import("./cli/io.ts")]);
  process.exitCode = await main(process.argv.slice(2), processIo());
}

/** From the second start on the program is compiled already, where Node can keep that (22.1). */
function keepCompiled(): void {
  const { enableCompileCache, flushCompileCache } = module as typeof module & {
    enableCompileCache?(): unknown;
    flushCompileCache?(): void;
  };
  enableCompileCache?.();
  if (flushCompileCache !== undefined) setTimeout(flushCompileCache, SETTLED_MS).unref(); // a server may be killed
}
