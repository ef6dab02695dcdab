/** `delay`: its grammar, and its length: fixed, or drawn from a distribution by the seed. */

import { z } from "zod";
import { once } from "../world/lazy.ts";
import { parseDuration } from "../world/time.ts";
import type { Fault } from "./effect.ts";
import { shortDuration } from "./primitives.ts";

const DELAY_FORMS = 'must be a duration such as "500ms", or an object of uniform, lognormal or dribble';
export const Delay = once(() =>
  z.union(
    [
      shortDuration,
      z.strictObject({ uniform: z.tuple([shortDuration, shortDuration]) }),
      z.strictObject({
        lognormal: z.strictObject({
          median: shortDuration,
          sigma: z.number().min(0).max(3),
          max: shortDuration,
        }),
      }),
      z.strictObject({ dribble: z.strictObject({ chunks: z.int().min(1).max(1_000), over: shortDuration }) }),
    ],
    DELAY_FORMS,
  ),
);
export type Delay = z.output<ReturnType<typeof Delay>>;

/** Milliseconds to wait before the answer goes out. `fraction` returns numbers from 0 to 1 for this hit. */
export function computeDelayMs(delay: Delay, fraction: (part: number) => number): number {
  if (typeof delay === "string") return parseDuration(delay);
  if ("uniform" in delay) {
    const [one, other] = delay.uniform.map(parseDuration);
    const [from, to] = [Math.min(one ?? 0, other ?? 0), Math.max(one ?? 0, other ?? 0)];
    return Math.round(from + (to - from) * fraction(1));
  }
  if ("lognormal" in delay) {
    const { median, sigma, max } = delay.lognormal;
    const drawn = parseDuration(median) * Math.exp(sigma * sampleNormal(fraction));
    return Math.round(Math.min(drawn, parseDuration(max)));
  }
  return 0;
}

/** A dribble does not wait: it stretches the sending of the body. */
export function toDribble(delay: Delay | undefined): Fault | undefined {
  if (typeof delay !== "object" || !("dribble" in delay)) return undefined;
  return { kind: "dribble", chunks: delay.dribble.chunks, overMs: parseDuration(delay.dribble.over) };
}

/** A normally distributed number (Box and Muller). */
function sampleNormal(fraction: (part: number) => number): number {
  return Math.sqrt(-2 * Math.log(1 - fraction(1))) * Math.cos(2 * Math.PI * fraction(2));
}
