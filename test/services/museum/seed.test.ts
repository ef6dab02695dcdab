// The base data: what a first look at the museum finds, whether committed or generated.

import { describe, expect, test } from "vitest";
import type { Fixture } from "../../../src/operation/service.ts";
import { library } from "../../../src/runtimes/node/library.ts";
import { type SpecialEvent, StoredTicket } from "../../../src/services/museum/schemas.ts";
import { generate, rebase } from "../../../src/services/museum/seed.ts";
import { listEvents } from "../../../src/services/museum/state.ts";
import { addDays, countDays } from "../../../src/world/time.ts";

const generated = (seed: number) =>
  generate({ seed, environment: "museum", anchor: "2026-03-01", counts: {} });
const eventsOf = ({ collections }: Fixture) =>
  (collections["specialEvents"] ?? []) as readonly SpecialEvent[];
const { anchor, museum } = library.base();
const committed = { anchor, collections: museum } as Fixture; // our own file
const sets: readonly (readonly [name: string, load: () => Fixture | Promise<Fixture>])[] = [
  ["committed", () => committed],
  ["generated", () => generated(1)],
  ["generated from another seed", () => generated(4711)],
];

describe.each(sets)("the %s fixture", (_name, load) => {
  test("holds thirty events between a month ago and four months ahead", async () => {
    const fixture = await load();
    const days = eventsOf(fixture).flatMap(({ dates }) =>
      dates.map((date) => countDays(fixture.anchor, date)),
    );
    expect(eventsOf(fixture)).toHaveLength(30);
    expect(new Set(eventsOf(fixture).map(({ eventId }) => eventId)).size).toBe(30);
    expect(Math.min(...days)).toBeGreaterThanOrEqual(-30);
    expect(Math.max(...days)).toBeLessThanOrEqual(120);
  });

  test("fills the default list, whose first event has two dates in the range", async () => {
    const fixture = await load();
    const range = { from: fixture.anchor, to: addDays(fixture.anchor, 7) };
    const list = listEvents(eventsOf(fixture), range, { page: 1, limit: 30 }, "events");
    expect(list.length).toBeGreaterThanOrEqual(10);
    const inRange = list[0]?.dates.filter((date) => date >= range.from && date <= range.to);
    expect(inRange?.length).toBeGreaterThanOrEqual(2);
  });

  test("holds a ticket of each type", async () => {
    const tickets = (await load()).collections["tickets"]?.map((ticket) => StoredTicket.parse(ticket));
    expect(tickets?.slice(0, 2).map(({ ticketType }) => ticketType)).toEqual(["general", "event"]);
    for (const { ticketType, confirmationCode } of tickets ?? [])
      expect(confirmationCode).toMatch(new RegExp(`^ticket-${ticketType}-[a-z0-9]{6}-[a-z0-9]{5,6}$`));
  });

  test("moves with the date of the clock", async () => {
    const fixture = await load();
    const moved = rebase(fixture, addDays(fixture.anchor, 100));
    const shifts = eventsOf(moved).flatMap(({ dates }, index) =>
      dates.map((date, at) => countDays(eventsOf(fixture)[index]?.dates[at] ?? "", date)),
    );
    expect(new Set(shifts)).toEqual(new Set([100]));
  });
});

test("the same seed generates the same events, another seed others", async () => {
  expect(await generated(1)).toEqual(await generated(1));
  expect(await generated(1)).not.toEqual(await generated(2));
});

test("the requested number of events is generated", async () => {
  const { collections } = await generate({
    seed: 1,
    environment: "museum",
    anchor: "2026-03-01",
    counts: { specialEvents: 3 },
  });
  expect(collections["specialEvents"]).toHaveLength(3);
});
