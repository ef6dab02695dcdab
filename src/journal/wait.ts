/** Waiting for an exchange: one that has ended already, or the next that does. */

import { describe, type Matcher } from "../rules/matcher.ts";
import { parseWithin } from "../world/time.ts";
import { UsageError } from "../world/usage-error.ts";
import type { Journal } from "./journal.ts";
import type { RecordedExchange } from "./recorded-exchange.ts";
import { describeNearMiss } from "./search.ts";

/** `within` is a duration of wall time; `signal` is aborted when whoever waits has gone. */
export type Patience = { readonly within?: string | undefined; readonly signal?: AbortSignal | undefined };

/**
 * The first matching exchange, including one that has already ended; `after` excludes earlier ones. `within` is 5 s by
 * default; then it rejects with a UsageError (`timedOut`) that names the nearest exchanges.
 */
export async function waitForExchange(
  journal: Pick<Journal, "read" | "find" | "another" | "nearest">,
  given: Matcher,
  { within = "5s", signal }: Patience = {},
): Promise<RecordedExchange> {
  const limitMs = parseWithin(within);
  const matcher = journal.read(given);
  const seen = journal.find(matcher) ?? (await journal.another(matcher, limitMs, signal));
  if (seen !== undefined) return seen;
  const near = journal.nearest(matcher).map(describeNearMiss).join("");
  throw new UsageError("timedOut", `No exchange with ${describe(matcher)} ended within ${within}.${near}`);
}
