// The wall time of a simulation, on which nothing may depend.

import type { WallClock } from "../../src/world/clock.ts";

/** Where the sandbox's clock stands at first; and the wall, unless it is another on purpose. */
export const START = "2026-03-01T09:00:00.000Z";

/** It goes on by so much whenever somebody looks. Nobody waits for it. */
export function wallAt(iso: string, tickMs: number): WallClock {
  let now = Date.parse(iso);
  return {
    now() {
      now += tickMs;
      return now;
    },
    pause: () => new Promise(() => {}),
  };
}
