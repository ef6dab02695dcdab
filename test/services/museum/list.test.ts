// The list of special events: which are in range, in which order, on which page.

import fc from "fast-check";
import { describe, expect } from "vitest";
import { listEvents } from "../../../src/services/museum/state.ts";
import { VersionedMap } from "../../../src/world/versioned-map.ts";
import { ask, museumData } from "../../support/museum.ts";
import { frozenSandbox, type TestSandbox, test } from "../../support/test.ts";

const event = (name: string, ...dates: string[]) => ({
  eventId: crypto.randomUUID(),
  name,
  location: "Hall 2",
  eventDescription: "",
  dates,
  price: 0,
});

async function names(sandbox: TestSandbox, query: string): Promise<string[]> {
  const { status, body } = await ask(sandbox, `GET /special-events${query}`);
  expect(status).toBe(200);
  return body.map(({ name }: { name: string }) => name);
}

describe("the default list", () => {
  test("shows the events of today and the seven days after, ten of them", async ({ sandbox }) => {
    const { body } = await ask(sandbox, "GET /special-events");
    expect(body).toHaveLength(10);
    const inWindow = (date: string) => date >= "2026-03-01" && date <= "2026-03-08";
    for (const { dates } of body) expect(dates.some(inWindow)).toBe(true);
    expect(body[0].dates.filter(inWindow).length).toBeGreaterThanOrEqual(2);
  });

  test("follows the clock's own day, in UTC", async ({ sandbox }) => {
    museumData(sandbox).specialEvents.replace([event("midnight", "2026-03-02")]);
    sandbox.clock.freeze("2026-03-02T23:59:59.999Z");
    expect(await names(sandbox, "")).toEqual(["midnight"]);
    await sandbox.clock.advance("1ms");
    expect(await names(sandbox, "")).toEqual([]);
  });
});

describe("the range", () => {
  test.for([
    ["", ["first day", "last day"]],
    ["?startDate=2026-03-01", ["first day", "last day"]],
    ["?startDate=2026-03-02", ["last day", "day nine"]],
    ["?startDate=2026-03-09&endDate=2026-03-09", ["day nine"]],
    ["?endDate=2026-03-01", ["first day"]],
    ["?startDate=2026-02-28", ["yesterday", "first day"]],
    ["?startDate=2027-01-01", []],
    ["?startDate=9999-12-31", []],
  ] as const)("%s includes both ends", async ([query, expected], { sandbox }) => {
    museumData(sandbox).specialEvents.replace([
      event("yesterday", "2026-02-28"),
      event("first day", "2026-03-01"),
      event("last day", "2026-03-08"),
      event("day nine", "2026-03-09"),
    ]);
    expect(await names(sandbox, query)).toEqual(expected);
  });

  test("includes an event by any of its dates, and sorts it by its first date in the range", async ({
    sandbox,
  }) => {
    museumData(sandbox).specialEvents.replace([
      event("B", "2026-03-04"),
      event("A", "2026-03-09", "2026-03-03", "2026-01-01"),
      event("C", "2026-03-04", "2026-03-02"),
      event("never", "2026-02-01", "2026-04-01"),
      event("dateless"),
      event("also the fourth", "2026-03-04"),
    ]);
    expect(await names(sandbox, "")).toEqual(["C", "A", "B", "also the fourth"]);
  });

  test("shows a new event after those that were there on its day", async ({ sandbox }) => {
    museumData(sandbox).specialEvents.replace([event("old", "2026-03-04")]);
    await sandbox.museum.createSpecialEvent({ body: event("new", "2026-03-04") });
    expect(await names(sandbox, "")).toEqual(["old", "new"]);
  });
});

test("pages equal a scan of all events, in whatever order the events were written", () => {
  const day = fc.integer({ min: 1, max: 28 }).map((of) => `2026-02-${String(of).padStart(2, "0")}`);
  const write = fc.record({
    key: fc.integer({ min: 0, max: 20 }),
    dates: fc.option(fc.array(day, { maxLength: 4 }), { freq: 5 }),
    isListed: fc.boolean(),
  });
  const paging = { page: fc.integer({ min: 1, max: 4 }), limit: fc.integer({ min: 1, max: 30 }) };
  fc.assert(
    fc.property(
      fc.array(write, { maxLength: 60, size: "max" }),
      day,
      day,
      fc.record(paging),
      (writes, from, to, { page, limit }) => {
        const map = new VersionedMap<ReturnType<typeof event>>();
        const list = () => listEvents(map.values(), { from, to }, { page, limit }, "events");
        for (const { key, dates, isListed } of writes) {
          if (dates === null) map.delete(String(key));
          else map.set(String(key), event(String(key), ...dates));
          if (isListed) list();
        }
        const firstDate = ({ dates }: { readonly dates: readonly string[] }) =>
          dates.filter((date) => date >= from && date <= to).sort()[0];
        const found = map
          .values()
          .flatMap((each) => ({ each, first: firstDate(each) ?? [] }))
          .filter(({ first }) => typeof first === "string")
          .sort((one, other) => (one.first < other.first ? -1 : one.first > other.first ? 1 : 0))
          .map(({ each }) => each);
        expect(list()).toEqual(found.slice((page - 1) * limit, page * limit));
      },
    ),
  );
});

describe("paging", () => {
  test("returns every event exactly once, in a fixed order", async ({ sandbox }) => {
    const range = "startDate=2026-01-01&endDate=2026-12-31";
    const all = await names(sandbox, `?${range}&limit=30`);
    expect(all).toHaveLength(30);
    const pages = [1, 2, 3, 4, 5].map((page) => names(sandbox, `?${range}&limit=7&page=${page}`));
    const paged = await Promise.all(pages);
    expect(paged.map((page) => page.length)).toEqual([7, 7, 7, 7, 2]);
    expect(paged.flat()).toEqual(all);
  });

  test.for(["4", "999999999", "1000000000", "9007199254740993", "9".repeat(400)])(
    "past the end is an empty array: page %s",
    async (page, { sandbox }) => {
      expect(await ask(sandbox, `GET /special-events?page=${page}`)).toMatchObject({
        status: 200,
        text: "[]",
      });
      expect((await ask(sandbox, `GET /museum-hours?startDate=9999-12-31&page=${page}`)).text).toBe("[]");
      expect(sandbox.journal.last?.query).toMatchObject({ page });
    },
  );

  test("counts days with events instead of events if pageBy is days", async () => {
    const sandbox = await frozenSandbox({ settings: { museum: { pageBy: "days" } } });
    museumData(sandbox).specialEvents.replace([
      event("A", "2026-03-01"),
      event("B", "2026-03-01", "2026-03-03"),
      event("C", "2026-03-06"),
    ]);
    expect(await names(sandbox, "?limit=1")).toEqual(["A", "B"]);
    expect(await names(sandbox, "?limit=1&page=2")).toEqual(["B"]);
    expect(await names(sandbox, "?limit=2")).toEqual(["A", "B"]);
    expect(await names(sandbox, "?limit=1&page=3")).toEqual(["C"]);
    expect(await names(sandbox, "?limit=1&page=4")).toEqual([]);
  });
});
