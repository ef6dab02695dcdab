// What a client is answered where its change could not be stored.

import { expect, test } from "vitest";
import { openSandbox } from "../../src/open/open-sandbox.ts";
import { StorageError } from "../../src/pipeline/commit.ts";
import { nodeRuntime } from "../../src/runtimes/node/runtime.ts";
import "../../src/open/create-sandbox.ts";

const EVENT = {
  name: "Lamps",
  location: "Hall 2",
  eventDescription: "Dark",
  dates: ["2026-03-31"],
  price: 5,
};

/** A sandbox whose storage fails so. */
function openOver(failure: Error) {
  return openSandbox(
    nodeRuntime,
    { clock: "2026-03-01T09:00:00Z" },
    {
      hosted: {
        world: "main",
        state: undefined,
        faults: [],
        isControlToken: () => true,
        commit: { undone: 0, flush: () => Promise.reject(failure) },
      },
    },
  );
}

test.each([
  [false, 503, "notStored"],
  [true, 507, "storageFull"],
] as const)(
  "a failed write (storage full: %s) returns %i, and the journal has the reason",
  async (isFull, status, problem) => {
    await using sandbox = await openOver(new StorageError("the rack is on fire", isFull));
    const refused = await sandbox.museum.createSpecialEvent({ body: EVENT });
    expect(refused).toMatchObject({
      status,
      body: { title: expect.stringContaining("the rack is on fire") },
    });
    expect(sandbox.journal.last).toMatchObject({
      status,
      problem,
      changes: [],
      findings: [{ key: "notStored", message: expect.stringContaining("Nothing was changed.") }],
    });
  },
);

test("an unexpected storage error is a defect, and only the journal has its message", async () => {
  await using sandbox = await openOver(new TypeError("rack is undefined"));
  const { status, body } = await sandbox.museum.createSpecialEvent({ body: EVENT });
  expect(status).toBe(500);
  expect(JSON.stringify(body)).not.toContain("rack");
  expect(sandbox.journal.last?.findings).toMatchObject([
    { key: "defect", message: expect.stringContaining("rack is undefined") },
  ]);
});
