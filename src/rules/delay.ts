/** Schema of `delay` in a rule, and functions that compute how long a request waits. */

import { z } from "zod";
import type { Path } from "../http/json-pointer.ts";
import { duration } from "../operation/checks.ts";
import type { ValidationIssue } from "../operation/issue.ts";
import { once } from "../world/lazy.ts";
import { parseDuration } from "../world/time.ts";
import type { Fault } from "./effect.ts";

const DELAY_FORMS = 'must be a duration such as "500ms", or an object of uniform, lognormal or dribble';
export const Delay = once(() =>
  z.union(
    [
      duration,
      z.strictObject({ uniform: z.tuple([duration, duration]) }),
      z.strictObject({
        lognormal: z.strictObject({
          median: duration,
          sigma: z.number().min(0).max(3),
          max: duration,
        }),
      }),
      z.strictObject({ dribble: z.strictObject({ chunks: z.int().min(1).max(1_000), over: duration }) }),
    ],
    DELAY_FORMS,
  ),
);
export type Delay = z.output<ReturnType<typeof Delay>>;

const MAX_WALL_DELAY_MS = 60_000;

/** Reports wall-clock delays above 60 s. Checks every string in `delay`, because each one is a duration. */
export function checkWallDelay(delay: unknown, path: Path): readonly ValidationIssue[] {
  if (typeof delay === "string") {
    const message = 'must be at most 60s. For longer delays, add "clock": "virtual"';
    const isLong = duration.safeParse(delay).success && parseDuration(delay) > MAX_WALL_DELAY_MS;
    return isLong ? [{ path, message }] : [];
  }
  return Object.entries(Object(delay)).flatMap(([key, value]) =>
    checkWallDelay(value, [...path, Array.isArray(delay) ? Number(key) : key]),
  );
}

/** Returns the wait before the response in ms; 0 for a dribble. `fraction(n)` returns the nth random number, from 0 to 1. */
export function computeDelayMs(delay: Delay, fraction: (part: number) => number): number {
  if (typeof delay === "string") return parseDuration(delay);
  if ("uniform" in delay) {
    const [first = 0, second = 0] = delay.uniform.map(parseDuration);
    const [from, to] = [Math.min(first, second), Math.max(first, second)];
    return Math.round(from + (to - from) * fraction(1));
  }
  if ("lognormal" in delay) {
    const { median, sigma, max } = delay.lognormal;
    const sample = parseDuration(median) * Math.exp(sigma * sampleNormal(fraction));
    return Math.round(Math.min(sample, parseDuration(max)));
  }
  return 0;
}

/** Converts a `dribble` delay to the fault that sends the body in slow pieces. Returns undefined for other delays. */
export function toDribble(delay: Delay | undefined): Fault | undefined {
  if (typeof delay !== "object" || !("dribble" in delay)) return undefined;
  return { kind: "dribble", chunks: delay.dribble.chunks, overMs: parseDuration(delay.dribble.over) };
}

/** Returns a normally distributed number (Box-Muller transform). */
function sampleNormal(fraction: (part: number) => number): number {
  return Math.sqrt(-2 * Math.log(1 - fraction(1))) * Math.cos(2 * Math.PI * fraction(2));
}
