// The brief views over HTTP have the lines of the terminal.

import { expect } from "vitest";
import { coverageReports } from "../../src/journal/coverage-report.ts";
import { describeCapsule, describeExchange } from "../../src/journal/describe-capsule.ts";
import { testOfMistakes as test } from "../support/test.ts";

test("brief views have the lines of the terminal, and 20 exchanges take 3 kB", async ({ sandbox }) => {
  for (let round = 0; round < 5; round += 1) {
    await sandbox.museum.getMuseumHours();
    await sandbox.museum.getSpecialEvent({ params: { eventId: crypto.randomUUID() } });
    await sandbox.account.listPreSales({ query: { page: 2 } });
    await sandbox.fetch("/museum/v1.1/special-evnets");
  }
  const read = async (path: string) => (await sandbox.fetch(`/_vitrine/${path}view=brief`)).text();
  const journal = await read("journal?");
  expect(journal.trimEnd().split("\n")).toEqual(sandbox.journal.list().map(describeExchange));
  expect(journal.length).toBeLessThanOrEqual(3_000);
  expect(await read("journal?path=/museum-hours&limit=1&")).toMatch(/^#17 GET .* 200\n$/);
  expect(await read("coverage?")).toBe(coverageReports.text(sandbox.coverage.data()));
  expect(await read("capsule?")).toBe(describeCapsule(sandbox.capsule()));
  const lines = sandbox.catalogue.operations().map(({ name }) => expect.stringMatching(`^${name} .* · 20`));
  expect((await read("operations?")).trimEnd().split("\n")).toEqual(lines);
  expect((await sandbox.fetch("/_vitrine/coverage?view=breif")).status).toBe(400);
});
