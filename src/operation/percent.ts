/** Percent-decoding of path segments, and of query parts, where a plus is a space. */

/** Undefined where an escape is broken. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // decodeURIComponent throws for nothing but broken escapes
  }
}

export function decodeQueryPart(text: string): string | undefined {
  return decodePercent(text.replaceAll("+", " "));
}
