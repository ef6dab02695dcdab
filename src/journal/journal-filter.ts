/**
 * Queries on a journal: the parts of a filter, whether an exchange matches it and, if not, where it differs.
 * A misspelt filter is refused: it would otherwise find nothing, and look like a result.
 */

import type { Exchange } from "../operation/exchange.ts";
import { matchesGlob } from "../rules/pattern.ts";
import { hasName } from "../rules/when.ts";
import { nearestName, unknownName } from "../world/nearest.ts";
import { parseInstant, toIso } from "../world/time.ts";
import { UsageError } from "../world/usage-error.ts";

export type JournalFilter = {
  /** A name, or several; `*` matches any part: `account.list*`. */
  readonly operation?: string | readonly string[] | undefined;
  readonly service?: string | undefined;
  /** The key of an environment: `accountSandbox`. */
  readonly environment?: string | undefined;
  readonly status?: number | undefined;
  readonly method?: string | undefined;
  /** Within the service, as sent, without query. */
  readonly path?: string | undefined;
  /** The key of the problem that was answered. */
  readonly problem?: string | undefined;
  readonly identity?: string | undefined;
  /** The id of a rule that was applied. */
  readonly rule?: string | undefined;
  /** The key of a finding that was noted: `unknownField`. */
  readonly finding?: string | undefined;
  /** Only exchanges after this number. */
  readonly after?: number | undefined;
  /** Only exchanges at or after this instant of the sandbox's clock, ISO 8601. */
  readonly since?: string | Date | undefined;
  /** Only exchanges before this instant. */
  readonly until?: string | Date | undefined;
};

type Key = keyof JournalFilter;
type Criterion<K extends Key> = {
  readonly fits: (exchange: Exchange, wanted: NonNullable<JournalFilter[K]>) => boolean;
  /** What the exchange has instead. */
  readonly actual: (exchange: Exchange) => unknown;
};

const same = <K extends Key & keyof Exchange>(key: K): Criterion<K> => ({
  fits: (exchange, wanted) => exchange[key] === wanted,
  actual: (exchange) => exchange[key],
});

const CRITERIA: { readonly [K in Key]-?: Criterion<K> } = {
  operation: {
    fits: (exchange, wanted) => hasName(exchange.operation ?? "", wanted),
    actual: ({ operation }) => operation,
  },
  service: same("service"),
  environment: same("environment"),
  status: same("status"),
  method: {
    fits: (exchange, wanted) => exchange.method === wanted.toUpperCase(),
    actual: ({ method }) => method,
  },
  path: same("path"),
  problem: same("problem"),
  identity: same("identity"),
  rule: {
    fits: ({ rules }, wanted) => rules.some(({ rule, outcome }) => rule === wanted && outcome === "applied"),
    actual: ({ rules }) => rules.filter(({ outcome }) => outcome === "applied").map(({ rule }) => rule),
  },
  finding: {
    fits: ({ findings }, wanted) => findings.some(({ key }) => key === wanted),
    actual: ({ findings }) => findings.map(({ key }) => key),
  },
  after: { fits: ({ seq }, wanted) => seq > wanted, actual: ({ seq }) => seq },
  since: { fits: ({ at }, wanted) => at >= parseInstant(wanted), actual: ({ at }) => toIso(at) },
  until: { fits: ({ at }, wanted) => at < parseInstant(wanted), actual: ({ at }) => toIso(at) },
};

/** The parts of a filter that are set. Throws a UsageError for an unknown part or operation, or a wrong value. */
export function checkFilter(filter: JournalFilter, operations: readonly string[] | undefined): Key[] {
  const keys = Object.keys(filter).filter((key) => filter[key as Key] !== undefined) as Key[]; // checked right below
  for (const key of keys) {
    if (!Object.hasOwn(CRITERIA, key))
      throw new UsageError("badOption", unknownName("part of a journal filter", key, Object.keys(CRITERIA)));
    const numeric = key === "status" || key === "after";
    if (numeric !== (typeof filter[key] === "number"))
      throw new UsageError("badOption", `${key} of a journal filter is ${numeric ? "a number" : "text"}.`);
  }
  for (const bound of [filter.since, filter.until]) if (bound !== undefined) parseInstant(bound);
  for (const wanted of [filter.operation ?? []].flat()) {
    if (operations !== undefined && !operations.some((name) => matchesGlob(name, wanted)))
      throw new UsageError("unknownName", unknownOperation(wanted, operations), { pointer: "/operation" });
  }
  return keys;
}

/** Whether an exchange matches the filter. */
export function matchesFilter(exchange: Exchange, filter: JournalFilter): boolean {
  for (const key in filter) if (!fits(exchange, filter, key as Key)) return false; // a key from `in`
  return true;
}

/** Where an exchange differs from the filter: `status is 200, not 201`. */
export function differences(exchange: Exchange, filter: JournalFilter): string[] {
  return (Object.keys(filter) as Key[]) // checked when the filter was accepted
    .filter((key) => !fits(exchange, filter, key))
    .map((key) => `${key} is ${shown(CRITERIA[key].actual(exchange))}, not ${shown(filter[key])}`);
}

/** A filter in one line: `operation "account.login", status 200`. */
export function describeFilter(filter: JournalFilter): string {
  const parts = Object.entries(filter).filter(([, value]) => value !== undefined);
  return parts.length === 0
    ? "any exchange"
    : parts.map(([key, value]) => `${key} ${shown(value)}`).join(", ");
}

function fits<K extends Key>(exchange: Exchange, filter: JournalFilter, key: K): boolean {
  const wanted = filter[key];
  const criterion = CRITERIA[key] as Criterion<K>; // the table has the criterion of each key under that key
  return wanted === undefined || wanted === null || criterion.fits(exchange, wanted);
}

function unknownOperation(wanted: string, operations: readonly string[]): string {
  if (!wanted.includes("*")) return unknownName("operation", wanted, operations);
  const nearest = nearestName(wanted.replaceAll("*", ""), operations);
  return `No operation matches ${JSON.stringify(wanted)}.${nearest === undefined ? "" : ` Did you mean "${nearest}"?`}`;
}

function shown(value: unknown): string {
  return value === undefined ? "not set" : JSON.stringify(value);
}
