/** `vitrine check`: whether scenario files are valid, each mistake with its place. */

import { checkScenario } from "../places/node/scenario-files.ts";
import { mistakesOf } from "../scenario/complaint.ts";
import { services } from "../services/index.ts";
import { createSandbox } from "../vitrine.ts";
import { UsageError } from "../world/usage-error.ts";
import { defineCommand } from "./command.ts";

/** Per file: with more than that, it is better to fix these first. */
const MOST_TOLD = 20;

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
        await (await createSandbox({ scenario: file })).close();
        io.out(`${file}: OK (${rules.length} ${rules.length === 1 ? "rule" : "rules"})\n`);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        wrong += 1;
        const mistakes = mistakesOf(error);
        for (const { message } of mistakes.slice(0, MOST_TOLD)) io.complain(message);
        const more = mistakes.length - MOST_TOLD;
        if (more > 0) io.complain(`${file}: and ${more} more ${more === 1 ? "mistake" : "mistakes"}`);
      }
    }
    return wrong === 0 ? 0 : 1;
  },
});
