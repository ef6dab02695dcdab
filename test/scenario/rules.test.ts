// Rules of misbehaviour as a client meets them.

import { describe, expect, test } from "vitest";
import { createSandbox } from "../../src/vitrine.ts";

const CLOCK = "2026-03-02T09:00:00Z";
const EVENT = {
  name: "Night of the lamps",
  location: "Hall 2",
  eventDescription: "After dark.",
  dates: ["2026-03-31"],
  price: 12.5,
};

describe("a rule", () => {
  test("refuses instead of the work, in the service's own shape, and steps aside after its times", async () => {
    await using sandbox = await createSandbox({ clock: CLOCK });
    const before = sandbox.data.museum.specialEvents.all().length;
    const id = sandbox.use({
      when: { operation: "museum.createSpecialEvent" },
      limit: { times: 2 },
      then: { problem: "invalidInput", title: "price is too high." },
    });
    const refused = await sandbox.museum.createSpecialEvent({ body: EVENT });
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual({ type: "urn:museum:problem:invalidInput", title: "price is too high." });
    expect((await sandbox.museum.createSpecialEvent({ body: EVENT })).status).toBe(400);
    expect((await sandbox.museum.createSpecialEvent({ body: EVENT })).status).toBe(201);
    expect(sandbox.data.museum.specialEvents.all()).toHaveLength(before + 1);
    expect(sandbox.journal.list().map(({ rules }) => rules)).toEqual([
      [{ rule: id, outcome: "applied", why: "match 1" }],
      [{ rule: id, outcome: "applied", why: "match 2" }],
      [{ rule: id, outcome: "skipped", why: "used up after 2" }],
    ]);
  });
});
