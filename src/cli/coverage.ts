/** `vitrine coverage`: which documented answers the clients of running sandboxes have met, merged. */

import { writeFileSync } from "node:fs";
import { connect } from "../connect.ts";
import { getMember } from "../errors/nearest.ts";
import { UsageError } from "../errors/usage-error.ts";
import { checkMinimum, mergeCoverage } from "../journal/coverage.ts";
import { coverageReports } from "../journal/coverage-report.ts";
import { defineCommand, toInteger } from "./command.ts";

export const coverage = defineCommand({
  name: "coverage",
  summary: "show which documented answers the clients of a running sandbox have met",
  flags: {
    url: { value: "URL", many: true, about: "where it listens; of several the coverage is merged" },
    format: { value: "text|json|junit", about: "output format (default text)" },
    output: { value: "FILE", about: "where it is written (default: standard output)" },
    min: { value: "PERCENT", about: "exit 1 when fewer of the documented answers were met" },
  },
  async run({ flags, io }) {
    const report = getMember(coverageReports, "format", flags.format ?? "text");
    const min = toInteger("--min", flags.min);
    if (min !== undefined && (min < 0 || min > 100))
      throw new UsageError("badOption", `--min ${min} is not a percentage from 0 to 100.`);
    if (flags.url.length === 0) throw new UsageError("badOption", "coverage: missing required option --url.");
    const token = io.env["VITRINE_CONTROL_TOKEN"];
    const data = mergeCoverage(
      await Promise.all(flags.url.map((url) => connect(url, { token }).coverage.data())),
    );
    if (flags.output === undefined) io.out(report(data));
    else writeFileSync(flags.output, report(data));
    if (min === undefined) return 0;
    const { ok, message } = checkMinimum(data, min);
    io.printError(message);
    return ok ? 0 : 1;
  },
});
