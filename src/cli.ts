#!/usr/bin/env node
/** The program: prepares its process and runs the command line in it. Importing this module starts nothing. */

import { realpathSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";

const entry = process.argv[1];
if (entry !== undefined && realpathSync(entry) === fileURLToPath(import.meta.url)) {
  // From the second start on the program is compiled already, where Node can keep that (22.1).
  (module as { readonly enableCompileCache?: () => void }).enableCompileCache?.();
  const [{ main }, { createProcessIo }] = await Promise.all([import("./cli/main.ts"), import("./cli/io.ts")]);
  const io = createProcessIo();
  io.exit(await main(process.argv.slice(2), io));
}
