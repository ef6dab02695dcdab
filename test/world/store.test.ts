// All or nothing: what a transaction leaves behind, kept or undone, and what a snapshot brings back.

import { describe, expect, test } from "vitest";
import { type EntityChange, Store } from "../../src/world/store.ts";

type Thing = { readonly n: number };
function storeWith(...numbers: readonly number[]) {
  const store = new Store();
  const things = store.collection<Thing>("things");
  for (const n of numbers) things.set(`k${n}`, { n });
  return { store, things, numbers: () => things.all().map(({ n }) => n) };
}
const refuse = { keep: () => false };

describe("a rolled-back transaction", () => {
  test("leaves values, order and numbers as they were, however often it wrote to one key", () => {
    const { store, things, numbers } = storeWith(1, 2, 3);
    store.next("series");
    store.transaction(() => {
      things.set("k1", { n: 10 });
      things.set("k1", { n: 11 });
      things.remove("k2");
      things.set("k2", { n: 20 });
      things.remove("k3");
      things.set("k4", { n: 4 });
      things.clear();
      things.set("k5", { n: 5 });
      expect(store.next("series")).toBe(2);
      expect(store.next("other")).toBe(1);
    }, refuse.keep);
    expect(numbers()).toEqual([1, 2, 3]);
    expect([things.size, things.get("k5")]).toEqual([3, undefined]);
    expect([store.next("series"), store.next("other")]).toEqual([2, 1]);
  });

  test("because of an exception throws this exception", () => {
    const { store, things, numbers } = storeWith(1);
    const work = () => {
      things.remove("k1");
      throw new Error("no");
    };
    expect(() => store.transaction(work)).toThrow("no");
    expect(numbers()).toEqual([1]);
    expect(store.transaction(() => 7).result).toBe(7);
  });

  test("notifies no listener, and runs no work that was to follow it", () => {
    const { store, things } = storeWith();
    const heard: unknown[] = [];
    store.onCommit((changes) => heard.push(changes));
    store.transaction(() => {
      things.set("k1", { n: 1 });
      store.afterCommit(() => heard.push("after"));
    }, refuse.keep);
    store.transaction(() => {});
    expect(heard).toEqual([]);
  });
});

describe("a committed transaction", () => {
  test("lists each entity once, as it was before and is after", () => {
    const { store, things } = storeWith(1, 2);
    const { changes } = store.transaction(() => {
      things.set("k1", { n: 10 });
      things.set("k1", { n: 11 });
      things.remove("k2");
      things.set("k3", { n: 3 });
    });
    expect(changes).toEqual([
      { collection: "things", key: "k1", before: { n: 1 }, after: { n: 11 } },
      { collection: "things", key: "k2", before: { n: 2 }, after: undefined },
      { collection: "things", key: "k3", before: undefined, after: { n: 3 } },
    ]);
  });

  test("inside another transaction is a part of it", () => {
    const { store, things, numbers } = storeWith(1);
    store.transaction(() => {
      store.transaction(() => things.set("k2", { n: 2 }));
    }, refuse.keep);
    expect(numbers()).toEqual([1]);
  });

  test("is reported once, and another store that applies the changes has the same content in the same order", () => {
    const { store, things, numbers } = storeWith();
    const other = storeWith();
    const told: (readonly EntityChange[])[] = [];
    store.onCommit((changes) => {
      told.push(changes);
      other.store.apply(changes);
    });
    store.transaction(() => {
      for (const n of [1, 2, 3]) things.set(`k${n}`, { n });
    });
    things.remove("k2");
    things.set("k1", { n: 10 });
    things.set("k2", { n: 2 });
    expect(told).toHaveLength(4);
    expect(numbers()).toEqual([10, 3, 2]);
    expect(other.numbers()).toEqual([10, 3, 2]);
  });
});

describe("a snapshot", () => {
  test("restores entities, order, numbers and values, and later changes do not affect it", () => {
    const { store, things, numbers } = storeWith(1, 2);
    store.next("series");
    store.setValue("today", "2026-03-01");
    const before = store.snapshot();
    things.remove("k1");
    things.set("k1", { n: 9 });
    store.collection("others").set("x", {});
    store.next("series");
    store.setValue("today", "2027-01-01");
    for (const _ of [1, 2]) {
      store.restore(before);
      expect([numbers(), store.names()]).toEqual([[1, 2], ["things"]]);
      expect([store.next("series"), store.value("today")]).toEqual([2, "2026-03-01"]);
      things.clear();
    }
  });

  test("is not affected by reads: reading creates no collection", () => {
    const store = new Store();
    const things = store.collection<Thing>("things");
    expect([things.size, things.get("k1"), things.all(), things.remove("k1")]).toEqual([
      0,
      undefined,
      [],
      false,
    ]);
    expect(store.names()).toEqual([]);
  });
});

test("what is stored cannot be changed from outside, in any part", () => {
  const { things } = storeWith();
  const inner = { list: [1] };
  things.set("k1", { n: 1, inner } as Thing);
  expect(() => inner.list.push(2)).toThrow(TypeError);
});

test("a commit listener gets each entity once, in its final state, and no call without a change", () => {
  const { store, things } = storeWith(1);
  const told: unknown[] = [];
  store.onCommit((written) => told.push(written));
  store.transaction(() => {
    things.set("k1", { n: 2 });
    things.set("k1", { n: 3 });
  });
  things.clear();
  things.clear();
  things.remove("k1");
  store.transaction(() => things.get("k1"));
  expect(told).toEqual([[["things", "k1", 0, { n: 3 }]], [["things", "k1", 0]]]);
});
