// Seeded chance: what a draw depends on, and what it does not.

import { expect, test } from "vitest";
import { Random } from "../../src/world/random.ts";
import { Store } from "../../src/world/store.ts";

const drawn = (seed: number, store = new Store()) => ({ random: new Random(seed, store), store });

test("the n-th id of a series depends only on seed, series and n, not on other random values", () => {
  const { random: one } = drawn(1);
  const { random: other } = drawn(1);
  const ids = [one.uuid("a"), one.uuid("a")];
  other.uuid("b");
  other.code("c", 5);
  other.fraction("d");
  expect([other.uuid("a"), other.uuid("a")]).toEqual(ids);
  expect(drawn(2).random.uuid("a")).not.toBe(ids[0]);
  expect(new Set([...ids, one.uuid("b")]).size).toBe(3);
});

test("ids are UUIDs of version 4, and codes have their length in lower-case letters and digits", () => {
  const { random } = drawn(3);
  for (let n = 0; n < 50; n++) {
    expect(random.uuid("a")).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(random.code("b", 6)).toMatch(/^[\da-z]{6}$/);
  }
});

test("a series goes on where it was after a restart, and also under another seed", () => {
  const { random, store } = drawn(1);
  const first = random.uuid("a");
  const restarted = new Store();
  restarted.restore(store.snapshot());
  const second = drawn(1, restarted).random.uuid("a");
  expect(second).toBe(random.uuid("a"));
  expect(second).not.toBe(first);
  random.reseed(2);
  const { random: fresh } = drawn(2);
  fresh.uuid("a");
  fresh.uuid("a");
  expect(random.uuid("a")).toBe(fresh.uuid("a"));
});

test("fractions are from 0 to 1, depend on every part of their key, and do not change the state", () => {
  const { random, store } = drawn(1);
  const fractions = Array.from({ length: 500 }, (_, n) => random.fraction("chance", n));
  expect(Math.min(...fractions)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...fractions)).toBeLessThan(1);
  expect(fractions.filter((one) => one < 0.5).length).toBeGreaterThan(200);
  expect(fractions.filter((one) => one < 0.5).length).toBeLessThan(300);
  expect(random.fraction("chance", 7)).toBe(fractions[7]);
  expect(random.fraction("a", "b")).not.toBe(random.fraction("a,b"));
  expect(store.counters.size).toBe(0);
});
