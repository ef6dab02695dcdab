/** Compares exchanges with journal queries. Undecided: bodies that were not stored whole, and parts that an open exchange lacks. */

import type { Service } from "../operation/service.ts";
import type { Matcher } from "./grammar.ts";
import {
  comparePart,
  type Matchable,
  NO_DIFFERENCES,
  PART_NAMES,
  type PartName,
  type Verdict,
} from "./matcher.ts";

/** An exchange matches if `differs` and `undecided` are empty. */
export type Comparison = {
  /** Names of the matcher's parts that do not match. */
  readonly parts: readonly PartName[];
  /** Differences by field: `body.price is 5, not 1`. */
  readonly differs: readonly string[];
  /** Reasons why parts cannot be compared: `its status is not known yet: it is open`. */
  readonly undecided: readonly string[];
};

/** Lists all differences, for messages. `decide` is faster: it stops at the first difference. */
export function compare(matcher: Matcher, exchange: Matchable, services: readonly Service[]): Comparison {
  const parts: PartName[] = [];
  const differs: string[] = [];
  const undecided: string[] = [];
  for (const name of PART_NAMES) {
    const verdict = judgePart(name, matcher, exchange, services);
    if ("undecided" in verdict) undecided.push(verdict.undecided);
    else if (verdict.length > 0) {
      parts.push(name);
      differs.push(...verdict);
    }
  }
  return { parts, differs, undecided };
}

export type MatchDecision = "matches" | "differs" | "undecided";

export function decide(matcher: Matcher, exchange: Matchable, services: readonly Service[]): MatchDecision {
  let decision: MatchDecision = "matches";
  for (const name of PART_NAMES) {
    const verdict = judgePart(name, matcher, exchange, services);
    if ("undecided" in verdict) decision = "undecided";
    else if (verdict.length > 0) return "differs";
  }
  return decision;
}

/** Parts that may change while an exchange is open. Each function returns whether the verdict on its part is final. */
const KNOWN_OF_OPEN: { readonly [K in PartName]?: (exchange: Matchable, verdict: Verdict) => boolean } = {
  user: ({ user }) => user !== undefined,
  body: ({ requestText }) => requestText !== undefined,
  status: ({ fault }) => fault !== undefined,
  problem: ({ fault }) => fault !== undefined,
  fault: ({ fault }) => fault !== undefined,
  gone: () => false,
  rule: (_exchange, verdict) => fits(verdict),
  finding: (_exchange, verdict) => fits(verdict),
  text: (_exchange, verdict) => fits(verdict),
};

function fits(verdict: Verdict): boolean {
  return !("undecided" in verdict) && verdict.length === 0;
}

function judgePart(
  name: PartName,
  matcher: Matcher,
  exchange: Matchable,
  services: readonly Service[],
): Verdict {
  if (matcher[name] === undefined) return NO_DIFFERENCES;
  const verdict = comparePart(name, matcher, exchange, services);
  const isKnown = exchange.state === "open" ? KNOWN_OF_OPEN[name] : undefined;
  if (isKnown === undefined || isKnown(exchange, verdict)) return verdict;
  return { undecided: `its ${name} is not known yet: it ${describeWait(exchange)}` };
}

/** Describes an open exchange in messages: `waits: delay 700 ms, rule use-1`, or `is open`. */
export function describeWait({ waits }: Pick<Matchable, "waits">): string {
  return waits === undefined ? "is open" : `waits: ${waits}`;
}
