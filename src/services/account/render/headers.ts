// Owns the headers that every answer of the account carries. Assumed throughout (API Platform on Symfony): the document
// shows no response headers.

import type { Exchange } from "../../../operation/exchange.ts";
import type { AccountSettings } from "../settings.ts";

const API_DOCUMENTATION = "http://www.w3.org/ns/hydra/core#apiDocumentation";
const ERROR_CONTEXT = '<http://www.w3.org/ns/hydra/error>; rel="http://www.w3.org/ns/json-ld#error"';

/** On successes and refusals alike. */
export function commonHeaders(exchange: Exchange): Record<string, string> {
  return {
    "cache-control": "no-cache, private",
    "x-content-type-options": "nosniff",
    "x-frame-options": "deny",
    link: `<${exchange.origin}${exchange.base}/docs.jsonld>; rel="${API_DOCUMENTATION}"`,
  };
}

export function successHeaders(exchange: Exchange): Record<string, string> {
  return { ...commonHeaders(exchange), vary: "Accept" };
}

/** The newer style also points to the context of errors. */
export function errorHeaders(exchange: Exchange, { profile }: AccountSettings): Record<string, string> {
  const headers = commonHeaders(exchange);
  return profile === "api-platform-4" ? { ...headers, link: `${headers["link"]},${ERROR_CONTEXT}` } : headers;
}
