/** Compares exchanges with matchers, for rules, queries and the linter. The result is undecided if a needed part was not stored. */

import type { Exchange, Finding, RuleTrace } from "../http/exchange.ts";
import { findValue } from "../http/json-pointer.ts";
import type { Service } from "../operation/service.ts";
import { parseTimestamp, toIso } from "../world/time.ts";
import {
  type Condition,
  findDifferences,
  formatValue,
  JSON_MODE,
  type Names,
  TEXT_MODE,
} from "./condition.ts";
import { findText, readExchangeBody, readExchangeQuery, type UndecidedResult } from "./content.ts";
import type { Matcher, RequestMatcher } from "./grammar.ts";
import { matchesGlob } from "./pattern.ts";

/** Conditions on headers or parameters, by their names. */
type Conditions = { readonly [name: string]: Condition };

export type PartName = keyof Matcher;

export type Matchable = Pick<Exchange, "seq" | "at" | "method" | "path" | "search" | "headers" | "query"> & {
  readonly params: Readonly<Record<string, unknown>>;
  readonly rules: readonly RuleTrace[];
  readonly findings: readonly Finding[];
} & { readonly [K in OptionalKey]?: Exchange[K] | undefined };
type OptionalKey =
  | ("operation" | "service" | "environment" | "user" | "status" | "made" | "problem" | "fault" | "gone")
  | ("state" | "waits" | "body" | "requestText" | "requestBytes" | "responseBody" | "responseBytes");

/** The parts that identify the target of a request. */
type RequestTarget = Pick<Matchable, "operation" | "service" | "environment" | "method" | "path">;

/** The differences in one part of a matcher, or the reason why the exchange cannot be compared with it. */
export type Verdict = readonly string[] | UndecidedResult;
type PartComparer<K extends PartName> = (
  exchange: Matchable,
  wanted: Exclude<Matcher[K], undefined>,
  services: readonly Service[],
) => Verdict;

export const NO_DIFFERENCES: readonly never[] = [];
/** Calls `message` only if there is a difference, because most comparisons match. */
const differUnless = (fits: boolean, message: () => string): Verdict => (fits ? NO_DIFFERENCES : [message()]);

/** Functions that compare each part of a matcher. Messages list differences in this order. */
const PART_COMPARERS: { readonly [K in PartName]-?: PartComparer<K> } = {
  operation: ({ operation }, wanted) => compareNames("operation", operation, wanted),
  service: ({ service }, wanted) => compareNames("service", service, wanted),
  environment: ({ environment }, wanted) => compareNames("environment", environment, wanted),
  method: ({ method }, wanted) => compareNames("method", method, wanted),
  path: ({ path }, wanted) => compareNames("path", path, wanted),
  headers: ({ headers }, wanted) => compareTexts("header", wanted, (name) => getHeader(headers, name)),
  params: ({ params }, wanted) => compareTexts("parameter", wanted, (name) => findValue(params, [name])),
  query: (exchange, wanted, services) => {
    const query = readExchangeQuery(exchange, services);
    return compareTexts("query", wanted, (name) => findValue(query, [name]));
  },
  accept: ({ headers }, wanted) => findDifferences(getHeader(headers, "accept"), wanted, "accept", TEXT_MODE),
  user: ({ user }, wanted) => findDifferences(user, wanted, "user", TEXT_MODE),
  body: (exchange, wanted, services) => {
    const body = readExchangeBody(exchange, services);
    return "undecided" in body ? body : findDifferences(body.value, wanted, "body", JSON_MODE);
  },
  status: ({ status }, wanted) => {
    const among = Array.isArray(wanted) ? { $in: wanted } : wanted;
    return findDifferences(status, among, "status", JSON_MODE);
  },
  problem: ({ problem }, wanted) => compareNames("problem", problem, wanted),
  rule: ({ rules }, wanted) => {
    const applied = rules.filter(({ outcome }) => outcome === "applied");
    return compareNames("rule", omitEmpty(applied.map(({ rule }) => rule)), wanted);
  },
  finding: ({ findings }, wanted) =>
    compareNames("finding", omitEmpty(findings.map(({ key }) => key)), wanted),
  fault: ({ fault }, wanted) => compareNames("fault", fault, wanted),
  gone: ({ gone = false }, wanted) => differUnless(gone === wanted, () => `gone is ${gone}, not ${wanted}`),
  state: ({ state = "ended" }, wanted) =>
    differUnless(state === wanted, () => `state is ${state}, not ${wanted}`),
  text: compareText,
  after: ({ seq }, wanted) => differUnless(seq > wanted, () => `after is ${seq}, not above ${wanted}`),
  since: ({ at }, wanted) =>
    differUnless(at >= parseTimestamp(wanted), () => `since is ${toIso(at)}, not ${formatValue(wanted)}`),
  until: ({ at }, wanted) =>
    differUnless(at < parseTimestamp(wanted), () => `until is ${toIso(at)}, not ${formatValue(wanted)}`),
};
export const PART_NAMES = Object.keys(PART_COMPARERS) as readonly PartName[]; // Safe cast: PART_COMPARERS has only these keys.

/** Whether operation, service, environment, method and path match. Ignores the other parts of the matcher. */
export function matchesTarget(matcher: RequestMatcher, exchange: RequestTarget): boolean {
  const { operation, service, environment, method, path } = matcher;
  return (
    (operation === undefined || hasName(exchange.operation, operation)) &&
    (method === undefined || hasName(exchange.method, method)) &&
    (path === undefined || hasName(exchange.path, path)) &&
    (environment === undefined || hasName(exchange.environment, environment)) &&
    (service === undefined || hasName(exchange.service, service))
  );
}

/** Explains why a rule with these conditions skips the exchange; undefined if it matches. */
export function explainMismatch(when: RequestMatcher, exchange: Matchable, services: readonly Service[]) {
  if (!matchesTarget(when, exchange)) return `is for ${describeTarget(when)}`;
  for (const name of PART_NAMES) {
    const verdict = comparePart(name, when, exchange, services);
    if ("undecided" in verdict) return verdict.undecided;
    if (verdict.length > 0) return verdict[0];
  }
  return undefined;
}

/** Describes the target in messages: `account.list*`, `POST /special-events`, `every request` */
export function describeTarget({ operation, method, path, service, environment }: RequestMatcher): string {
  const words = [operation, method, path].filter((part) => part !== undefined).map(formatNames);
  const owner = environment ?? service;
  const named = words.join(" ") || "every request";
  return owner === undefined ? named : `${named} of ${formatNames(owner)}`;
}

/** Describes a matcher in messages: `operation "account.login", status 200`. */
export function describeMatcher(matcher: Matcher): string {
  const parts = Object.entries(matcher).filter(([, value]) => value !== undefined);
  return parts.map(([name, value]) => `${name} ${formatValue(value)}`).join(", ") || "any exchange";
}

/** Whether a name matches `wanted`. An undefined name can match only operators, such as `$exists`. */
export function hasName(name: string | readonly string[] | undefined, wanted: Names): boolean {
  if (typeof wanted === "string")
    return [name ?? NO_DIFFERENCES].flat().some((each) => matchesGlob(each, wanted));
  if (isList(wanted)) return wanted.some((glob) => hasName(name, glob));
  return findDifferences(name, wanted, "", TEXT_MODE).length === 0;
}

function isList(names: Names): names is readonly string[] {
  return Array.isArray(names);
}

/** Compares one part of a matcher with the exchange. Returns no differences if the matcher does not contain this part. */
export function comparePart<K extends PartName>(
  name: K,
  matcher: Matcher,
  exchange: Matchable,
  services: readonly Service[],
): Verdict {
  const wanted = matcher[name];
  if (wanted === undefined) return NO_DIFFERENCES;
  const comparer = PART_COMPARERS[name] as PartComparer<K>; // Safe cast: the table maps each name to its comparer.
  return comparer(exchange, wanted as Exclude<Matcher[K], undefined>, services);
}

function compareNames(label: string, actual: string | readonly string[] | undefined, wanted: Names): Verdict {
  return differUnless(
    hasName(actual, wanted),
    () => `${label} is ${formatValue(actual)}, not ${formatValue(wanted)}`,
  );
}

function compareTexts(kind: string, wanted: Conditions, sent: (name: string) => unknown): Verdict {
  const names = Object.entries(wanted);
  return names.flatMap(([name, condition]) =>
    findDifferences(sent(name), condition, `${kind} ${name}`, TEXT_MODE),
  );
}

function compareText(exchange: Matchable, wanted: string, services: readonly Service[]): Verdict {
  const found = findText(exchange, wanted, services);
  return typeof found === "boolean"
    ? differUnless(found, () => `text ${formatValue(wanted)} does not occur`)
    : found;
}

/** Returns undefined for an empty list, so that `{ "$exists": false }` matches it. */
function omitEmpty(names: readonly string[]): readonly string[] | undefined {
  return names.length === 0 ? undefined : names;
}

function getHeader(headers: Matchable["headers"], name: string): string | undefined {
  return headers.get(name.toLowerCase()) ?? undefined;
}

function formatNames(names: Names): string {
  if (typeof names === "string") return names;
  return isList(names) ? names.join(", ") : formatValue(names);
}
