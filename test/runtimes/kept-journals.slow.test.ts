// Fifty megabytes of exchanges go through a journal that is kept.

import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createSandbox } from "../../src/open/create-sandbox.ts";

test("the file grows with what the journals have, not with what they had", async () => {
  const data = await mkdtemp(join(tmpdir(), "vitrine-journals-"));
  onTestFinished(() => rm(data, { recursive: true }));
  const options = {
    data,
    keepJournal: true,
    clock: "2026-03-01T09:00:00Z",
    journal: { bodyBytes: 100_000 },
  };
  const sandbox = await createSandbox(options);
  const body = { name: "n", location: "l", eventDescription: "d".repeat(60_000), dates: [], price: 1 };
  const created = await sandbox.museum.createSpecialEvent({ body });
  const eventId = created.status === 201 ? created.body.eventId : "none";
  for (let count = 0; count < 800; count += 1) await sandbox.museum.getSpecialEvent({ params: { eventId } });
  const { evicted, weight } = sandbox.journal;
  expect(evicted).toBeGreaterThan(500);
  const before = sandbox.journal.list();
  await sandbox.close();
  expect((await stat(join(data, "journal.jsonl"))).size).toBeLessThan(8 * 1_048_576 + 2 * weight.bytes);
  await using again = await createSandbox(options);
  expect(again.journal.list()).toEqual(before);
});
