/** Schema of `limit` in a rule, and the check whether the rule applies. Synchronous, so that it counts parallel requests exactly. */

import { z } from "zod";
import { quote } from "../errors/quote.ts";
import { toRefinement } from "../operation/checks.ts";
import { once } from "../world/lazy.ts";
import { parseOffset, parseTimestamp, type Timestamp, toIso } from "../world/time.ts";
import { instant, isOffset } from "./primitives.ts";

export const Limit = once(() =>
  z
    .strictObject({
      after: z.int().min(0).optional().describe("Number of matching requests to skip first."),
      times: z.int().min(1).optional().describe("Maximum number of times that the rule applies."),
      every: z.int().min(1).optional().describe("Applies the rule to every nth matching request."),
      chance: z.number().min(0).max(1).optional().describe("Probability for each match. The seed decides."),
      from: instant
        .optional()
        .describe("Start, in simulated time. `+10m`: 10 minutes after you add the rule."),
      until: instant.optional().describe("End of the time window (excluded), in simulated time."),
      per: z.enum(["user", "world"]).optional().describe("Counts for each user, or for the world (default)."),
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

/** Whether `until` is after `from`. Returns true for a time and an offset, because they cannot be compared. */
function isValidWindow(from: string, until: string): boolean {
  if (isOffset(from) !== isOffset(until)) return true;
  const read = isOffset(from) ? parseOffset : parseTimestamp;
  try {
    return read(from) < read(until);
  } catch {
    return true; // The schema of `from` and `until` reports invalid text.
  }
}

/** How often a rule matched in its time window (`from` to `until`), and how often it applied (`acted`). */
export type RuleCount = { readonly matched: number; readonly acted: number };
export const NO_COUNT: RuleCount = { matched: 0, acted: 0 };

type LimitContext = {
  readonly now: Timestamp;
  /** When the rule was added. Offsets such as `+10m` count from this time. */
  readonly since: Timestamp;
  /** Returns the random number, from 0 to 1, of the nth match. It depends only on seed, rule, caller and n. */
  readonly fraction: (hit: number) => number;
};

/** Decides whether the rule applies to the next request that it matches. Returns the reason (`why`) and the new count. */
export function applyLimit(limit: Limit, count: RuleCount, { now, since, fraction }: LimitContext) {
  const skip = (why: string, next = count) => ({ acts: false, why, count: next });
  if (limit.from !== undefined && now < resolveTimestamp(limit.from, since))
    return skip(`before its window, which opens at ${toIso(resolveTimestamp(limit.from, since))}`);
  if (limit.until !== undefined && now >= resolveTimestamp(limit.until, since))
    return skip(`after its window, which closed at ${toIso(resolveTimestamp(limit.until, since))}`);
  const { times, after = 0, every = 1, chance = 1 } = limit;
  if (times !== undefined && count.acted >= times) return skip(`used up after ${times}`);
  const matched = count.matched + 1;
  const seen = { matched, acted: count.acted };
  if (matched <= after) return skip(`match ${matched}, but the first ${after} are skipped`, seen);
  if ((matched - after) % every !== 0) return skip(`match ${matched}, but applies once in ${every}`, seen);
  if (chance < 1 && fraction(matched) >= chance) return skip(`random skip, chance ${chance}`, seen);
  return { acts: true, why: `match ${matched}`, count: { matched, acted: count.acted + 1 } };
}

/** Whether the rule can no longer apply. Ignores `times` with `per: "user"`, because another user may still send a request. */
export function isUsedUp(limit: Limit, acted: number, now: Timestamp, since: Timestamp): boolean {
  const { times, until, per } = limit;
  if (until !== undefined && now >= resolveTimestamp(until, since)) return true;
  return times !== undefined && per !== "user" && acted >= times;
}

function resolveTimestamp(text: string, since: Timestamp): Timestamp {
  return isOffset(text) ? since + parseOffset(text) : parseTimestamp(text);
}
