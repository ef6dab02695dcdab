/** `limit`: its grammar, and how often a rule acts. Counting is pure and synchronous, so exact in parallel, too. */

import { z } from "zod";
import { quote } from "../errors/quote.ts";
import { toRefinement } from "../operation/checks.ts";
import { once } from "../world/lazy.ts";
import { parseOffset, parseTimestamp, type Timestamp, toIso } from "../world/time.ts";
import { instant, isOffset } from "./primitives.ts";

export const Limit = once(() =>
  z
    .strictObject({
      after: z.int().min(0).optional().describe("So many matches pass first."),
      times: z.int().min(1).optional().describe("It acts so often, then steps aside."),
      every: z.int().min(1).optional().describe("It acts on each nth match."),
      chance: z.number().min(0).max(1).optional().describe("Drawn from the seed, per match."),
      from: instant.optional().describe("Simulated time, included; `+10m` counts from when the rule came."),
      until: instant.optional().describe("Simulated time, excluded."),
      per: z.enum(["user", "world"]).optional().describe("Counted for each caller apart, or for all."),
    })
    .superRefine(
      toRefinement(({ from, until }) => {
        if (from === undefined || until === undefined || isValidWindow(from, until)) return [];
        const message = `The window closes before it opens: until must come after from, not ${quote(until)}.`;
        return [{ path: ["until"], message }];
      }),
    ),
);
export type Limit = z.output<ReturnType<typeof Limit>>;

/** False for two instants, or two offsets, of which the second is not after the first. */
function isValidWindow(from: string, until: string): boolean {
  if (isOffset(from) !== isOffset(until)) return true;
  const read = isOffset(from) ? parseOffset : parseTimestamp;
  try {
    return read(from) < read(until);
  } catch {
    return true; // a text that is neither is refused by itself
  }
}

/** How often a rule matched inside its window, and how often it acted. */
export type RuleCount = { readonly matched: number; readonly acted: number };
export const NO_COUNT: RuleCount = { matched: 0, acted: 0 };

type LimitContext = {
  readonly now: Timestamp;
  /** When the rule came into force: what `+10m` counts from. */
  readonly since: Timestamp;
  /** From 0 to 1 for the nth match: always the same for the same seed, rule and n. */
  readonly fraction: (hit: number) => number;
};

/** Whether the rule acts on one more match; `why` is the reason in a few words. */
export function applyLimit(limit: Limit, count: RuleCount, { now, since, fraction }: LimitContext) {
  const aside = (why: string, next = count) => ({ acts: false, why, count: next });
  if (limit.from !== undefined && now < resolveTimestamp(limit.from, since))
    return aside(`before its window, which opens at ${toIso(resolveTimestamp(limit.from, since))}`);
  if (limit.until !== undefined && now >= resolveTimestamp(limit.until, since))
    return aside(`after its window, which closed at ${toIso(resolveTimestamp(limit.until, since))}`);
  const { times, after = 0, every = 1, chance = 1 } = limit;
  if (times !== undefined && count.acted >= times) return aside(`used up after ${times}`);
  const matched = count.matched + 1;
  const seen = { matched, acted: count.acted };
  if (matched <= after) return aside(`match ${matched} of the ${after} that pass first`, seen);
  if ((matched - after) % every !== 0) return aside(`match ${matched}, it acts once in ${every}`, seen);
  if (chance < 1 && fraction(matched) >= chance) return aside(`lost its draw of ${chance}`, seen);
  return { acts: true, why: `match ${matched}`, count: { matched, acted: count.acted + 1 } };
}

/** Whether a rule that has acted so often never acts again. Where callers are counted apart, there may be others. */
export function isUsedUp(limit: Limit, acted: number, now: Timestamp, since: Timestamp): boolean {
  const { times, until, per } = limit;
  if (until !== undefined && now >= resolveTimestamp(until, since)) return true;
  return times !== undefined && per !== "user" && acted >= times;
}

function resolveTimestamp(text: string, since: Timestamp): Timestamp {
  return isOffset(text) ? since + parseOffset(text) : parseTimestamp(text);
}
