// Owns the choice of a media type by the Accept header, by the rules of the negotiator that services of this style use.
// They are not those of RFC 9110, and the libraries that follow it answer otherwise: here the most preferred *offer* wins
// among equal weights whatever is more specific, a parameter such as charset never matches, and q=0 excludes nothing.
// So the parsing is hono's and the choice is ours.

import { parseAccept } from "hono/utils/accept";

type Element = { readonly type: string; readonly subtype: string; readonly q: number };
type Match = { readonly offer: string; readonly score: number; readonly q: number };

/**
 * The best of `offered` (in order of preference), or undefined when none is acceptable. A header that is missing, empty
 * or `0` leaves the choice to the service.
 */
export function chooseMedia(accept: string | null, offered: readonly string[]): string | undefined {
  if (accept === null || accept.trim() === "" || accept.trim() === "0") return offered[0];
  const elements = readAccept(accept);
  return offered
    .map((offer) => bestMatch(offer, elements))
    .filter((match) => match !== undefined)
    .sort((one, other) => other.q - one.q)[0]?.offer; // stable: equal weights stay in order of preference
}

/**
 * The elements that can match an offer at all, in the order sent: parseAccept would sort them by weight, so it is given
 * one at a time. Broken ones are skipped.
 */
function readAccept(header: string): Element[] {
  return (header.match(/(?:[^,"]|"(?:\\.|[^"\\])*"?)+/g) ?? []).flatMap((text) => {
    const [element] = parseAccept(text);
    if (element === undefined) return [];
    const parts = (element.type === "*" ? "*/*" : element.type).toLowerCase().split("/");
    const [type = "", subtype = ""] = parts;
    const parameters = Object.keys(element.params).filter((name) => name.toLowerCase() !== "q");
    const usable = parts.length === 2 && type !== "" && subtype !== "" && parameters.length === 0;
    return usable ? [{ type, subtype, q: element.q }] : [];
  });
}

/** The element that matches this offer most exactly; the first among equals. */
function bestMatch(offer: string, elements: readonly Element[]): Match | undefined {
  let best: Match | undefined;
  for (const element of elements) {
    const score = scoreOf(offer, element);
    if (score !== undefined && score > (best?.score ?? -1)) best = { offer, score, q: element.q };
  }
  return best;
}

/** 100 for the same type, 10 for the same subtype, 1 for the same `+suffix` under `*+suffix`; undefined: no match. */
function scoreOf(offer: string, { type, subtype }: Element): number | undefined {
  const [ownType = "", ownSubtype = ""] = offer.split("/");
  if (type !== "*" && type !== ownType) return undefined;
  const base = type === ownType ? 100 : 0;
  if (subtype === ownSubtype) return base + 10;
  if (subtype === "*") return base;
  const [, ownSuffix] = ownSubtype.split("+");
  return ownSuffix !== undefined && subtype === `*+${ownSuffix}` ? base + 1 : undefined;
}
