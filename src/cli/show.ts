/** `vitrine show`: what a failure capsule tells, for a person. */

import { describeCapsule } from "../journal/describe-capsule.ts";
import { checkCapsule } from "../journal/replay.ts";
import { readCapsule } from "./capsule.ts";
import { defineCommand } from "./command.ts";
import { toLines } from "./line.ts";

export const show = defineCommand({
  name: "show",
  summary: "tell what the client of a failed test did, from its capsule",
  takes: { name: "FILE", least: 1, most: 1 },
  flags: {},
  async run({ operands: [file = ""], io }) {
    const capsule = readCapsule(file);
    checkCapsule(capsule);
    io.out(toLines(describeCapsule(capsule)));
    return 0;
  },
});
