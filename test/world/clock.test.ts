// Simulated time by itself: what moves it, and in which order due work runs.

import { describe, expect, test } from "vitest";
import { Clock, parseClock } from "../../src/world/clock.ts";

const NOON = Date.parse("2026-03-01T12:00:00Z");
const HOUR = 3_600_000;

/** A wall whose time a test sets. */
function clockOn(state?: ConstructorParameters<typeof Clock>[1]) {
  const wall = { at: NOON, now: () => wall.at, pause: async () => {} };
  return { wall, clock: new Clock(wall, state) };
}
const frozen = () => clockOn({ mode: "frozen", at: NOON });

describe("time", () => {
  test("follows the system clock until it is frozen, and continues from there when it is resumed", () => {
    const { wall, clock } = clockOn();
    wall.at += HOUR;
    expect(clock.now()).toBe(NOON + HOUR);
    clock.freeze();
    wall.at += HOUR;
    expect(clock.now()).toBe(NOON + HOUR);
    clock.resume();
    wall.at += 5;
    expect(clock.now()).toBe(NOON + HOUR + 5);
  });

  test("keeps its mode when it is set, and an offset counts from the system clock", () => {
    const { wall, clock } = clockOn();
    clock.set("2030-01-01T00:00:00Z");
    wall.at += 7;
    expect(clock.now()).toBe(Date.parse("2030-01-01T00:00:00Z") + 7);
    clock.offset("-2h");
    expect(clock.now()).toBe(wall.at - 2 * HOUR);
    clock.freeze();
    clock.set("2031-01-01");
    expect(clock.state).toEqual({ mode: "frozen", at: Date.parse("2031-01-01T00:00:00Z") });
  });

  test("loses no time if it is resumed twice, however slow the machine is", () => {
    const slow = { at: NOON, now: () => slow.at++, pause: async () => {} };
    const clock = new Clock(slow, { mode: "ticking", offsetMs: HOUR });
    clock.resume();
    expect(clock.state).toEqual({ mode: "ticking", offsetMs: HOUR });
  });

  test.each([
    ["freeze", "1970-01-01"],
    ["set", "9999-12-02"],
    ["offset", "-60000d"],
    ["advanceTo", "9999-12-02"],
  ] as const)("stays in its range: %s", async (verb, at) => {
    const { clock } = frozen();
    const move = async () => (verb === "advanceTo" ? clock.advanceTo(Date.parse(at)) : clock[verb](at));
    await expect(move()).rejects.toThrow("The time must be from 1970-01-02T00:00:00.000Z");
    if (verb !== "offset") expect(clock.now()).toBe(NOON);
  });

  test.each([
    ["2026-03-01T09:00:00Z", { mode: "frozen", at: NOON - 3 * HOUR }],
    ["+3d", { mode: "ticking", offsetMs: 72 * HOUR }],
    ["-2h", { mode: "ticking", offsetMs: -2 * HOUR }],
    [undefined, { mode: "ticking", offsetMs: 0 }],
  ])("is written as %s", (text, state) => {
    const { clock } = clockOn();
    parseClock(text)(clock);
    expect(clock.state).toEqual(state);
  });
});

describe("scheduled work", () => {
  test("runs in order of its due time, then in order of scheduling, and sees its own due time", async () => {
    const { clock } = frozen();
    const ran: [string, number][] = [];
    const plan = (name: string, after: number) =>
      clock.schedule(NOON + after, () => void ran.push([name, clock.now() - NOON]));
    plan("late", 3);
    plan("first of two", 2);
    plan("second of two", 2);
    plan("early", 1);
    plan("not yet", 60_001);
    const cancel = plan("cancelled", 1);
    cancel();
    await clock.advance("60s");
    expect(ran).toEqual([
      ["early", 1],
      ["first of two", 2],
      ["second of two", 2],
      ["late", 3],
    ]);
    expect([clock.now(), clock.pending]).toEqual([NOON + 60_000, 1]);
  });

  test("that schedules more work within the same advance runs this work too", async () => {
    const { clock } = frozen();
    const ran: number[] = [];
    const again = (due: number): void =>
      void clock.schedule(due, () => {
        ran.push(due - NOON);
        again(due + 10);
      });
    again(NOON + 10);
    await clock.advance("35ms");
    expect(ran).toEqual([10, 20, 30]);
  });

  test("that advances the clock itself is not undone: time never goes back", async () => {
    const { clock } = frozen();
    const seen: number[] = [];
    clock.schedule(NOON + 1, () => clock.advance("1h"));
    clock.schedule(NOON + 2, () => void seen.push(clock.now() - NOON));
    clock.schedule(NOON + 2 * HOUR, () => {});
    await clock.advance("5ms");
    expect(seen).toEqual([2]);
    expect(clock.now()).toBe(NOON + 1 + HOUR);
    expect(clock.pending).toBe(1);
  });

  test("that a clock jump skipped runs later, at the new time", async () => {
    const { clock } = frozen();
    const seen: number[] = [];
    clock.schedule(NOON + 1, () => void seen.push(clock.now() - NOON));
    clock.set("2026-03-01T13:00:00Z");
    expect([clock.hasDue, seen]).toEqual([true, []]);
    await clock.advance("1ms");
    expect(seen).toEqual([HOUR]);
    expect(clock.now()).toBe(NOON + HOUR + 1);
  });

  test("waits on a ticking clock until runDue is called", async () => {
    const { wall, clock } = clockOn();
    let ran = 0;
    clock.schedule(NOON + 1, () => void ran++);
    wall.at += 1;
    expect([clock.hasDue, ran]).toEqual([true, 0]);
    await clock.runDue();
    expect([clock.hasDue, ran]).toEqual([false, 1]);
  });
});

test("listeners are called for jumps, but not for passing time, and rebase listeners only if it is requested", async () => {
  const { clock } = frozen();
  const heard: string[] = [];
  const stop = clock.onJump(() => heard.push("jump"));
  clock.onRebase(() => heard.push("rebase"));
  await clock.advance("1h");
  clock.resume();
  expect(heard).toEqual([]);
  clock.freeze("2027-01-01");
  clock.set("2027-01-02", { rebase: true });
  clock.offset("+1d");
  clock.restore({ mode: "frozen", at: NOON });
  expect(heard).toEqual(["jump", "jump", "rebase", "jump", "jump"]);
  stop();
  clock.freeze();
  expect(heard).toHaveLength(5);
});
