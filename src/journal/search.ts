/** What a matcher finds among exchanges: those that match, those that cannot be judged, and the nearest others. */

import { readFields } from "../errors/arguments.ts";
import { UsageError } from "../errors/usage-error.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Service } from "../operation/service.ts";
import type { Matcher } from "../rules/grammar.ts";
import { compare, decide, describeWait } from "../rules/judge.ts";
import type { PartName } from "../rules/matcher.ts";
import { redactMessages } from "./recorded-exchange.ts";
import type { RedactionMarks } from "./redaction.ts";

/** An exchange that nearly matches; `differs` lists where it does not. */
export type NearMiss = {
  readonly seq: number;
  readonly operation: string;
  readonly differs: readonly string[];
};

/** An exchange of which it is not known whether it matches, and why. */
export type UndecidedMatch = { readonly seq: number; readonly why: string };

export type SearchResult = {
  readonly found: number;
  /** Those of the found that are open: `#2 waits: delay 700 ms, rule use-1`. */
  readonly open: readonly string[];
  readonly undecided: readonly UndecidedMatch[];
  /** How many of the undecided are open: they will be known. */
  readonly openUndecided: number;
};

/** A part of a list of exchanges. */
export type JournalSlice = {
  /** The newest so many of them, from 1. Default: all. */
  readonly limit?: number | undefined;
  /** Those with a smaller number. */
  readonly before?: number | undefined;
};

const MAX_NEAR_MISSES = 3;
/** An exchange of another operation is farther away than one of the same with another content. */
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

/** The exchanges closest to the matcher that differ from it, and where; the nearest first. */
export function findNearest(
  exchanges: readonly Exchange[],
  matcher: Matcher,
  services: readonly Service[],
  marks: RedactionMarks,
): readonly NearMiss[] {
  const asked = Object.values(matcher).filter((value) => value !== undefined).length;
  return exchanges
    .map((exchange) => ({ exchange, ...compare(matcher, exchange, services) }))
    .filter(
      ({ exchange, parts }) => (parts.length > 0 && parts.length < asked) || isMeantFor(exchange, matcher),
    )
    .map((one) => ({ ...one, far: one.parts.filter((part) => TARGET_PARTS.includes(part)).length }))
    .sort(
      (one, other) =>
        one.far - other.far ||
        one.differs.length - other.differs.length ||
        other.exchange.seq - one.exchange.seq,
    )
    .slice(0, MAX_NEAR_MISSES)
    .map(({ exchange, differs }) => ({
      seq: exchange.seq,
      operation: exchange.operation ?? `${exchange.method} ${exchange.path}`,
      differs: redactMessages(exchange, differs, marks),
    }));
}

/** ` Nearest: #1 museum.listSpecialEvents: status is 400, not 200.` */
export function describeNearMiss({ seq, operation, differs }: NearMiss): string {
  return ` Nearest: #${seq} ${operation}: ${differs.join("; ")}.`;
}

/** Whether a request that met no operation came closest to one that the matcher names. */
function isMeantFor({ findings }: Exchange, { operation }: Matcher): boolean {
  const wanted = [operation ?? []].flat();
  return findings.some(
    ({ key, message }) => key === "nearMiss" && wanted.some((name) => message.includes(`${name},`)),
  );
}

/** Throws a UsageError for a limit that names no part. */
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
