// The journals of all worlds share one room: the heaviest loses its oldest, and no world loses its newest.

import { expect, test } from "vitest";
import { Journal } from "../../src/journal/journal.ts";
import { MemoryLimit } from "../../src/journal/memory-limit.ts";
import { record } from "../support/exchange.ts";

function recordMany(journal: Journal, count: number): void {
  for (let index = 0; index < count; index += 1) record(journal);
}

test("twenty-five worlds of a thousand exchanges stay within the bound, and each keeps its newest", () => {
  const room = new MemoryLimit(4 * 1_048_576);
  const journals = Array.from({ length: 25 }, () => new Journal({ room }));
  const weighed: number[] = [];
  for (const journal of journals) {
    recordMany(journal, 1_000);
    weighed.push(room.bytes);
  }
  expect(Math.max(...weighed)).toBeLessThanOrEqual(room.maxBytes);
  for (const journal of journals) {
    expect(journal.weight.entries).toBeGreaterThanOrEqual(20);
    expect(journal.weight.entries + journal.evicted).toBe(1_000);
    expect(journal.list().at(-1)?.seq).toBe(1_000);
  }
  expect(room.bytes).toBe(journals.reduce((sum, { weight }) => sum + weight.bytes, 0));
  const [first, ...others] = journals;
  const { bytes } = room;
  const own = first?.weight.bytes ?? 0;
  first?.clear();
  expect(room.bytes).toBe(bytes - own);
  for (const journal of others) journal.close();
  expect(room.bytes).toBe(0);
});

test("a world with few exchanges loses none to one with many", () => {
  const room = new MemoryLimit(1_048_576);
  const [small, large] = [new Journal({ room }), new Journal({ room })];
  recordMany(small, 50);
  recordMany(large, 1_000);
  expect(small.evicted).toBe(0);
  expect(large.evicted).toBeGreaterThan(500);
  expect(large.weight.entries).toBeGreaterThan(100);
});

test("a world with only its newest 20 exchanges loses none, however large they are", () => {
  const room = new MemoryLimit(1_000);
  const journalOf = (entries: number, each: number) => {
    const journal = {
      weight: { entries, bytes: entries * each },
      dropOldest() {
        journal.weight = { entries: journal.weight.entries - 1, bytes: journal.weight.bytes - each };
        room.bytes -= each;
      },
    };
    room.enter(journal);
    room.bytes += journal.weight.bytes;
    return journal;
  };
  const [heavy, many] = [journalOf(20, 40), journalOf(100, 3)];
  room.relieve();
  expect(heavy.weight.entries).toBe(20);
  expect(many.weight.entries).toBeLessThan(100);
  expect(room.bytes).toBeLessThanOrEqual(room.maxBytes);
  const other = journalOf(20, 100);
  room.relieve();
  expect([heavy, many, other].map(({ weight }) => weight.entries)).toEqual([20, 20, 20]);
});
