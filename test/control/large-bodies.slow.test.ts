// Whole states come in by the control API: what it takes, and what is too much.

import { expect } from "vitest";
import { type TestSandbox, test } from "../support/test.ts";

const put = (sandbox: TestSandbox, entities: readonly object[]): Promise<Response> =>
  sandbox.fetch("/_vitrine/data/museum/specialEvents", {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(entities),
  });

test("a collection of more than 50,000 members is taken", async ({ sandbox }) => {
  const events = Array.from({ length: 9_000 }, (_, index) => ({
    eventId: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    name: "Lamps",
    location: "Hall 2",
    eventDescription: "Dark",
    dates: ["2026-03-31"],
    price: 1.5,
  })); // 72,000 members
  expect((await put(sandbox, events)).status).toBe(200);
  expect(sandbox.data.museum.specialEvents.all()).toEqual(events);
});

test("a body of more than 16 MiB is refused, and one of less is read", async ({ sandbox }) => {
  const { digest } = sandbox.state();
  const entity = { name: "x".repeat(1_048_576) };
  expect((await put(sandbox, Array(15).fill(entity))).status).toBe(400); // read, and found wrong
  expect((await put(sandbox, Array(16).fill(entity))).status).toBe(413);
  expect(sandbox.state().digest).toBe(digest);
});
