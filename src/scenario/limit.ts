// Owns how often a rule acts: counting that is pure and synchronous, so that it is exact whatever runs in parallel.

import { type Instant, parseInstant, parseOffset, toIso } from "../world/time.ts";
import type { Limit } from "./schema.ts";

/** How often a rule matched inside its window, and how often it acted. */
export type Count = { readonly matched: number; readonly acted: number };
export const NO_COUNT: Count = { matched: 0, acted: 0 };

export type Moment = {
  readonly now: Instant;
  /** When the rule came into force: what `+10m` counts from. */
  readonly since: Instant;
  /** From 0 to 1 for the nth match: always the same for the same seed, rule and n. */
  readonly fraction: (hit: number) => number;
};

/** Whether the rule acts on one more match; `why` tells it in a few words. */
export type Draw = { readonly acts: boolean; readonly why: string; readonly count: Count };

export function draw(limit: Limit, count: Count, { now, since, fraction }: Moment): Draw {
  const aside = (why: string, next = count): Draw => ({ acts: false, why, count: next });
  if (limit.from !== undefined && now < instantOf(limit.from, since))
    return aside(`before its window, which opens at ${toIso(instantOf(limit.from, since))}`);
  if (limit.until !== undefined && now >= instantOf(limit.until, since))
    return aside(`after its window, which closed at ${toIso(instantOf(limit.until, since))}`);
  const { times, after = 0, every = 1, chance = 1 } = limit;
  if (times !== undefined && count.acted >= times) return aside(`used up after ${times}`);
  const matched = count.matched + 1;
  const seen = { matched, acted: count.acted };
  if (matched <= after) return aside(`match ${matched} of the ${after} that pass first`, seen);
  if ((matched - after) % every !== 0) return aside(`match ${matched}, it acts once in ${every}`, seen);
  if (chance < 1 && fraction(matched) >= chance) return aside(`lost its draw of ${chance}`, seen);
  return { acts: true, why: `match ${matched}`, count: { matched, acted: count.acted + 1 } };
}

function instantOf(text: string, since: Instant): Instant {
  return /^[+-]/.test(text) ? since + parseOffset(text) : parseInstant(text);
}
