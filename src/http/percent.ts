/** Percent-encoding of parts of an address, and decoding: of path segments, and of queries, where a plus is a space. */

import { BoundedCache } from "../world/recent.ts";

/** As browsers do it. Half a character, which no address can hold, becomes U+FFFD. */
export function encodePercent(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** As RFC 3986 would have it and PHP does it: with the signs `!'()*`. */
export function encodePercentFully(text: string): string {
  return encodePercent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Undefined where an escape is broken. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // decodeURIComponent throws for nothing but broken escapes
  }
}

/** Letters, digits, `-`, `.`, `_` and `~` need no escape: with one, the address is the same (RFC 3986, 6.2.2.2). */
export function normalizeEscapes(path: string): string {
  return path.replace(/%(2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/gi, decodeURIComponent);
}

export function decodeQueryPart(text: string): string | undefined {
  return decodePercent(text.replaceAll("+", " "));
}

/**
 * The query as fields; a parameter sent twice is a list, which no schema of a single value accepts. Broken escapes stand
 * for themselves (`kept`), or end the reading, and `unreadable` names the parameter that has them.
 */
export function readQuery(search: string, broken: "kept" | "refused"): ParsedQuery {
  const key = broken + search;
  return queryCache.get(key) ?? queryCache.set(key, parseQuery(search, broken));
}

type ParsedQuery = { readonly values: Readonly<Record<string, unknown>>; readonly unreadable?: string };
/** A client sends the same query again and again. Pure: a bundle that reads no query, the dashboard's script, is without it. */
const queryCache = /* @__PURE__ */ new BoundedCache<ParsedQuery>(100);

function parseQuery(search: string, broken: "kept" | "refused"): ParsedQuery {
  const pairs = search.replace(/^\?/, "").split("&");
  const isBroken = (pair: string): boolean =>
    pair.split("=").some((part) => decodeQueryPart(part) === undefined);
  const end = broken === "kept" ? undefined : pairs.find(isBroken);
  const readable = end === undefined ? pairs : pairs.slice(0, pairs.indexOf(end));
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, value] of new URLSearchParams(`&${readable.join("&")}`))
    values[name] = name in values ? [values[name], value].flat() : value;
  Object.freeze(values);
  return end === undefined ? { values } : { values, unreadable: end.replace(/=.*/s, "") };
}
