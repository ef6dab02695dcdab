/** `vitrine replay`: whether the requests of a failure capsule are answered again as they were. */

import { describeReplay } from "../journal/describe-capsule.ts";
import { replayCapsule } from "../replay.ts";
import { readCapsule } from "./capsule.ts";
import { defineCommand } from "./command.ts";
import { toLines } from "./line.ts";

export const replay = defineCommand({
  name: "replay",
  summary: "play a failure capsule again and compare the answers",
  takes: { name: "FILE", least: 1, most: 1 },
  flags: { json: { about: "the report as JSON" } },
  async run({ flags, operands: [file = ""], io }) {
    const report = await replayCapsule(readCapsule(file));
    io.out(flags.json ? `${JSON.stringify(report, undefined, 2)}\n` : toLines(describeReplay(report)));
    return report.ok ? 0 : 1;
  },
});
