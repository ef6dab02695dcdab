/**
 * The one way to say which exchanges are wanted, for rules, journal queries, verification and the linter: each part that
 * is given must fit. What an exchange no longer knows, such as a body that was never read, is undecided: no rule acts on
 * it, and no verification counts it silently.
 */

import type { Exchange, Finding, RuleTrace } from "../http/exchange.ts";
import { valueAt } from "../http/json-pointer.ts";
import type { Service } from "../operation/service.ts";
import { parseInstant, toIso } from "../world/time.ts";
import { type Condition, differences, JSON_VALUES, type Names, show, TEXTS } from "./condition.ts";
import { bodyOf, findText, queryOf, type Unclear } from "./content.ts";
import type { Matcher, RequestMatcher } from "./grammar.ts";
import { matchesGlob } from "./pattern.ts";

/** By name: of a header, a parameter of the path, or one of the query. */
type Conditions = { readonly [name: string]: Condition };

export type PartName = keyof Matcher;

/** What a matcher looks at. */
export type Matchable = Pick<Exchange, "seq" | "at" | "method" | "path" | "search" | "headers" | "query"> & {
  readonly params: Readonly<Record<string, unknown>>;
  readonly rules: readonly RuleTrace[];
  readonly findings: readonly Finding[];
} & { readonly [K in Unsure]?: Exchange[K] | undefined };
/** What an exchange may lack. */
type Unsure =
  | ("operation" | "service" | "environment" | "user" | "status" | "made" | "problem" | "fault" | "gone")
  | ("body" | "requestText" | "requestBytes" | "responseBody" | "responseBytes");

/** What an exchange is about, whatever its content. */
type Named = Pick<Matchable, "operation" | "service" | "environment" | "method" | "path">;

/** How an exchange compares with a matcher; it matches when nothing differs and nothing is undecided. */
export type Comparison = {
  /** The parts that do not fit. */
  readonly parts: readonly PartName[];
  /** Field by field, what it has and what was wanted: `body.price is 5, not 1`. */
  readonly differs: readonly string[];
  /** Why it is not known whether some parts fit. */
  readonly undecided: readonly string[];
};

/** The differences of one part, or the reason why they are not known. */
type Verdict = readonly string[] | Unclear;
type Compare<K extends PartName> = (
  exchange: Matchable,
  wanted: Exclude<Matcher[K], undefined>,
  services: readonly Service[],
) => Verdict;

const FITS: readonly never[] = [];
/** The message is made only where it is needed: most comparisons fit, some on every request. */
const unless = (fits: boolean, message: () => string): Verdict => (fits ? FITS : [message()]);

/** In the order in which differences are listed. */
const PARTS: { readonly [K in PartName]-?: Compare<K> } = {
  operation: ({ operation }, wanted) => compareNames("operation", operation, wanted),
  service: ({ service }, wanted) => compareNames("service", service, wanted),
  environment: ({ environment }, wanted) => compareNames("environment", environment, wanted),
  method: ({ method }, wanted) => compareNames("method", method, wanted),
  path: ({ path }, wanted) => compareNames("path", path, wanted),
  headers: ({ headers }, wanted) => compareTexts("header", wanted, (name) => headerOf(headers, name)),
  params: ({ params }, wanted) => compareTexts("parameter", wanted, (name) => valueAt(params, [name])),
  query: (exchange, wanted, services) => {
    const query = queryOf(exchange, services);
    return compareTexts("query", wanted, (name) => valueAt(query, [name]));
  },
  accept: ({ headers }, wanted) => differences(headerOf(headers, "accept"), wanted, "accept", TEXTS),
  user: ({ user }, wanted) => differences(user, wanted, "user", TEXTS),
  body: (exchange, wanted, services) => {
    const body = bodyOf(exchange, services);
    return "undecided" in body ? body : differences(body.value, wanted, "body", JSON_VALUES);
  },
  status: ({ status }, wanted) => {
    const among = Array.isArray(wanted) ? { $in: wanted } : wanted;
    return differences(status, among, "status", JSON_VALUES);
  },
  problem: ({ problem }, wanted) => compareNames("problem", problem, wanted),
  rule: ({ rules }, wanted) => {
    const applied = rules.filter(({ outcome }) => outcome === "applied");
    return compareNames("rule", listed(applied.map(({ rule }) => rule)), wanted);
  },
  finding: ({ findings }, wanted) => compareNames("finding", listed(findings.map(({ key }) => key)), wanted),
  fault: ({ fault }, wanted) => compareNames("fault", fault, wanted),
  gone: ({ gone = false }, wanted) => unless(gone === wanted, () => `gone is ${gone}, not ${wanted}`),
  text: compareText,
  after: ({ seq }, wanted) => unless(seq > wanted, () => `after is ${seq}, not above ${wanted}`),
  since: ({ at }, wanted) =>
    unless(at >= parseInstant(wanted), () => `since is ${toIso(at)}, not ${show(wanted)}`),
  until: ({ at }, wanted) =>
    unless(at < parseInstant(wanted), () => `until is ${toIso(at)}, not ${show(wanted)}`),
};
const NAMES = Object.keys(PARTS) as readonly PartName[]; // its own keys

/** The whole comparison, for whoever tells people about it. */
export function compare(matcher: Matcher, exchange: Matchable, services: readonly Service[]): Comparison {
  const parts: PartName[] = [];
  const differs: string[] = [];
  const undecided: string[] = [];
  for (const name of NAMES) {
    const verdict = compareIn(name, matcher, exchange, services);
    if ("undecided" in verdict) undecided.push(verdict.undecided);
    else if (verdict.length > 0) {
      parts.push(name);
      differs.push(...verdict);
    }
  }
  return { parts, differs, undecided };
}

export type Decision = "matches" | "differs" | "undecided";

export function decide(matcher: Matcher, exchange: Matchable, services: readonly Service[]): Decision {
  let decision: Decision = "matches";
  for (const name of NAMES) {
    const verdict = compareIn(name, matcher, exchange, services);
    if ("undecided" in verdict) decision = "undecided";
    else if (verdict.length > 0) return "differs";
  }
  return decision;
}

/** True when the exchange is of the operation, method, path and environment that are named, whatever its content. */
export function isNamed(matcher: RequestMatcher, exchange: Named): boolean {
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
export function whyNot(
  when: RequestMatcher,
  exchange: Matchable,
  services: readonly Service[],
): string | undefined {
  if (!isNamed(when, exchange)) return `is for ${nameOf(when)}`;
  for (const name of NAMES) {
    const verdict = compareIn(name, when, exchange, services);
    if ("undecided" in verdict) return verdict.undecided;
    if (verdict.length > 0) return verdict[0];
  }
  return undefined;
}

/** What a rule is for, in words: `account.list*`, `POST /special-events`, `every request`. */
export function nameOf({ operation, method, path, service, environment }: RequestMatcher): string {
  const words = [operation, method, path].filter((part) => part !== undefined).map(inWords);
  const place = environment ?? service;
  const named = words.join(" ") || "every request";
  return place === undefined ? named : `${named} of ${inWords(place)}`;
}

/** A matcher in one line: `operation "account.login", status 200`. */
export function describe(matcher: Matcher): string {
  const parts = Object.entries(matcher).filter(([, value]) => value !== undefined);
  return parts.map(([name, value]) => `${name} ${show(value)}`).join(", ") || "any exchange";
}

/** Whether a name is one of those wanted. What has no name fits operators alone. */
export function hasName(name: string | readonly string[] | undefined, wanted: Names): boolean {
  if (typeof wanted === "string") return [name ?? FITS].flat().some((one) => matchesGlob(one, wanted));
  if (isList(wanted)) return wanted.some((glob) => hasName(name, glob));
  return differences(name, wanted, "", TEXTS).length === 0;
}

function isList(names: Names): names is readonly string[] {
  return Array.isArray(names);
}

function compareIn<K extends PartName>(
  name: K,
  matcher: Matcher,
  exchange: Matchable,
  services: readonly Service[],
): Verdict {
  const wanted = matcher[name];
  if (wanted === undefined) return FITS;
  const compareOne = PARTS[name] as Compare<K>; // the table has it under its own name
  return compareOne(exchange, wanted as Exclude<Matcher[K], undefined>, services);
}

function compareNames(label: string, actual: string | readonly string[] | undefined, wanted: Names): Verdict {
  return unless(hasName(actual, wanted), () => `${label} is ${show(actual)}, not ${show(wanted)}`);
}

function compareTexts(kind: string, wanted: Conditions, sent: (name: string) => unknown): Verdict {
  const names = Object.entries(wanted);
  return names.flatMap(([name, condition]) => differences(sent(name), condition, `${kind} ${name}`, TEXTS));
}

function compareText(exchange: Matchable, wanted: string, services: readonly Service[]): Verdict {
  const found = findText(exchange, wanted, services);
  return typeof found === "boolean" ? unless(found, () => `text ${show(wanted)} is nowhere in it`) : found;
}

/** Undefined in place of a list with nothing in it, so that `$exists` asks for any. */
function listed(names: readonly string[]): readonly string[] | undefined {
  return names.length === 0 ? undefined : names;
}

function headerOf(headers: Matchable["headers"], name: string): string | undefined {
  return headers.get(name.toLowerCase()) ?? undefined;
}

function inWords(names: Names): string {
  if (typeof names === "string") return names;
  return isList(names) ? names.join(", ") : show(names);
}
