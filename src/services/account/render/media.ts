/** Media types and headers of answers, and the choice by Accept. Source: common-account-billing, Media types. */

import { parseAccept } from "hono/utils/accept";
import type { Exchange } from "../../../http/exchange.ts";
import { fail, type StandardProblem } from "../../../operation/problem.ts";
import type { RenderContext } from "../../../operation/service.ts";
import { BoundedCache } from "../../../world/recent.ts";
import { Credentials } from "../schemas.ts";
import type { AccountSettings } from "../settings.ts";

export const LD_JSON = "application/ld+json";
export const JSON_TYPE = "application/json";
export const HTML = "text/html";

/** In the service's order of preference: a client without a preference gets the first. */
export const MEDIA_TYPES: readonly string[] = [LD_JSON, JSON_TYPE, HTML];

/** `/consumptions.json` asks for the form where Accept leaves the choice. Assumed: API Platform's formats. */
export const SUFFIXES: ReadonlyMap<string, string> = new Map([
  ["jsonld", LD_JSON],
  ["json", JSON_TYPE],
  ["html", HTML],
]);

export function withCharset(media: string): string {
  return `${media}; charset=utf-8`;
}

/** `"application/ld+json", "application/json"`, as messages list them. */
export function quoteTypes(types: readonly string[]): string {
  return types.map((type) => `"${type}"`).join(", ");
}

type AcceptElement = { readonly type: string; readonly subtype: string; readonly q: number };
type OfferMatch = { readonly offer: string; readonly score: number; readonly q: number };

/**
 * The best of `offered` (in order of preference), or undefined when none is acceptable. A header that is missing, empty
 * or `0` leaves the choice to the service.
 */
export function chooseMedia(accept: string | null, offered: readonly string[]): string | undefined {
  if (accept === null || accept.trim() === "" || accept.trim() === "0") return offered[0];
  const elements = acceptCache.get(accept) ?? acceptCache.set(accept, readAccept(accept));
  return offered
    .map((offer) => findBestMatch(offer, elements))
    .filter((match) => match !== undefined)
    .sort((one, other) => other.q - one.q)[0]?.offer; // stable: equal weights stay in order of preference
}

/** By their header: a client sends the same one again and again. */
const acceptCache = new BoundedCache<readonly AcceptElement[]>(100);

/**
 * The elements that can match an offer at all, in the order sent: parseAccept would sort them by weight, so it gets
 * one at a time. Broken ones are skipped.
 */
function readAccept(header: string): AcceptElement[] {
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

/** The element that matches this offer most specifically; the first among equals. */
function findBestMatch(offer: string, elements: readonly AcceptElement[]): OfferMatch | undefined {
  let best: OfferMatch | undefined;
  for (const element of elements) {
    const score = scoreOffer(offer, element);
    if (score !== undefined && score > (best?.score ?? -1)) best = { offer, score, q: element.q };
  }
  return best;
}

/** 100 for the same type, 10 for the same subtype, 1 for the same `+suffix` under `*+suffix`; undefined: no match. */
function scoreOffer(offer: string, { type, subtype }: AcceptElement): number | undefined {
  const [ownType = "", ownSubtype = ""] = offer.split("/");
  if (type !== "*" && type !== ownType) return undefined;
  const base = type === ownType ? 100 : 0;
  if (subtype === ownSubtype) return base + 10;
  if (subtype === "*") return base;
  const [, ownSuffix] = ownSubtype.split("+");
  return ownSuffix !== undefined && subtype === `*+${ownSuffix}` ? base + 1 : undefined;
}

export function settingsOf({ settings }: Pick<RenderContext, "settings">): AccountSettings {
  return settings as AccountSettings; // checked against AccountSettings when the sandbox took them
}

/** Sign-in is not a resource: JSON alone, with error bodies of its own. */
export function isLogin({ operation }: RenderContext): boolean {
  return operation?.request.body === Credentials;
}

/** The media type of the answer, or why there is none. A suffix of the path leaves one form to choose from. */
export function negotiate(context: RenderContext): string | StandardProblem {
  const { headers, suffix } = context.exchange;
  if (isLogin(context)) return suffix === undefined ? JSON_TYPE : fail("pathNotFound");
  if (suffix !== undefined && !SUFFIXES.has(suffix)) return fail("pathNotFound", { title: suffix });
  return chooseMedia(headers.get("accept"), listOffers(suffix)) ?? fail("notAcceptable");
}

export function listOffers(suffix: string | undefined): readonly string[] {
  const own = SUFFIXES.get(suffix ?? "");
  return own === undefined ? MEDIA_TYPES : [own];
}

/** The form that Symfony itself chooses: the first supported one that Accept names, or a page if it names none. */
export function chooseSymfonyMedia({ headers }: RenderContext["exchange"]): string {
  const named = (headers.get("accept") ?? "").split(",").map((text) => text.split(";")[0]?.trim() ?? "");
  return named.find((media) => MEDIA_TYPES.includes(media)) ?? HTML;
}

/** The form of a refusal: the one negotiated, or negotiable; undefined: none is acceptable. */
export function chooseErrorMedia(context: RenderContext): string | undefined {
  const { media, headers, suffix } = context.exchange;
  if (suffix !== undefined && !SUFFIXES.has(suffix)) return undefined;
  return media ?? chooseMedia(headers.get("accept"), MEDIA_TYPES);
}

const API_DOCUMENTATION = "http://www.w3.org/ns/hydra/core#apiDocumentation";
const ERROR_CONTEXT = '<http://www.w3.org/ns/hydra/error>; rel="http://www.w3.org/ns/json-ld#error"';

export function buildCommonHeaders(exchange: Exchange): Record<string, string> {
  return {
    "cache-control": "no-cache, private",
    "x-content-type-options": "nosniff",
    "x-frame-options": "deny",
    link: `<${exchange.origin}${exchange.base}/docs.jsonld>; rel="${API_DOCUMENTATION}"`,
  };
}

export function buildSuccessHeaders(exchange: Exchange): Record<string, string> {
  return { ...buildCommonHeaders(exchange), vary: "Accept" };
}

/** The newer style points from JSON-LD to the context of errors, too. */
export function buildErrorHeaders(
  exchange: Exchange,
  media: string | undefined,
  { profile }: AccountSettings,
): Record<string, string> {
  const headers = buildCommonHeaders(exchange);
  return profile === "api-platform-4" && media === LD_JSON
    ? { ...headers, link: `${headers["link"]},${ERROR_CONTEXT}` }
    : headers;
}
