// What a test writes into a collection is all there or not at all; snapshots are kept by name, and what differs is told.

import { describe, expect } from "vitest";
import { Snapshots } from "../../src/sandbox/snapshots.ts";
import { frozenSandbox, test } from "../support/test.ts";

const EVENT = {
  eventId: "0b6d1f0e-5d0a-4c57-9a53-6a4f5a2f7c11",
  name: "Lamps",
  location: "Hall 2",
  eventDescription: "Dark",
  dates: ["2026-03-31"],
  price: 1,
};

describe("a collection", () => {
  test("accepts all entities or, if one is invalid, none, and reports the error", ({ sandbox }) => {
    const { specialEvents } = sandbox.data.museum;
    const before = specialEvents.all();
    const wrong = [EVENT, { ...EVENT, dates: ["2026-03-31", 5] }] as never;
    for (const verb of ["upsert", "replace"] as const)
      expect(() => specialEvents[verb](wrong)).toThrow(
        expect.objectContaining({
          code: "badData",
          message: expect.stringMatching(
            /^museum\.specialEvents: dates\[1\] must be a string, not a number\./,
          ),
          place: { pointer: "/1/dates/1" },
        }),
      );
    expect(() => specialEvents.upsert(["x"] as never)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(
          /^museum\.specialEvents: the entity must be an object, not a string\./,
        ),
        place: { pointer: "/0" },
      }),
    );
    expect(specialEvents.all()).toEqual(before);
  });

  test("upsert adds or replaces entities at their position, and replace removes all others", ({
    sandbox,
  }) => {
    const { specialEvents } = sandbox.data.museum;
    const [first, ...others] = specialEvents.all();
    if (first === undefined) return expect.unreachable("the base data has events");
    specialEvents.upsert([{ ...first, name: "Renamed" }, EVENT]);
    expect(specialEvents.all()).toEqual([{ ...first, name: "Renamed" }, ...others, EVENT]);
    specialEvents.replace([EVENT, { ...EVENT, name: "Again" }]);
    expect(specialEvents.all()).toEqual([{ ...EVENT, name: "Again" }]);
  });

  test("removes all named entities or, if one does not exist, none", ({ sandbox }) => {
    const { specialEvents } = sandbox.data.museum;
    const [first, second, ...others] = specialEvents.all();
    const keys = [first?.eventId ?? "", "nobody"];
    expect(() => specialEvents.remove(keys)).toThrow(
      expect.objectContaining({
        code: "badData",
        message: expect.stringContaining('No entity "nobody" in museum.specialEvents.'),
        place: { pointer: "/1" },
      }),
    );
    expect(specialEvents.get(first?.eventId ?? "")).toEqual(first);
    specialEvents.remove([first?.eventId ?? "", second?.eventId ?? ""]);
    expect(specialEvents.all()).toEqual(others);
  });
});

describe("a diff from a snapshot", () => {
  test("is empty if requests only read data, whatever rules have done", async ({ sandbox }) => {
    sandbox.use({ when: { operation: "museum.listSpecialEvents" }, then: { pass: true } });
    sandbox.snapshot("before");
    await sandbox.museum.listSpecialEvents();
    expect(sandbox.snapshots.diff("before")).toEqual({
      collections: {},
      clock: false,
      settings: false,
      rules: false,
    });
  });

  test("lists changes by collection and field, and of clock, settings and rules", async ({ sandbox }) => {
    const { specialEvents, tickets } = sandbox.data.museum;
    const [changed, removed] = specialEvents.all();
    if (changed === undefined || removed === undefined) return expect.unreachable("there are two");
    sandbox.snapshot("before");
    specialEvents.upsert([{ ...changed, price: changed.price + 1, name: "New" }, EVENT]);
    specialEvents.remove([removed.eventId]);
    tickets.upsert(tickets.all());
    expect(sandbox.snapshots.diff("before")).toEqual({
      collections: {
        "museum/specialEvents": {
          added: [EVENT.eventId],
          removed: [removed.eventId],
          changed: [{ key: changed.eventId, fields: ["name", "price"] }],
        },
      },
      clock: false,
      settings: false,
      rules: false,
    });
    sandbox.data.account.consumptions.replace([]);
    const { collections } = sandbox.snapshots.diff("before");
    expect(Object.keys(collections)).toEqual(["account/consumptions", "museum/specialEvents"]); // by name
    sandbox.restore("before");
    await sandbox.clock.advance("1h");
    expect(sandbox.snapshots.diff("before")).toMatchObject({ collections: {}, clock: true, settings: false });
    sandbox.restore("before");
    await sandbox.scenario({ version: 1, settings: { museum: { strict: true } } });
    expect(sandbox.snapshots.diff("before")).toMatchObject({ clock: false, settings: true });
    sandbox.restore("before");
    sandbox.use({ then: { pass: true }, when: { operation: "museum.listSpecialEvents" } });
    expect(sandbox.snapshots.diff("before")).toMatchObject({ clock: false, settings: false, rules: true });
    sandbox.restore("before");
  });
});

test("only the newest 1,000 snapshots are kept, and a snapshot taken again counts as the newest", () => {
  const snapshots = new Snapshots();
  const take = (name?: string) => snapshots.put({ id: snapshots.createName(name) } as never);
  take("first");
  take("second");
  for (let count = 1; count < 999; count += 1) take();
  expect(snapshots.all()).toHaveLength(1_000);
  take("first");
  expect(snapshots.all()).toHaveLength(1_000);
  expect(snapshots.all().at(-1)).toEqual({ id: "first" });
  take();
  expect(snapshots.all()).toHaveLength(1_000);
  expect(() => snapshots.get("second")).toThrow('Unknown snapshot "second".');
  expect(
    snapshots
      .all()
      .map(({ id }) => id)
      .slice(-2),
  ).toEqual(["first", "s999"]);
  snapshots.remove("first");
  expect(() => snapshots.remove("first")).toThrow('Unknown snapshot "first".');
  expect(snapshots.has({ id: "s999" } as never), "another of that name").toBe(false);
});

test("the digest of the state depends on settings and rules, but not on the order of their members", async () => {
  const digestWith = async (settings: object, rule: object) => {
    await using sandbox = await frozenSandbox({ settings });
    sandbox.use({ id: "one", ...rule } as never);
    return sandbox.state().digest;
  };
  const rule = {
    when: { operation: "museum.listSpecialEvents", query: { page: 1, limit: 2 } },
    then: { pass: true },
  };
  const same = { then: rule.then, when: { query: { limit: 2, page: 1 }, operation: rule.when.operation } };
  const digest = await digestWith({ museum: { strict: true, pageBy: "days" } }, rule);
  expect(await digestWith({ museum: { pageBy: "days", strict: true } }, same)).toBe(digest);
  expect(await digestWith({ museum: { strict: true, pageBy: "events" } }, rule)).not.toBe(digest);
  const other = { ...rule, when: { ...rule.when, query: { page: 1, limit: 3 } } };
  expect(await digestWith({ museum: { strict: true, pageBy: "days" } }, other)).not.toBe(digest);
});
