/** `vitrine check`: validates scenario files, and folders of data files. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../errors/usage-error.ts";
import { createSandbox } from "../open/create-sandbox.ts";
import type { GivenScenario } from "../open/typed-scenario.ts";
import { MAX_ISSUES } from "../operation/issue.ts";
import { checkScenario } from "../runtimes/node/scenario-files.ts";
import { readWorld } from "../runtimes/node/world-file.ts";
import { collectErrors } from "../scenario/scenario-errors.ts";
import { services } from "../services/index.ts";
import { defineCommand } from "./command.ts";

export const check = defineCommand({
  name: "check",
  summary: "validate scenario files, and folders with data files",
  takes: { name: "FILE|DIR…", least: 1, most: Number.POSITIVE_INFINITY },
  flags: {},
  async run({ operands, io }) {
    let failed = 0;
    for (const { file, isData } of operands.flatMap(listFiles)) {
      try {
        if (isData) {
          io.out(`${file}: OK (${countEntities(file)} entities)\n`);
          continue;
        }
        const { rules } = checkScenario(file, services);
        // Creating a world also checks the data and users of the scenario.
        await (await createSandbox({ scenario: file as GivenScenario })).close();
        io.out(`${file}: OK (${rules.length} ${rules.length === 1 ? "rule" : "rules"})\n`);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        failed += 1;
        const errors = collectErrors(error);
        for (const { message } of errors) io.printError(message);
        if (errors.length >= MAX_ISSUES) io.printError(`${file}: there may be more errors`);
      }
    }
    return failed === 0 ? 0 : 1;
  },
});

/** Lists the data files in a folder. A path that is not a folder is the path of a scenario. */
function listFiles(path: string): readonly { readonly file: string; readonly isData: boolean }[] {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    return [{ file: path, isData: false }];
  const names = readdirSync(path).filter((name) => name.endsWith(".json") && !name.startsWith("."));
  return names.sort().map((name) => ({ file: join(path, name), isData: true }));
}

/** Validates a data file and counts its entities. Throws a UsageError with file, line and column. */
function countEntities(file: string): number {
  const { data } = readWorld(readFileSync(file, "utf8"), services, file);
  return [...data.values()].reduce((sum, { slots }) => sum + slots.size, 0);
}
