/** Compares a server with a sandbox: settings, dated evidence, and differences in sentences. */

import { quote } from "../errors/quote.ts";
import { listOperations, type Service } from "../operation/service.ts";
import type { Facts, Observations, Values } from "./observe.ts";

export type Settings = Readonly<Record<string, unknown>>;
export type Evidence = {
  /** Service -> settings. */
  readonly settings: Readonly<Record<string, Settings>>;
  /** Observations of servers, by `account.order`. `contradicted`: the sandbox differs under any settings. */
  readonly points: Readonly<Record<string, Sighting>>;
  /** Differences that `vitrine drift` does not report. */
  readonly known: readonly string[];
};
type Sighting = {
  readonly seen: Values;
  readonly date: string;
  readonly server: string;
  contradicted: boolean;
};

export function formatValues(values: Values = []): string {
  return values.filter((value) => value !== null).join("; ") || "not seen";
}

/** Compares only values that both show. */
export function isSame(one: Values = [], other: Values = []): boolean {
  return one.every((value, index) => value === null || (other[index] ?? value) === value);
}

/** The settings that explain a point, except defaults and values that the service does not have. */
export function findSettings(
  { probes, settings, assumptions }: Service,
  id: string,
  seen: Values = [],
): Settings {
  const probe = probes?.points[id];
  if (typeof probe !== "object") return {};
  const { values } = probe;
  const [first, ...rest] = seen.map((value) => value ?? undefined);
  const setting = assumptions?.[id]?.[2] ?? id;
  const found = typeof values === "function" ? values(first, ...rest) : { [setting]: values[first ?? ""] };
  const defaults = settings.parse({}) as Settings; // Safe: settings are an object.
  const isChange = ([name, value]: [string, unknown]): boolean =>
    value !== undefined && value !== defaults[name] && settings.safeParse({ [name]: value }).success;
  return Object.fromEntries(Object.entries(found).filter(isChange));
}

/** Returns a sentence for each kind of difference, with its first example. */
export function listDifferences(
  service: Service,
  expected: Observations,
  seen: Observations,
): Map<string, string> {
  const kinds = new Map<string, string>();
  const add = (what: string, own: string, found: string, example: string): void => {
    const sentence = `${what}: expected ${quote(own)}, found ${quote(found)}.`;
    if (!kinds.has(sentence)) kinds.set(sentence, example);
  };
  for (const [id, values] of Object.entries(seen.points)) {
    const [point, own] = [service.assumptions?.[id]?.[0] ?? id, expected.points[id]];
    if (!isSame(own, values)) add(point, formatValues(own), formatValues(values), id);
  }
  for (const [read, facts] of Object.entries(seen.reads)) {
    const own = expected.reads[read] ?? facts;
    const names = own["status"] === facts["status"] ? Object.keys({ ...own, ...facts }) : ["status"];
    for (const name of names) {
      const [here = "none", there = "none"] = [own[name], facts[name]];
      const isShown = here !== "optional" && isKnown(name, own) && isKnown(name, facts);
      if (here !== there && isShown) add(name, here, there, read);
    }
  }
  return kinds;
}

/** Whether a reply shows the fact. An empty list shows no fields of its items. */
function isKnown(name: string, facts: Facts): boolean {
  const parent = name.replace(/^field (.*)\.[^.]*$/, "type of $1");
  return name in facts || name.startsWith("header ") || facts[parent] === "object";
}

/** Numbers of documented operations and problems, and of assumptions in each state. */
export function countPoints(services: readonly Service[], { points }: Pick<Evidence, "points">) {
  const problems = services.flatMap((service) => Object.values(service.problems));
  const facts = [...problems, ...listOperations(services).map(({ operation }) => operation)];
  const counts = { documented: 0, seen: 0, assumed: 0, contradicted: 0 };
  for (const { source } of facts) if (!source.startsWith("Assumed")) counts.documented += 1;
  for (const { name, assumptions = {} } of services)
    for (const id of Object.keys(assumptions)) counts[getState(points[`${name}.${id}`])] += 1;
  return counts;
}

export function getState(sighting: Sighting | undefined): "assumed" | "contradicted" | "seen" {
  if (sighting === undefined) return "assumed";
  return sighting.contradicted ? "contradicted" : "seen";
}
