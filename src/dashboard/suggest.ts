/** What may come next in the filter line: parts of a matcher, and the values that are known of each. */

import { PARTS } from "./filter.ts";
import type { Known } from "./reads.ts";
import { FAULTS } from "./sentence.ts";

export type Suggestion = {
  /** The line with it. */
  readonly line: string;
  readonly text: string;
  readonly about: string;
};

const MOST = 8;

/** For the last word of what was typed. */
export function suggestionsFor(line: string, known: Known): readonly Suggestion[] {
  const [, before = "", part, typed = ""] = /^(.*?)(?:(\w+):)?([^\s:]*)$/s.exec(line) ?? [];
  if (part === undefined) {
    const parts = Object.entries(PARTS).filter(([name]) => name.startsWith(typed));
    return parts.map(([name, about]) => ({ line: `${before}${name}:`, text: `${name}:`, about }));
  }
  const found = valuesOf(part, known).filter(
    (value) => value !== typed && value.toLowerCase().includes(typed.toLowerCase()),
  );
  return found
    .slice(0, MOST)
    .map((value) => ({ line: `${before}${part}:${value} `, text: value, about: "" }));
}

function valuesOf(part: string, { operations = [], rules = [], credentials = [], exchanges = [] }: Known) {
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
    fault: () => Object.keys(FAULTS),
    finding: () => ["*", ...exchanges.flatMap(({ findings }) => findings.map(({ key }) => key))],
    gone: () => ["true"],
  };
  const known = Object.hasOwn(values, part) ? (values[part]?.() ?? []) : [];
  return [...new Set(known.filter((value) => value !== undefined).map(String))].filter(isWord);
}

/** Others would have to be quoted. */
function isWord(value: string): boolean {
  return /^[^\s"[{]+$/.test(value);
}
