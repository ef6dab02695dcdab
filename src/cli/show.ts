/** `vitrine show`: prints a capsule, which is the export of a failed test as JSON. */

import { toLines } from "../errors/line.ts";
import { assertCapsule, describeCapsule } from "../journal/describe-capsule.ts";
import { defineCommand } from "./command.ts";
import { readJson } from "./files.ts";

export const show = defineCommand({
  name: "show",
  summary: "print the capsule of a failed test: what its client did",
  takes: { name: "FILE", least: 1, most: 1 },
  flags: {},
  async run({ operands: [file = ""], io }) {
    const capsule = readJson(file);
    assertCapsule(capsule);
    io.out(toLines(describeCapsule(capsule)));
    return 0;
  },
});
