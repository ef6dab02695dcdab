/** `vitrine scenarios`: lists the presets. */

import { toJsonLine } from "../errors/line.ts";
import { readPresets } from "../runtimes/node/scenario-files.ts";
import { services } from "../services/index.ts";
import { defineCommand } from "./command.ts";

export const scenarios = defineCommand({
  name: "scenarios",
  summary: "list the presets for --scenario",
  flags: { json: { about: "print one JSON object per line" } },
  async run({ flags, io }) {
    const presets = readPresets(services).map(({ name, title = "" }) => ({ name, title }));
    const width = Math.max(0, ...presets.map(({ name }) => name.length)) + 2;
    for (const preset of presets)
      io.out(flags.json ? toJsonLine(preset) : `${preset.name.padEnd(width)}${preset.title}\n`);
    return 0;
  },
});
