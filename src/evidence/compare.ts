/** Compares a server with a sandbox: settings, dated evidence, and differences in sentences. */

import { quote } from "../errors/quote.ts";
import { listOperations, type Service } from "../operation/service.ts";
import type { Facts, Observations, Values } from "./observe.ts";

export type Settings = Readonly<Record<string, unknown>>;
export type Evidence = {
  /** Service -> settings. */
  readonly settings: Readonly<Record<string, Settings>>;
  /** Observations of servers, by `account.order`. Contradicted: the sandbox differs under any settings. */
  readonly points: Readonly<Record<string, Sighting>>;
  /** Differences that `vitrine drift` does not report. */
  readonly known: readonly string[];
};
type Sighting = Readonly<{ seen: Values; date: string; server: string; state: "seen" | "contradicted" }>;

export function formatValues(values: Values = []): string {
  const texts = values.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  return texts.filter((text) => text !== "null").join("; ") || "not seen";
}

/** Compares only values that both show. */
export function isSame(one: Values = [], other: Values = []): boolean {
  const text = JSON.stringify;
  return one.every((value, index) => value === null || text(other[index] ?? value) === text(value));
}

/** The setting that explains a point, unless it is the default or the service does not have the value. */
export function findSetting({ settings, assumptions }: Service, id: string, [value]: Values): Settings {
  const [, , name] = assumptions?.[id] ?? [];
  const defaults = settings.parse({}) as Settings; // Safe: settings are an object.
  if (name === undefined || value === defaults[name]) return {};
  return settings.safeParse({ [name]: value }).success ? { [name]: value } : {};
}

/** Returns a sentence with an example for each kind of difference, except known ones. Older evidence replaces `own`. */
export function listDifferences(service: Service, evidence: Evidence, own: Observations, seen: Observations) {
  const kinds = new Map(evidence.known.map((sentence) => [sentence, ""]));
  const add = (what: string, expected: string, found: string, place: string): void => {
    const sentence = `${what}: expected ${quote(expected)}, found ${quote(found)}.`;
    if (!kinds.has(sentence)) kinds.set(sentence, `${sentence} Example: ${service.name}, ${place}`);
  };
  for (const [id, values] of Object.entries(seen.points)) {
    const expected = evidence.points[`${service.name}.${id}`]?.seen ?? own.points[id];
    const point = service.assumptions?.[id]?.[0] ?? id;
    if (!isSame(expected, values)) add(point, formatValues(expected), formatValues(values), id);
  }
  for (const [read, there] of Object.entries(seen.reads)) {
    const here = own.reads[read] ?? there;
    const names = here["status"] === there["status"] ? Object.keys({ ...here, ...there }) : ["status"];
    for (const name of names) {
      const [expected = "none", found = "none"] = [here[name], there[name]];
      const isShown = expected !== "optional" && isKnown(name, here) && isKnown(name, there);
      if (expected !== found && isShown) add(name, expected, found, read);
    }
  }
  return [...kinds.values()].filter(Boolean);
}

/** Whether a reply shows the fact. An empty list shows no fields of its items. */
function isKnown(name: string, facts: Facts): boolean {
  const parent = name.replace(/^field (.*)\.[^.]*$/, "type of $1");
  return name in facts || name.startsWith("header ") || facts[parent] === "object";
}

/** Numbers of documented operations and problems, and of assumptions in each state. */
export function countPoints(services: readonly Service[], { points }: Pick<Evidence, "points">) {
  const facts = services.flatMap(({ problems }) => Object.values<{ readonly source: string }>(problems));
  facts.push(...listOperations(services).map(({ operation }) => operation));
  const documented = facts.filter(({ source }) => !source.startsWith("Assumed")).length;
  const counts = { documented, seen: 0, assumed: 0, contradicted: 0 };
  for (const { name, assumptions = {} } of services)
    for (const id of Object.keys(assumptions)) counts[points[`${name}.${id}`]?.state ?? "assumed"] += 1;
  return counts;
}
