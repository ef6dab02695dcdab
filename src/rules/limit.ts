/** `limit` of a rule: its schema, and the decision whether the rule applies. Synchronous, so that counts are exact. */

import { z } from "zod";
import { quote } from "../errors/quote.ts";
import { toRefinement } from "../operation/checks.ts";
import { once } from "../world/lazy.ts";
import { parseOffset, parseTimestamp, type Timestamp, toIso } from "../world/time.ts";
import { instant, isOffset } from "./primitives.ts";

export const Limit = once(() =>
  z
    .strictObject({
      after: z.int().min(0).optional().describe("Number of matches to skip first."),
      times: z.int().min(1).optional().describe("Maximum number of times that the rule applies."),
      every: z.int().min(1).optional().describe("Applies to every nth match."),
      chance: z.number().min(0).max(1).optional().describe("Probability for each match, from the seed."),
      from: instant
        .optional()
        .describe("Start in simulated time; `+10m` counts from when the rule is added."),
      until: instant.optional().describe("End in simulated time, excluded."),
      per: z.enum(["user", "world"]).optional().describe("Counts for each caller, or for all together."),
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

/** Whether `until` is after `from`. A time and an offset cannot be compared: then true. */
function isValidWindow(from: string, until: string): boolean {
  if (isOffset(from) !== isOffset(until)) return true;
  const read = isOffset(from) ? parseOffset : parseTimestamp;
  try {
    return read(from) < read(until);
  } catch {
    return true; // The schema of the field reports invalid text.
  }
}

/** How often a rule matched in its time window (`from` to `until`), and how often it applied (`acted`). */
export type RuleCount = { readonly matched: number; readonly acted: number };
export const NO_COUNT: RuleCount = { matched: 0, acted: 0 };

type LimitContext = {
  readonly now: Timestamp;
  /** When the rule was added. Offsets such as `+10m` count from this time. */
  readonly since: Timestamp;
  /** Returns a number from 0 to 1 for the nth match, which depends only on seed, rule and n. */
  readonly fraction: (hit: number) => number;
};

/** Decides whether the rule applies to one more match. `why` is a short reason. */
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
  if (matched <= after) return skip(`match ${matched} of the ${after} that pass first`, seen);
  if ((matched - after) % every !== 0) return skip(`match ${matched}, it acts once in ${every}`, seen);
  if (chance < 1 && fraction(matched) >= chance) return skip(`lost its draw of ${chance}`, seen);
  return { acts: true, why: `match ${matched}`, count: { matched, acted: count.acted + 1 } };
}

/** Whether the rule can no longer apply. `times` does not count with `per: "user"`, because other users may follow. */
export function isUsedUp(limit: Limit, acted: number, now: Timestamp, since: Timestamp): boolean {
  const { times, until, per } = limit;
  if (until !== undefined && now >= resolveTimestamp(until, since)) return true;
  return times !== undefined && per !== "user" && acted >= times;
}

function resolveTimestamp(text: string, since: Timestamp): Timestamp {
  return isOffset(text) ? since + parseOffset(text) : parseTimestamp(text);
}
