// How long a delay is: fixed, or drawn; what is drawn stays within what the rule says.

import { describe, expect, test } from "vitest";
import { computeDelayMs, Delay, toDribble } from "../../src/rules/delay.ts";

const always = (value: number) => () => value;

describe("a delay", () => {
  test.each<[delay: Delay, low: number, middle: number, high: number]>([
    ["250ms", 250, 250, 250],
    [{ uniform: ["1s", "3s"] }, 1_000, 2_000, 3_000],
    [{ uniform: ["3s", "1s"] }, 1_000, 2_000, 3_000],
    [{ uniform: ["0ms", "1ms"] }, 0, 1, 1],
    [{ dribble: { chunks: 4, over: "1s" } }, 0, 0, 0],
  ])("%j", (delay, ...expected) => {
    expect([0, 0.5, 1].map((fraction) => computeDelayMs(delay, always(fraction)))).toEqual(expected);
  });

  test("of a lognormal distribution varies around its median, and never exceeds max", () => {
    const delay: Delay = { lognormal: { median: "1s", sigma: 0.5, max: "2s" } };
    const spread = Array.from({ length: 400 }, (_, n) =>
      computeDelayMs(delay, (part) => (part === 1 ? ((n * 7) % 400) / 400 : ((n * 13 + 5) % 400) / 400)),
    );
    expect(spread.filter((ms) => ms < 1_000).length).toBeGreaterThan(150);
    expect(spread.filter((ms) => ms > 1_000).length).toBeGreaterThan(150);
    expect(Math.max(...spread)).toBe(2_000);
    expect(Math.min(...spread)).toBeGreaterThan(0);
    expect(computeDelayMs({ lognormal: { median: "1s", sigma: 0, max: "2s" } }, always(0.3))).toBe(1_000);
  });

  test("of a lognormal distribution is a median times e to the sigma at one deviation above it", () => {
    const delay: Delay = { lognormal: { median: "1s", sigma: 0.5, max: "5s" } };
    const oneDeviation = 1 - Math.exp(-0.5);
    const drawn = [0, 0.5].map((angle) =>
      computeDelayMs(delay, (part) => (part === 1 ? oneDeviation : angle)),
    );
    expect(drawn).toEqual([1_649, 607]);
  });

  test("with dribble is a wire fault and not a delay", () => {
    expect(toDribble({ dribble: { chunks: 4, over: "1s" } })).toEqual({
      kind: "dribble",
      chunks: 4,
      overMs: 1_000,
    });
    expect([toDribble("1s"), toDribble({ uniform: ["1s", "2s"] }), toDribble(undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test.each([["1w"], [{ uniform: ["1s"] }], [{ lognormal: { median: "1s", sigma: 4, max: "2s" } }]])(
    "of %j is invalid",
    (delay) => {
      expect(Delay().safeParse(delay).success).toBe(false);
    },
  );
});
