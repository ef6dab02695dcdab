/** Percent-encodes and decodes parts of URLs. In queries, a plus sign means a space. */

import { BoundedCache } from "../world/recent.ts";

/** Encodes like `encodeURIComponent`, but never throws: a lone surrogate becomes U+FFFD. */
export function encodePercent(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Also encodes `!'()*`, like PHP's `rawurlencode` (RFC 3986). */
export function encodePercentFully(text: string): string {
  return encodePercent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Decodes percent-escapes. Returns undefined for an invalid escape. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // decodeURIComponent throws only for invalid escapes.
  }
}

/** Decodes escaped letters, digits, `-`, `.`, `_` and `~`. The path stays equivalent (RFC 3986, 6.2.2.2). */
export function normalizeEscapes(path: string): string {
  return path.replace(/%(2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/gi, decodeURIComponent);
}

export function decodeQueryPart(text: string): string | undefined {
  return decodePercent(text.replaceAll("+", " "));
}

/** Parses a query. Repeated parameters become a list. `refused`: parsing ends at an invalid escape (`unreadable`); `kept`: it continues. */
export function readQuery(search: string, invalid: "kept" | "refused"): ParsedQuery {
  const key = invalid + search;
  return queryCache.get(key) ?? queryCache.set(key, parseQuery(search, invalid));
}

type ParsedQuery = { readonly values: Readonly<Record<string, unknown>>; readonly unreadable?: string };
/** Cache of parsed queries, because clients often repeat a query. `PURE` lets bundlers remove the cache if it is unused. */
const queryCache = /* @__PURE__ */ new BoundedCache<ParsedQuery>(100);

function parseQuery(search: string, invalid: "kept" | "refused"): ParsedQuery {
  const pairs = search.replace(/^\?/, "").split("&");
  const isInvalid = (pair: string): boolean =>
    pair.split("=").some((part) => decodeQueryPart(part) === undefined);
  const end = invalid === "kept" ? undefined : pairs.find(isInvalid);
  const readable = end === undefined ? pairs : pairs.slice(0, pairs.indexOf(end));
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, value] of new URLSearchParams(`&${readable.join("&")}`))
    values[name] = name in values ? [values[name], value].flat() : value;
  Object.freeze(values);
  return end === undefined ? { values } : { values, unreadable: end.replace(/=.*/s, "") };
}
