/** `vitrine show`: prints the capsule of a failed test. */

import { readFileSync } from "node:fs";
import { UsageError } from "../errors/usage-error.ts";
import { assertCapsule, describeCapsule } from "../journal/describe-capsule.ts";
import { defineCommand } from "./command.ts";
import { toLines } from "./line.ts";

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

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    const reason = error instanceof SyntaxError ? "is not valid JSON" : "cannot be read";
    throw new UsageError("badOption", `The capsule ${reason}.`, { file }, { cause: error });
  }
}
