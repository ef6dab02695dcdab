// Five hundred tests, each with a sandbox of its own, and what they leave behind.

import { expect, test as plain } from "vitest";

const before = globals();
const { test } = await import("vitrine/vitest");

for (let number = 1; number <= 500; number += 1)
  test(`a fresh sandbox, ${number}`, async ({ sandbox }) => {
    expect((await sandbox.museum.listSpecialEvents()).status).toBe(200);
    expect(sandbox.journal.count()).toBe(1);
  });

plain("globals are as they were before", () => {
  const after = globals();
  const changed = [...before.keys(), ...after.keys()].filter(
    (name) => !Object.is(before.get(name), after.get(name)),
  );
  const matchers = Symbol.for("$$jest-matchers-object"); // of the test that runs, by vitest
  expect(changed.filter((name) => name !== matchers).map(String)).toEqual([]);
});

/** Each with its value; Node makes some when they are first read. */
function globals(): ReadonlyMap<PropertyKey, unknown> {
  const read = () =>
    new Map(Reflect.ownKeys(globalThis).map((name) => [name, Reflect.get(globalThis, name)]));
  read();
  return read();
}
