/** `vitrine replay`: whether the requests of a failure capsule are answered again as they were. */

import { readFileSync } from "node:fs";
import { describeReplay } from "../journal/replay.ts";
import { replayCapsule } from "../replay.ts";
import { UsageError } from "../world/usage-error.ts";
import { defineCommand } from "./command.ts";

export const replay = defineCommand({
  name: "replay",
  summary: "play a failure capsule again and compare the answers",
  takes: { name: "FILE", least: 1, most: 1 },
  flags: { json: { about: "the report as JSON" } },
  async run({ flags, operands: [file = ""], io }) {
    const report = await replayCapsule(readCapsule(file));
    io.out(flags.json ? `${JSON.stringify(report, undefined, 2)}\n` : describeReplay(report));
    return report.ok ? 0 : 1;
  },
});

function readCapsule(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    const what = error instanceof SyntaxError ? "is not valid JSON" : "cannot be read";
    throw new UsageError("badOption", `The capsule ${what}.`, { file }, { cause: error });
  }
}
