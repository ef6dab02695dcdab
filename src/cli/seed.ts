/** `vitrine seed`: generates base data with faker. */

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createUnknownError, getMember } from "../errors/nearest.ts";
import { UsageError } from "../errors/usage-error.ts";
import type { Service } from "../operation/service.ts";
import { formatBase, generateBase } from "../services/base-data.ts";
import { services } from "../services/index.ts";
import { isCalendarDate } from "../world/time.ts";
import { defineCommand, toInteger } from "./command.ts";

const DEFAULT_ANCHOR = "2026-01-01";

export const seed = defineCommand({
  name: "seed",
  summary: "generate base data: print it, or write it to a folder for --base",
  takes: { name: "[ENVIRONMENT]", least: 0, most: 1 },
  flags: {
    seed: { value: "N", about: "seed of the random data (default 1)" },
    anchor: { value: "DATE", about: `the day its dates are relative to (default ${DEFAULT_ANCHOR})` },
    events: { value: "N", about: "number of special events" },
    count: { value: "COLLECTION=N", many: true, about: "number of entities of a collection" },
    out: { value: "DIR", about: "write base.json to this folder; default of ENVIRONMENT: all" },
  },
  async run({ flags, operands: [name = flags.out === undefined ? "museum" : undefined], io }) {
    const anchor = flags.anchor ?? DEFAULT_ANCHOR;
    const message = `--anchor ${JSON.stringify(anchor)} is not a date such as ${DEFAULT_ANCHOR}.`;
    if (!isCalendarDate(anchor)) throw new UsageError("badOption", message);
    const known = services.flatMap(({ environments }) => environments.map(({ key }) => key));
    if (name !== undefined && !known.includes(name)) throw createUnknownError("environment", name, known);
    const events = flags.events === undefined ? [] : [`specialEvents=${flags.events}`];
    const chosen = services.filter(({ environments }) =>
      environments.some(({ key }) => key === (name ?? key)),
    );
    const counts = readCounts(chosen, [...events, ...flags.count]);
    const { sections } = await generateBase(toInteger("--seed", flags.seed) ?? 1, anchor, counts);
    const wanted = Object.entries(sections).filter(([key]) => key === (name ?? key));
    const text = formatBase({ anchor, sections: Object.fromEntries(wanted) });
    if (flags.out === undefined) io.out(text);
    else io.out(`Wrote ${writeNew(flags.out, text)}.\n`);
    return 0;
  },
});

/** Writes a new file `base.json` to a folder. Returns its path. */
function writeNew(folder: string, text: string): string {
  const file = join(folder, "base.json");
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, text, { flag: "wx" });
    return file;
  } catch (error) {
    const why = existsSync(file)
      ? "The file exists. Delete it first, or choose another folder"
      : String(error);
    throw new UsageError("badOption", `${why}.`, { file }, { cause: error });
  }
}

function readCounts(chosen: readonly Service[], texts: readonly string[]): Readonly<Record<string, number>> {
  const collections = Object.assign({}, ...chosen.map((service) => service.collections));
  const entries = texts.map((text) => {
    const [collection = "", count = ""] = text.split("=");
    getMember(collections, `collection of ${chosen.map(({ name }) => name).join(" and ")}`, collection);
    const number = toInteger(`--count ${collection}`, count) ?? 0;
    if (number < 0 || number > 100_000)
      throw new UsageError("badOption", `--count ${collection} must be from 0 to 100000, not ${count}.`);
    return [collection, number];
  });
  return Object.fromEntries(entries);
}
