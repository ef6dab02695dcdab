/**
 * Which exchanges are wanted, for rules, journal queries, verification and the linter. What an exchange no longer knows,
 * such as a body that was never read, is undecided: no rule acts on it, and no verification counts it silently.
 */

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

/** By name: of a header, a parameter of the path, or one of the query. */
type Conditions = { readonly [name: string]: Condition };

export type PartName = keyof Matcher;

export type Matchable = Pick<Exchange, "seq" | "at" | "method" | "path" | "search" | "headers" | "query"> & {
  readonly params: Readonly<Record<string, unknown>>;
  readonly rules: readonly RuleTrace[];
  readonly findings: readonly Finding[];
} & { readonly [K in OptionalKey]?: Exchange[K] | undefined };
/** What an exchange may lack. */
type OptionalKey =
  | ("operation" | "service" | "environment" | "user" | "status" | "made" | "problem" | "fault" | "gone")
  | ("state" | "waits" | "body" | "requestText" | "requestBytes" | "responseBody" | "responseBytes");

/** What an exchange is about, whatever its content. */
type RequestTarget = Pick<Matchable, "operation" | "service" | "environment" | "method" | "path">;

/** The differences of one part, or the reason why they are not known. */
export type Verdict = readonly string[] | UndecidedResult;
type PartComparer<K extends PartName> = (
  exchange: Matchable,
  wanted: Exclude<Matcher[K], undefined>,
  services: readonly Service[],
) => Verdict;

export const NO_DIFFERENCES: readonly never[] = [];
/** The message is made only where it is needed: most comparisons fit, some on every request. */
const differUnless = (fits: boolean, message: () => string): Verdict => (fits ? NO_DIFFERENCES : [message()]);

/** In the order in which differences are listed. */
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
export const PART_NAMES = Object.keys(PART_COMPARERS) as readonly PartName[]; // its own keys

/** True when the exchange is of the operation, method, path and environment that are named, whatever its content. */
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

/** Why a rule with these conditions does not act on the exchange; undefined when it does. */
export function explainMismatch(when: RequestMatcher, exchange: Matchable, services: readonly Service[]) {
  if (!matchesTarget(when, exchange)) return `is for ${describeTarget(when)}`;
  for (const name of PART_NAMES) {
    const verdict = comparePart(name, when, exchange, services);
    if ("undecided" in verdict) return verdict.undecided;
    if (verdict.length > 0) return verdict[0];
  }
  return undefined;
}

/** What a rule is for, in words: `account.list*`, `POST /special-events`, `every request`. */
export function describeTarget({ operation, method, path, service, environment }: RequestMatcher): string {
  const words = [operation, method, path].filter((part) => part !== undefined).map(formatNames);
  const place = environment ?? service;
  const named = words.join(" ") || "every request";
  return place === undefined ? named : `${named} of ${formatNames(place)}`;
}

/** A matcher in one line: `operation "account.login", status 200`. */
export function describeMatcher(matcher: Matcher): string {
  const parts = Object.entries(matcher).filter(([, value]) => value !== undefined);
  return parts.map(([name, value]) => `${name} ${formatValue(value)}`).join(", ") || "any exchange";
}

/** Whether a name is one of those wanted. What has no name fits operators alone. */
export function hasName(name: string | readonly string[] | undefined, wanted: Names): boolean {
  if (typeof wanted === "string")
    return [name ?? NO_DIFFERENCES].flat().some((one) => matchesGlob(one, wanted));
  if (isList(wanted)) return wanted.some((glob) => hasName(name, glob));
  return findDifferences(name, wanted, "", TEXT_MODE).length === 0;
}

function isList(names: Names): names is readonly string[] {
  return Array.isArray(names);
}

/** One part of a matcher; one that is not asked fits. */
export function comparePart<K extends PartName>(
  name: K,
  matcher: Matcher,
  exchange: Matchable,
  services: readonly Service[],
): Verdict {
  const wanted = matcher[name];
  if (wanted === undefined) return NO_DIFFERENCES;
  const compareOne = PART_COMPARERS[name] as PartComparer<K>; // the table has it under its own name
  return compareOne(exchange, wanted as Exclude<Matcher[K], undefined>, services);
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
    ? differUnless(found, () => `text ${formatValue(wanted)} is nowhere in it`)
    : found;
}

/** Undefined in place of a list with nothing in it, so that `$exists` asks for any. */
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
