/** Checks expectations about the journal, and builds the report of a test. Results are uncertain if dropped exchanges may match. */

import { readFields } from "../errors/arguments.ts";
import { quote } from "../errors/quote.ts";
import { UsageError } from "../errors/usage-error.ts";
import type { ExpectSeverity, SandboxExpectations } from "../rules/active-rules.ts";
import type { WaitingRequest } from "../rules/gates.ts";
import type { Matcher } from "../rules/grammar.ts";
import { describeMatcher } from "../rules/matcher.ts";
import { readWaitOptions, type WaitForOptions } from "../world/listeners.ts";
import { parseTimeout } from "../world/time.ts";
import { describeExchange } from "./describe-capsule.ts";
import type { Journal } from "./journal.ts";
import { toMatcher } from "./read-matcher.ts";
import type { RecordedExchange } from "./recorded-exchange.ts";
import { describeNearMiss, type NearMiss, type SearchResult, type UndecidedMatch } from "./search.ts";
import { isUnmatched } from "./unmatched.ts";

/** Number of matches: an exact count, or inclusive bounds. Defaults: `min` 0, `max` unlimited. */
export type Times = number | { readonly min?: number | undefined; readonly max?: number | undefined };

/**
 * A matcher and the number of exchanges that must match. `times` defaults to `{ min: 1 }`. `within` is a wall-clock
 * timeout: verification waits until `min` is reached. With `min` 0 it waits the full time, or until `max` is exceeded.
 * Without `within`, it waits up to 50 ms for open exchanges that may change the result.
 */
export type JournalExpectation = Matcher & {
  readonly times?: Times | undefined;
  readonly within?: string | number | undefined;
};

export type Verification = {
  readonly ok: boolean;
  readonly found: number;
  /** Exchanges that may match, each with the reason. Empty if the result is certain. */
  readonly undecided: readonly UndecidedMatch[];
  /** Number of dropped exchanges that may have matched. 0 if the result is certain. */
  readonly evicted: number;
  /** Describes the result, with the nearest exchanges if the expectation failed. */
  readonly message: string;
  readonly nearest: readonly NearMiss[];
};

/** Default time to wait for open exchanges, in ms. An exchange ends within this time after its client has disconnected. */
const GRACE_MS = 50;

type CountBounds = ReturnType<typeof toBounds>;

type SearchableJournal = Pick<
  Journal,
  "now" | "read" | "search" | "hasChanged" | "evictedPossibly" | "nearest"
>;

/** Abort `signal` to stop waiting, for example when the HTTP client disconnects. */
export async function verifyJournal(
  journal: SearchableJournal,
  expectation: JournalExpectation | string,
  signal?: AbortSignal,
): Promise<Verification> {
  const { times, within, ...given } = toMatcher<JournalExpectation>(expectation);
  const bounds = toBounds(times);
  const limitMs = within === undefined ? undefined : parseTimeout(within);
  const { min, max } = bounds;
  const matcher = journal.read(given);
  const result = await searchUntil(
    () => journal.search(matcher),
    ({ found, openUndecided }) => {
      const possible = found + openUndecided;
      const isMet = found >= min && possible <= max;
      return found > max || (limitMs === undefined ? isMet || possible < min : isMet && min > 0);
    },
    { journal, matcher, limitMs: limitMs ?? GRACE_MS, signal },
  );
  return judge(journal, matcher, bounds, result);
}

type SearchOptions = {
  readonly journal: Pick<Journal, "now" | "hasChanged">;
  readonly matcher: Matcher;
  readonly limitMs: number;
  readonly signal: AbortSignal | undefined;
};

/** Repeats the search after each change that `hasChanged` reports, until `isDone` returns true or the time limit passes. */
async function searchUntil<T>(
  search: () => T,
  isDone: (result: T) => boolean,
  { journal, matcher, limitMs, signal }: SearchOptions,
): Promise<T> {
  const deadline = journal.now() + limitMs;
  for (;;) {
    const result = search();
    if (isDone(result)) return result;
    const leftMs = deadline - journal.now();
    if (leftMs <= 0 || !(await journal.hasChanged(matcher, leftMs, signal))) return search();
  }
}

function judge(
  journal: SearchableJournal,
  matcher: Matcher,
  bounds: CountBounds,
  { found, open, undecided }: SearchResult,
): Verification {
  const { min, max } = bounds;
  const dropped = journal.evictedPossibly(matcher);
  const possible = found + undecided.length + dropped;
  const ok = found >= min && possible <= max;
  const certain = ok || found > max || possible < min;
  const nearest = ok ? [] : journal.nearest(matcher);
  const still = ok || open.length === 0 ? "" : `, still open: ${open.join("; ")}`;
  const result = `${describeMatcher(matcher)}: expected ${describeBounds(bounds)}, found ${found}${still}`;
  if (certain) {
    const message = `${result}.${nearest.map(describeNearMiss).join("")}`;
    return { ok, found, undecided: [], evicted: 0, message, nearest };
  }
  const message = `${result}, but ${describeUndecided(undecided, dropped)}`;
  return { ok, found, undecided, evicted: dropped, message, nearest };
}

const MAX_NAMED = 5;

function describeUndecided(undecided: readonly UndecidedMatch[], dropped: number): string {
  const named = undecided.slice(0, MAX_NAMED).map(({ seq, why }) => `#${seq} may match: ${why}`);
  const more = undecided.length - named.length;
  if (more > 0) named.push(`and ${more} more`);
  const evicted = `evicted: ${dropped} of the oldest exchanges, which the journal dropped, may have matched. Verify earlier, or clear the journal before the requests to verify`;
  return `${[...named, ...(dropped > 0 ? [evicted] : [])].join("; ")}.`;
}

function toBounds(times: Times = { min: 1 }) {
  const { min = 0, max = Number.POSITIVE_INFINITY } =
    typeof times === "number" ? { min: times, max: times } : readFields(times, ["min", "max"], "times");
  const whole = Number.isSafeInteger(min) && (max === Number.POSITIVE_INFINITY || Number.isSafeInteger(max));
  if (!whole || min < 0 || max < min)
    throw new UsageError(
      "badOption",
      `times is ${quote(times)}. Write a whole number from 0, or { "min", "max" } with min not above max.`,
    );
  return { min, max };
}

function describeBounds({ min, max }: CountBounds): string {
  if (min === max) return `exactly ${min}`;
  if (max === Number.POSITIVE_INFINITY) return `at least ${min}`;
  return min === 0 ? `at most ${max}` : `${min} to ${max}`;
}

export function assertVerified(verification: Verification): Verification {
  if (verification.ok) return verification;
  throw new UsageError("notVerified", verification.message);
}

export type SandboxReport = {
  readonly ok: boolean;
  readonly failures: readonly string[];
  readonly warnings: readonly string[];
};

/** Lists unmatched requests, unused rules, failed mutations, gates with waiting requests, open requests and internal errors. */
export function buildReport(parts: {
  readonly journal: Pick<Journal, "suspicious" | "evicted" | "list">;
  readonly unusedRules: readonly string[];
  readonly waiting: readonly WaitingRequest[];
  readonly expect: SandboxExpectations;
}): SandboxReport {
  const { journal, unusedRules, waiting, expect } = parts;
  const failures: string[] = [];
  const warnings: string[] = [];
  const note = (severity: ExpectSeverity, message: string): void => {
    if (severity === "fail") failures.push(message);
    if (severity === "warn") warnings.push(message);
  };
  for (const exchange of journal.suspicious(["defect", "mutationMissed"])) {
    const request = `#${exchange.seq} ${exchange.method} ${exchange.path}`;
    const noted = (wanted: string) => exchange.findings.find(({ key }) => key === wanted)?.message;
    const defect = noted("defect")?.split("\n", 1)[0];
    if (defect !== undefined) note("fail", `${request}: internal error of the sandbox: ${defect}`);
    const missed = noted("mutationMissed");
    if (missed !== undefined) note("warn", `${request}: ${missed}`);
    if (isUnmatched(exchange))
      note(expect.unmatched ?? "fail", `${request} matches no operation. ${noted("nearMiss") ?? ""}`.trim());
  }
  for (const rule of unusedRules)
    note(expect.unusedRules ?? "warn", `The rule ${JSON.stringify(rule)} was never applied.`);
  for (const gate of new Set(waiting.map((request) => request.gate)))
    note("fail", `Requests still wait at the gate ${JSON.stringify(gate)}.`);
  const atGates = new Set(waiting.map(({ exchange }) => exchange));
  for (const exchange of journal.list({ state: "open" }))
    if (!atGates.has(exchange.seq)) note("warn", `Still open: ${describeExchange(exchange)}.`);
  if (journal.evicted > 0)
    warnings.push(
      `evicted: ${journal.evicted} of the oldest exchanges were dropped and are not part of this report.`,
    );
  return { ok: failures.length === 0, failures, warnings };
}

export function assertPassed(report: SandboxReport): SandboxReport {
  if (report.ok) return report;
  throw new UsageError("notVerified", report.failures.join(" "));
}

export async function waitForExchange(
  journal: Pick<Journal, "read" | "find" | "another" | "nearest">,
  wanted: Matcher | string,
  options?: WaitForOptions,
): Promise<RecordedExchange> {
  const { limitMs, within, signal } = readWaitOptions(options, "5s");
  const given = toMatcher(wanted);
  const matcher = journal.read({ state: "ended", ...given });
  const seen = journal.find(matcher) ?? (await journal.another(matcher, limitMs, signal));
  if (seen !== undefined) return seen;
  const near = journal.nearest(matcher).map(describeNearMiss).join("");
  const { state = "ended", ...rest } = given;
  const verb = state === "ended" ? "ended" : "was open";
  const message = `No exchange with ${describeMatcher(rest)} ${verb} within ${within}.${near}`;
  throw new UsageError("timedOut", message);
}

export async function waitUntilIdle(
  journal: Pick<Journal, "now" | "list" | "hasChanged">,
  options?: WaitForOptions,
): Promise<void> {
  const { limitMs, within, signal } = readWaitOptions(options, "5s");
  const open = await searchUntil(
    () => journal.list({ state: "open" }),
    ({ length }) => length === 0,
    { journal, matcher: {}, limitMs, signal },
  );
  if (open.length > 0)
    throw new UsageError("timedOut", `Still open after ${within}: ${open.map(describeExchange).join("; ")}.`);
}
