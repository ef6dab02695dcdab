/** `vitrine seed`: new base data on standard output, in the form of the committed fixtures. */

import { createUnknownError, getMember } from "../errors/nearest.ts";
import { UsageError } from "../errors/usage-error.ts";
import type { Service } from "../operation/service.ts";
import { services } from "../services/index.ts";
import { isCalendarDate } from "../world/time.ts";
import { defineCommand, toInteger } from "./command.ts";

const DEFAULT_ANCHOR = "2026-01-01";

export const seed = defineCommand({
  name: "seed",
  summary: "print a generated fixture",
  takes: { name: "[ENVIRONMENT]", least: 0, most: 1 },
  flags: {
    seed: { value: "N", about: "what the data is drawn from (default 1)" },
    anchor: { value: "DATE", about: `the day its dates are relative to (default ${DEFAULT_ANCHOR})` },
    events: { value: "N", about: "how many special events" },
    count: { value: "COLLECTION=N", many: true, about: "how many entities of a collection" },
  },
  async run({ flags, operands: [name = "museum"], io }) {
    const anchor = flags.anchor ?? DEFAULT_ANCHOR;
    if (!isCalendarDate(anchor))
      throw new UsageError(
        "badOption",
        `--anchor ${JSON.stringify(anchor)} is not a date such as ${DEFAULT_ANCHOR}.`,
      );
    const service = services.find(({ environments }) => environments.some(({ key }) => key === name));
    const known = services.flatMap(({ environments }) => environments.map(({ key }) => key));
    if (service === undefined) throw createUnknownError("environment", name, known);
    const events = flags.events === undefined ? [] : [`specialEvents=${flags.events}`];
    const counts = readCounts(service, [...events, ...flags.count]);
    const number = toInteger("--seed", flags.seed) ?? 1;
    const fixture = await service.generate({ seed: number, environment: name, anchor, counts });
    io.out(`${JSON.stringify(fixture, undefined, 2)}\n`);
    return 0;
  },
});

function readCounts(service: Service, texts: readonly string[]): Readonly<Record<string, number>> {
  const entries = texts.map((text) => {
    const [collection = "", count = ""] = text.split("=");
    getMember(service.collections, `collection of ${service.name}`, collection);
    const number = toInteger(`--count ${collection}`, count) ?? 0;
    if (number < 0 || number > 100_000)
      throw new UsageError("badOption", `A collection has from 0 to 100000 entities, not ${count}.`);
    return [collection, number];
  });
  return Object.fromEntries(entries);
}
