/** Parses the filter line, such as `status:4xx operation:museum.* lamps`. Words without `name:` search the text. */

import type { Matcher } from "../rules/grammar.ts";

export type ParsedFilter = { readonly matcher: Matcher; readonly mistake?: string };

/** Names that the filter line supports, each with an example value. */
export const FILTER_PARTS = {
  status: "404, 4xx, failed",
  operation: "museum.list*",
  service: "museum",
  environment: "accountSandbox",
  method: "POST",
  path: "/special-events/*",
  user: "who called",
  problem: "invalidInput",
  rule: "one that acted",
  fault: "what broke",
  finding: "nearMiss",
  gone: "the client left",
  text: "in address or bodies",
  after: "a number",
  since: "an instant",
  until: "an instant",
  body: '{"price":12}',
  headers: '{"accept":"*"}',
  query: '{"page":2}',
  accept: "as sent",
  params: '{"id":"*"}',
} as const satisfies { readonly [P in keyof Matcher]?: string };

export const QUICK_FILTERS = [
  { name: "Failed", filter: "status:failed" },
  { name: "Rule applied", filter: "rule:*" },
  { name: "No operation", filter: 'operation:{"$exists":false}' },
  { name: "With hints", filter: "finding:*" },
] as const;

/** A word with an optional prefix `name:`. The word can be a string in quotes, or JSON in braces or brackets. */
const WORDS = /(?:(\w+):)?("(?:[^"\\]|\\.)*"|\{.*?\}(?=\s|$)|\[.*?\](?=\s|$)|\S+)/g;

export function parseFilter(line: string): ParsedFilter {
  const matcher: Record<string, unknown> = {};
  const texts: string[] = [];
  for (const [whole, part, value = ""] of line.matchAll(WORDS)) {
    if (part === undefined || /^https?$/.test(part)) texts.push(part === undefined ? unquoted(value) : whole);
    else if (!Object.hasOwn(FILTER_PARTS, part))
      return {
        matcher: {},
        mistake: `Unknown part “${part}”. Known parts: ${Object.keys(FILTER_PARTS).join(", ")}.`,
      };
    else {
      const read = readValue(part, value);
      if (read === undefined) return { matcher: {}, mistake: `“${value}” is not valid JSON.` };
      matcher[part] = read.value;
    }
  }
  if (texts.length > 0) matcher["text"] = texts.join(" ");
  return { matcher: matcher as Matcher }; // Safe cast: the server validates the matcher.
}

export function toJournalQuery(matcher: Matcher): Readonly<Record<string, string>> {
  const entries = Object.entries(matcher).map(([part, value]) => {
    const isPlain = typeof value === "string" && (part === "text" || !/^[[{"]/.test(value));
    return [part, isPlain ? value : JSON.stringify(value)] as const;
  });
  return Object.fromEntries(entries);
}

function readValue(part: string, value: string): { readonly value: unknown } | undefined {
  if (part === "text") return { value: unquoted(value) };
  if (part === "status") return { value: statusOf(value) };
  if (part === "after") return { value: Number(value) };
  if (part === "gone") return { value: value !== "false" };
  if (!/^[[{"]/.test(value)) return { value };
  try {
    return { value: JSON.parse(value) };
  } catch {
    return undefined;
  }
}

/** Parses a status: `404`, `4xx`, or `failed`, which matches error responses and exchanges without a response. */
function statusOf(value: string): unknown {
  if (value === "failed") return { $not: { $lt: 400 } };
  const digit = /^([1-9])xx$/i.exec(value)?.[1];
  if (digit !== undefined) return { $gte: Number(digit) * 100, $lt: (Number(digit) + 1) * 100 };
  return /^\d+$/.test(value) ? Number(value) : value;
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, "$1") : value;
}
