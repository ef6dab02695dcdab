/** Parses and writes query strings like PHP. Assumed: the document does not define a query with both `year` and `year[]`. */

import { decodeQueryPart, encodePercentFully } from "../../../http/percent.ts";

/** Value of a parameter: a string, or a map of values by key if the name has brackets, as in `month[a]=1`. */
type QueryNode = string | Query;
export type Query = ReadonlyMap<string, QueryNode>;

/** A string for `year=1`, a list for `year[]=1` or `year[0]=1`, and a record for `year[x]=1`, whose key is not an integer. */
type QueryValue = string | readonly QueryValue[] | { readonly [key: string]: QueryValue };
type QueryValues = Readonly<Record<string, QueryValue>>;

const INTEGER_KEY = /^(0|-?[1-9]\d*)$/;

export function parseQuery(search: string): Query {
  const query = new Map<string, QueryNode>();
  for (const pair of search.replace(/^\?/, "").split("&").filter(Boolean)) {
    const [rawName = "", ...rest] = pair.split("=");
    const name = decodePart(rawName).trimStart();
    if (name !== "") setNested(query, splitName(name), decodePart(rest.join("=")));
  }
  return query;
}

/** Decodes percent-encoding. Accepts all input, like PHP: a `%` without two hex digits stays, and invalid UTF-8 is read as Latin-1. */
function decodePart(part: string): string {
  const escaped = part.replace(/%(?![\da-f]{2})/gi, "%25");
  return decodeQueryPart(escaped) ?? unescape(escaped.replaceAll("+", " "));
}

export function readPhpQuery(search: string): { readonly values: QueryValues } {
  return { values: toRecord(parseQuery(search)) };
}

/** Formats a query without `?`. Percent-encodes names and values (RFC 3986), including brackets. Numeric keys become `[]`. */
export function writeQuery(query: Query): string {
  return [...query]
    .flatMap(([name, node]) => flattenNode(name, node))
    .map(([name, value]) => `${encodePercentFully(name)}=${encodePercentFully(value)}`)
    .join("&");
}

/** Splits a name: `month[a][]` -> `["month", "a", ""]`. Does not split a name without a closing bracket. */
function splitName(name: string): readonly string[] {
  const match = /^([^[]+)((?:\[[^\]]*\])+)/.exec(name);
  if (match === null) return [name];
  const [, first = "", brackets = ""] = match;
  return [first, ...brackets.slice(1, -1).split("][")];
}

function setNested(into: Map<string, QueryNode>, path: readonly string[], value: string): void {
  const [key = "", ...deeper] = path;
  const name = key === "" && into.size > 0 ? nextIndex(into) : key || "0";
  const [next] = deeper;
  if (next === undefined) {
    into.set(name, value);
    return;
  }
  const present = into.get(name);
  const child = new Map(typeof present === "object" ? present : []);
  into.set(name, child);
  setNested(child, deeper, value);
}

function nextIndex(list: Query): string {
  const used = [...list.keys()].filter((key) => INTEGER_KEY.test(key)).map(Number);
  return String(Math.max(-1, ...used) + 1);
}

function toValue(node: QueryNode): QueryValue {
  if (typeof node === "string") return node;
  if ([...node.keys()].every((key) => INTEGER_KEY.test(key))) return [...node.values()].map(toValue);
  return toRecord(node);
}

/** The record has no prototype, so that `__proto__` and `constructor` are ordinary names. */
function toRecord(node: Query): QueryValues {
  const record: Record<string, QueryValue> = Object.create(null);
  for (const [key, child] of node) record[key] = toValue(child);
  return record;
}

function flattenNode(name: string, node: QueryNode): (readonly [string, string])[] {
  if (typeof node === "string") return [[name, node]];
  return [...node].flatMap(([key, child]) => flattenNode(`${name}[${/^\d+$/.test(key) ? "" : key}]`, child));
}
