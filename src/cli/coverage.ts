/** `vitrine coverage`: prints which documented responses the clients of running sandboxes have received. */

import { writeFileSync } from "node:fs";
import { connect } from "../connect.ts";
import { getMember } from "../errors/nearest.ts";
import { UsageError } from "../errors/usage-error.ts";
import { checkMinimum, mergeCoverage } from "../journal/coverage.ts";
import { coverageReports } from "../journal/coverage-report.ts";
import { defineCommand, toInteger } from "./command.ts";

export const coverage = defineCommand({
  name: "coverage",
  summary: "show which documented responses the clients of a running sandbox have received",
  flags: {
    url: { value: "URL", many: true, about: "URL of the sandbox; merges the coverage of several" },
    format: { value: "text|json|junit", about: "output format (default text)" },
    output: { value: "FILE", about: "output file (default: standard output)" },
    min: { value: "PERCENT", about: "exit with code 1 if the coverage is lower" },
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
