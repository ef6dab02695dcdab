/** Suggests names and known values for the last word of the filter line. */

import { FILTER_PARTS } from "./filter.ts";
import type { WorldData } from "./reads.ts";
import { FAULT_TEXTS } from "./sentence.ts";

export type Suggestion = {
  /** The whole filter line with the suggestion applied. */
  readonly line: string;
  readonly text: string;
  readonly about: string;
};

const MAX_COMPLETIONS = 8;

export function listSuggestions(line: string, known: WorldData): readonly Suggestion[] {
  const [, before = "", part, typed = ""] = /^(.*?)(?:(\w+):)?([^\s:]*)$/s.exec(line) ?? [];
  if (part === undefined) {
    const parts = Object.entries(FILTER_PARTS).filter(([name]) => name.startsWith(typed));
    return parts.map(([name, about]) => ({ line: `${before}${name}:`, text: `${name}:`, about }));
  }
  const found = valuesOf(part, known).filter(
    (value) => value !== typed && value.toLowerCase().includes(typed.toLowerCase()),
  );
  return found
    .slice(0, MAX_COMPLETIONS)
    .map((value) => ({ line: `${before}${part}:${value} `, text: value, about: "" }));
}

function valuesOf(part: string, data: WorldData) {
  const { operations = [], rules = [], credentials = [], exchanges = [] } = data;
  const outcomes = operations.flatMap((one) => one.outcomes);
  const values: Readonly<Record<string, () => readonly (string | number | undefined)[]>> = {
    status: () => ["failed", "2xx", "4xx", "5xx", ...outcomes.map(({ status }) => status).sort()],
    operation: () => operations.map(({ name }) => name),
    service: () => operations.map(({ service }) => service),
    environment: () => credentials.map(({ environment }) => environment),
    method: () => operations.map(({ method }) => method),
    path: () => operations.map(({ path }) => path.replace(/\{\w+\}/g, "*")),
    user: () => [...credentials, ...exchanges].map(({ user }) => user),
    problem: () => outcomes.map(({ problem }) => problem),
    rule: () => ["*", ...rules.map(({ id }) => id)],
    fault: () => Object.keys(FAULT_TEXTS),
    finding: () => ["*", ...exchanges.flatMap(({ findings }) => findings.map(({ key }) => key))],
    gone: () => ["true"],
  };
  const known = Object.hasOwn(values, part) ? (values[part]?.() ?? []) : [];
  return [...new Set(known.filter((value) => value !== undefined).map(String))].filter((value) =>
    /^[^\s"[{]+$/.test(value),
  ); // Omits values that would need quotes.
}
