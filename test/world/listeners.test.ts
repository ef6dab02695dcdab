// Waiting for the next item that is wanted, and what ends a wait besides.

import { expect, test } from "vitest";
import { Listeners } from "../../src/world/listeners.ts";

const patient = {
  now: () => 0,
  pause: (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve())),
};
const impatient = { now: () => 0, pause: async () => {} };
const isEven = (item: number): boolean => item % 2 === 0;

test("a wait ends with the first item that is wanted", async () => {
  const listeners = new Listeners<number>(() => {});
  const waiting = listeners.next(isEven, 1_000, { wall: patient });
  for (const item of [1, 2, 4]) listeners.emit(item);
  expect(await waiting).toBe(2);
  expect(listeners.all.size).toBe(0);
});

test("a wait returns undefined after its time, with or without a signal for the end of the world", async () => {
  const listeners = new Listeners<number>(() => {});
  expect(await listeners.next(isEven, 1, { wall: impatient })).toBeUndefined();
  const { signal: ended } = new AbortController();
  expect(await listeners.next(isEven, 1, { wall: impatient, ended })).toBeUndefined();
  expect(listeners.all.size).toBe(0);
});

test("a wait rejects with the reason when the world ends, and returns undefined when the client leaves", async () => {
  const listeners = new Listeners<number>(() => {});
  const world = new AbortController();
  const client = new AbortController();
  const waiting = listeners.next(isEven, 1_000, { wall: patient, ended: world.signal });
  const left = listeners.next(isEven, 1_000, { wall: patient, ended: world.signal, signal: client.signal });
  client.abort();
  expect(await left).toBeUndefined();
  world.abort(new Error("the end"));
  await expect(waiting).rejects.toThrow("the end");
});

test("an error of a listener is reported, and the other listeners are still called", () => {
  const failures: string[] = [];
  const heard: number[] = [];
  const listeners = new Listeners<number>((message) => failures.push(message));
  listeners.add(() => {
    throw new Error("broken");
  });
  const leave = listeners.add((item) => heard.push(item));
  listeners.emit(1);
  leave();
  listeners.emit(2);
  expect([failures, heard]).toEqual([["broken", "broken"], [1]]);
});
