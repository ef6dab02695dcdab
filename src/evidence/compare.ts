/** Compares a real server with a sandbox: finds settings that make both equal, and describes differences in sentences. */

import { quote } from "../errors/quote.ts";
import { listOperations, type Service } from "../operation/service.ts";
import type { Facts, Observations, Values } from "./observe.ts";

export type Settings = Readonly<Record<string, unknown>>;
export type Evidence = {
  /** Settings by service name. */
  readonly settings: Readonly<Record<string, Settings>>;
  /** Observations by service and assumption: `account.order`. `contradicted`: no setting gives the sandbox the value `seen`. */
  readonly points: Readonly<Record<string, Sighting>>;
  /** Known differences, as sentences. `vitrine drift` does not report them. */
  readonly known: readonly string[];
};
type Sighting = Readonly<{ seen: Values; date: string; server: string; state: "seen" | "contradicted" }>;

export function formatValues(values: Values = []): string {
  const texts = values.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  return texts.filter((text) => text !== "null").join("; ") || "not seen";
}

/** Whether two lists have the same values. Ignores values that are null or missing in one of them. */
export function isSame(one: Values = [], other: Values = []): boolean {
  const text = JSON.stringify;
  return one.every((value, index) => value === null || text(other[index] ?? value) === text(value));
}

/** Returns the setting under which a sandbox shows `value`, or `{}` without such a setting, or if `value` is its default. */
export function findSetting({ settings, assumptions }: Service, id: string, [value]: Values): Settings {
  const [, , name] = assumptions?.[id] ?? [];
  const defaults = settings.parse({}) as Settings; // Safe cast: the schema describes an object.
  if (name === undefined || value === defaults[name]) return {};
  return settings.safeParse({ [name]: value }).success ? { [name]: value } : {};
}

/** Returns a sentence for each kind of difference outside `evidence.known`. Values in `evidence` take precedence over values in `own`. */
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

/** Whether the facts show that `name` is present or absent. An empty list, for example, does not show the fields of items. */
function isKnown(name: string, facts: Facts): boolean {
  const parent = name.replace(/^field (.*)\.[^.]*$/, "type of $1");
  return name in facts || name.startsWith("header ") || facts[parent] === "object";
}

/** Counts the documented operations and problems, and the assumptions that are seen, contradicted or only assumed. */
export function countPoints(services: readonly Service[], { points }: Pick<Evidence, "points">) {
  const facts = services.flatMap(({ problems }) => Object.values<{ readonly source: string }>(problems));
  facts.push(...listOperations(services).map(({ operation }) => operation));
  const documented = facts.filter(({ source }) => !source.startsWith("Assumed")).length;
  const counts = { documented, seen: 0, assumed: 0, contradicted: 0 };
  for (const { name, assumptions = {} } of services)
    for (const id of Object.keys(assumptions)) counts[points[`${name}.${id}`]?.state ?? "assumed"] += 1;
  return counts;
}
