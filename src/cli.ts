#!/usr/bin/env node
/** Entry point of the CLI. Importing this module does not run it. */

import { realpathSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";

const entry = process.argv[1];
if (entry !== undefined && realpathSync(entry) === fileURLToPath(import.meta.url)) {
  // Caches compiled code for later starts, in Node 22.1 and later.
  (module as { readonly enableCompileCache?: () => void }).enableCompileCache?.();
  const [{ main }, { createProcessIo }] = await Promise.all([import("./cli/main.ts"), import("./cli/io.ts")]);
  const io = createProcessIo();
  io.exit(await main(process.argv.slice(2), io));
}
