/** Media types, content negotiation and headers. Source: common-account-billing, Media types. */

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

/** Media types in order of preference. The first one is the default. */
export const MEDIA_TYPES: readonly string[] = [LD_JSON, JSON_TYPE, HTML];

/** Media types by path suffix, as in `/consumptions.json`. Assumed: the formats of API Platform. */
export const SUFFIXES: ReadonlyMap<string, string> = new Map([
  ["jsonld", LD_JSON],
  ["json", JSON_TYPE],
  ["html", HTML],
]);

export function withCharset(media: string): string {
  return `${media}; charset=utf-8`;
}

/** Formats types for messages: `"application/ld+json", "application/json"`. */
export function quoteTypes(types: readonly string[]): string {
  return types.map((type) => `"${type}"`).join(", ");
}

type AcceptElement = { readonly type: string; readonly subtype: string; readonly q: number };
type OfferMatch = { readonly offer: string; readonly score: number; readonly q: number };

/** Returns the offered type that `accept` prefers, or undefined. If the header is missing, empty or `0`, returns the first offered type. */
export function chooseMedia(accept: string | null, offered: readonly string[]): string | undefined {
  if (accept === null || accept.trim() === "" || accept.trim() === "0") return offered[0];
  const elements = acceptCache.get(accept) ?? acceptCache.set(accept, readAccept(accept));
  return offered
    .map((offer) => findBestMatch(offer, elements))
    .filter((match) => match !== undefined)
    .sort((a, b) => b.q - a.q)[0]?.offer; // The sort is stable: types with equal `q` stay in the order of `offered`.
}

/** Cache of parsed Accept headers, because clients send the same header repeatedly. */
const acceptCache = new BoundedCache<readonly AcceptElement[]>(100);

/** Parses each element of an Accept header separately, because parseAccept sorts. Skips elements that are invalid or have parameters. */
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

/** Finds the most specific element that matches the offer. Of equally specific elements, returns the first. */
function findBestMatch(offer: string, elements: readonly AcceptElement[]): OfferMatch | undefined {
  let best: OfferMatch | undefined;
  for (const element of elements) {
    const score = scoreOffer(offer, element);
    if (score !== undefined && score > (best?.score ?? -1)) best = { offer, score, q: element.q };
  }
  return best;
}

/** Scores how specific a match is: 100 for the same type, 10 for the same subtype, 1 for a pattern like `*+json`. Undefined: no match. */
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
  return settings as AccountSettings; // Safe cast: the sandbox has validated the settings.
}

/** Whether the operation is the login, which only supports JSON and has its own error bodies. */
export function isLogin({ operation }: RenderContext): boolean {
  return operation?.request.body === Credentials;
}

/** Returns the media type of the response, or a problem. A path with a suffix, such as `.json`, allows only the suffix's media type. */
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

/** Returns the media type of an error that Symfony returns: the first supported type in `Accept`, or HTML. */
export function chooseSymfonyMedia({ headers }: RenderContext["exchange"]): string {
  const named = (headers.get("accept") ?? "").split(",").map((text) => text.split(";")[0]?.trim() ?? "");
  return named.find((media) => MEDIA_TYPES.includes(media)) ?? HTML;
}

/** Returns the media type of an error. Undefined if the request accepts no supported type, or its path has an unknown suffix. */
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

/** Builds the headers of an error. With API Platform 4, adds a Link to the JSON-LD context of errors. */
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
