import { array, assert, integer, property, shuffledSubarray } from "fast-check";
import { expect, test } from "vitest";
import { findBlock, getRetryAfter, withEvent } from "../../../src/services/account/throttle.ts";

const EVERY = 86_400_000;
const event = (at: number) => ({ at });

test.for([
  ["nothing happened", [], 0, undefined],
  ["just now", [0], 0, EVERY],
  ["a millisecond before the window ends", [0], EVERY - 1, EVERY],
  ["when it ends", [0], EVERY, undefined],
  ["a millisecond later", [0], EVERY + 1, undefined],
  ["the latest counts", [0, 5_000, 1_000], 10_000, EVERY + 5_000],
  ["it began with the second, as a token does", [999], 1_000, EVERY],
  ["and ends with a second", [999], EVERY - 1, EVERY],
  ["not within it", [999], EVERY, undefined],
  ["set back within the second it counts on", [900], 100, EVERY],
  ["one from the future does not", [2_000], 1_000, undefined],
  ["and does not hide one from the past", [2_000, 100], 1_000, EVERY],
  ["until time catches up", [2_000], 2_000, EVERY + 2_000],
] as const)("%s", ([, at, now, due]) => {
  expect(findBlock(at.map(event), now, EVERY)?.due).toBe(due);
});

const instants = array(integer({ min: 0, max: 3 * EVERY }), { maxLength: 20 });
const instant = integer({ min: 0, max: 4 * EVERY });

test("the order in which events were noted does not matter", () => {
  const reordered = instants.chain((all) =>
    shuffledSubarray(all, { minLength: all.length }).map((other) => [all, other] as const),
  );
  assert(
    property(reordered, instant, ([all, other], now) => {
      expect(findBlock(other.map(event), now, EVERY)?.due).toBe(findBlock(all.map(event), now, EVERY)?.due);
    }),
  );
});

test("a login succeeds after the reported number of seconds, and not one second earlier", () => {
  assert(
    property(instants, instant, (all, now) => {
      const past = all.filter((at) => at <= now).map(event);
      const block = findBlock(past, now, EVERY);
      if (block === undefined) return;
      const wait = getRetryAfter(block, now) * 1000;
      expect(findBlock(past, now + wait, EVERY)).toBeUndefined();
      expect(findBlock(past, now + wait - 1000, EVERY)).toBeDefined();
    }),
  );
});

test("the number of stored logins per user is limited, and the latest are kept", () => {
  const events = Array.from({ length: 1_000 }, (_, at) => event(at)).reduce(withEvent, []);
  expect(events.length).toBeLessThan(100);
  expect(events.at(-1)).toEqual({ at: 999 });
});
