/** Finds exchanges that match a matcher, nearly match it, or are undecided because data to compare is missing. */

import { readFields } from "../errors/arguments.ts";
import { UsageError } from "../errors/usage-error.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Service } from "../operation/service.ts";
import type { Matcher } from "../rules/grammar.ts";
import { compare, decide, describeWait } from "../rules/judge.ts";
import type { PartName } from "../rules/matcher.ts";
import { redactMessages } from "./recorded-exchange.ts";
import type { RedactionMarks } from "./redaction.ts";

export type NearMiss = {
  readonly seq: number;
  readonly operation: string;
  readonly differs: readonly string[];
};

/** An exchange that may match, with the reason why this is undecided. */
export type UndecidedMatch = { readonly seq: number; readonly why: string };

export type SearchResult = {
  readonly found: number;
  /** Matching exchanges that are still open, such as `#2 waits: delay 700 ms, rule use-1`. */
  readonly open: readonly string[];
  readonly undecided: readonly UndecidedMatch[];
  /** Number of undecided exchanges that are still open. Most of them are decided when they end. */
  readonly openUndecided: number;
};

/** A page of a list of exchanges. */
export type JournalSlice = {
  /** Maximum number of exchanges, at least 1. Selects the newest. Default: all. */
  readonly limit?: number | undefined;
  /** Only exchanges with a `seq` below this number. */
  readonly before?: number | undefined;
};

const MAX_NEAR_MISSES = 3;
/** Fields of a matcher that select the target of a request. Near misses that differ in these fields rank last. */
const TARGET_PARTS: readonly PartName[] = ["operation", "service", "environment", "method", "path"];

export function searchExchanges(
  exchanges: readonly Exchange[],
  matcher: Matcher,
  services: readonly Service[],
): SearchResult {
  const undecided: UndecidedMatch[] = [];
  const open: string[] = [];
  let found = 0;
  let openUndecided = 0;
  for (const exchange of exchanges) {
    const decision = decide(matcher, exchange, services);
    if (decision === "matches") found += 1;
    if (decision === "matches" && exchange.state === "open")
      open.push(`#${exchange.seq} ${describeWait(exchange)}`);
    if (decision !== "undecided") continue;
    if (exchange.state === "open") openUndecided += 1;
    const why = compare(matcher, exchange, services).undecided.join("; ");
    undecided.push({ seq: exchange.seq, why });
  }
  return { found, open, undecided, openUndecided };
}

/** Finds up to three exchanges that match only in part, nearest first, with their differences. */
export function findNearest(
  exchanges: readonly Exchange[],
  matcher: Matcher,
  services: readonly Service[],
  marks: RedactionMarks,
): readonly NearMiss[] {
  const partCount = Object.values(matcher).filter((value) => value !== undefined).length;
  return exchanges
    .map((exchange) => ({ exchange, ...compare(matcher, exchange, services) }))
    .filter(
      ({ exchange, parts }) =>
        (parts.length > 0 && parts.length < partCount) || isMeantFor(exchange, matcher),
    )
    .map((near) => ({ ...near, far: near.parts.filter((part) => TARGET_PARTS.includes(part)).length }))
    .sort(
      (left, right) =>
        left.far - right.far ||
        left.differs.length - right.differs.length ||
        right.exchange.seq - left.exchange.seq,
    )
    .slice(0, MAX_NEAR_MISSES)
    .map(({ exchange, differs }) => ({
      seq: exchange.seq,
      operation: exchange.operation ?? `${exchange.method} ${exchange.path}`,
      differs: redactMessages(exchange, differs, marks),
    }));
}

/** Example: ` Nearest: #1 museum.listSpecialEvents: status is 400, not 200.` */
export function describeNearMiss({ seq, operation, differs }: NearMiss): string {
  return ` Nearest: #${seq} ${operation}: ${differs.join("; ")}.`;
}

/** Whether the request matched no operation, but one of the matcher's operations is among the nearest. */
function isMeantFor({ findings }: Exchange, { operation }: Matcher): boolean {
  const wanted = [operation ?? []].flat();
  return findings.some(
    ({ key, message }) => key === "nearMiss" && wanted.some((name) => message.includes(`${name},`)),
  );
}

export function selectSlice<T extends { readonly exchange: Exchange }>(
  list: readonly T[],
  slice: JournalSlice,
): readonly T[] {
  const { limit, before = Number.POSITIVE_INFINITY } = readFields(slice, ["limit", "before"]);
  const message = `limit must be a whole number from 1, not ${limit}.`;
  if (limit !== undefined && (!Number.isSafeInteger(limit) || limit < 1))
    throw new UsageError("badOption", message, { pointer: "/limit" });
  const earlier = list.filter(({ exchange }) => exchange.seq < before);
  return limit === undefined ? earlier : earlier.slice(-limit);
}
