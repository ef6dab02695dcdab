#!/usr/bin/env node
/** The program: runs the command line in its process. Importing this module starts nothing. */

import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

const entry = process.argv[1];
if (entry !== undefined && realpathSync(entry) === fileURLToPath(import.meta.url)) {
  const [{ main }, { processIo }] = await Promise.all([import("./cli/main.ts"), import("./cli/io.ts")]);
  process.exitCode = await main(process.argv.slice(2), processIo());
}
