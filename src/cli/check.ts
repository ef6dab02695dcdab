/** `vitrine check`: whether scenario files are valid, each mistake with its place. */

import { UsageError } from "../errors/usage-error.ts";
import { createSandbox } from "../open/create-sandbox.ts";
import type { GivenScenario } from "../open/typed-scenario.ts";
import { MAX_ISSUES } from "../operation/issue.ts";
import { checkScenario } from "../runtimes/node/scenario-files.ts";
import { collectErrors } from "../scenario/scenario-errors.ts";
import { services } from "../services/index.ts";
import { defineCommand } from "./command.ts";

export const check = defineCommand({
  name: "check",
  summary: "validate scenario files",
  takes: { name: "FILE…", least: 1, most: Number.POSITIVE_INFINITY },
  flags: {},
  async run({ operands, io }) {
    let wrong = 0;
    for (const file of operands) {
      try {
        const { rules } = checkScenario(file, services);
        // Only a world knows its users, and whether the data fits.
        await (await createSandbox({ scenario: file as GivenScenario })).close();
        io.out(`${file}: OK (${rules.length} ${rules.length === 1 ? "rule" : "rules"})\n`);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        wrong += 1;
        const mistakes = collectErrors(error);
        for (const { message } of mistakes) io.printError(message);
        if (mistakes.length >= MAX_ISSUES) io.printError(`${file}: there may be more mistakes`);
      }
    }
    return wrong === 0 ? 0 : 1;
  },
});
