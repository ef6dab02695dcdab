#!/usr/bin/env node
/** The program: prepares its process and runs the command line in it. Importing this module starts nothing. */

import { realpathSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

const entry = process.argv[1];
if (entry !== undefined && realpathSync(entry) === fileURLToPath(import.meta.url)) {
  const { enableCompileCache } = module as typeof module & { enableCompileCache?(): unknown }; // since Node 22.1
  enableCompileCache?.(); // from the second start on the program is compiled already
  setFlagsFromString("--semi-space-growth-factor=1"); // first of all, or Node keeps more garbage than we have data
  const [{ main }, { processIo }] = await Promise.all([import("./cli/main.ts"), import("./cli/io.ts")]);
  process.exitCode = await main(process.argv.slice(2), processIo());
}
