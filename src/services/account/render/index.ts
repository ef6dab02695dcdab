/**
 * The account's codec: JSON-LD, JSON or HTML, chosen per request, and problems in the style of the settings.
 * Source: common-account-billing, Media types, Collection envelope and Errors.
 */

import type { AnyReply } from "../../../operation/operation.ts";
import type { Codec, RenderContext, Rendered } from "../../../operation/service.ts";
import { forms, problemForms } from "./forms.ts";
import { pageHeaders, resourcePage } from "./html.ts";
import { type Shown, toJsonLd, toPlain, toShown } from "./json-ld.ts";
import {
  HTML,
  JSON_TYPE,
  LD_JSON,
  MEDIA_TYPES,
  negotiate,
  SUFFIXES,
  settingsOf,
  successHeaders,
  withCharset,
} from "./media.ts";
import { ownProblem } from "./own-problem.ts";
import { renderProblem } from "./problem.ts";
import { readQuery } from "./query.ts";

export const codec: Codec = {
  accepts: MEDIA_TYPES,
  exactTypes: true, // Assumed: as in API Platform
  numbers: "literal",
  forms,
  problemForms,
  negotiate,
  query: readQuery,
  body: toFields,
  refusesUnknown: () => false,
  ownProblem,
  render,
  renderProblem,
};

/** `@id`, `@type` and `@context` are read only; to PHP a list is an array like an object, without any known field. */
function toFields(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { "@id": _id, "@type": _type, "@context": _context, ...fields } = value as Record<string, unknown>;
  return Array.isArray(value) ? {} : fields;
}

function render({ status, value, headers }: AnyReply, context: RenderContext): Rendered {
  const { exchange, operation } = context;
  const schema = operation?.responses[status];
  if (value === undefined || operation === undefined || schema === undefined)
    return { status, headers: { ...successHeaders(exchange), ...headers }, body: undefined };
  const settings = settingsOf(context);
  const shown = toShown(schema, value, settings);
  if (shown === undefined) {
    const plain = { ...successHeaders(exchange), "content-type": JSON_TYPE, ...headers };
    return { status, headers: plain, body: JSON.stringify(value) };
  }
  const media = exchange.media ?? LD_JSON;
  const own = { ...headers, ...located(status, shown, context), "content-type": withCharset(media) };
  const all = { ...successHeaders(exchange), ...own };
  if (media === HTML)
    return { status, headers: { ...all, ...pageHeaders }, body: resourcePage(shown, exchange) };
  const body = media === LD_JSON ? toJsonLd(shown, operation, exchange, settings) : toPlain(shown);
  return { status, headers: all, body: JSON.stringify(body) };
}

/** Writes return the location of the resource: its IRI as a path. The newer style names the form too. */
function located(status: number, shown: Shown, context: RenderContext): Record<string, string> {
  const { exchange, operation } = context;
  if (shown.kind === "page" || operation?.method === "get") return {};
  const iri = exchange.base + shown.resource.iri(shown.item);
  const suffix = Object.keys(SUFFIXES).find((name) => SUFFIXES[name] === exchange.media);
  const form = settingsOf(context).profile === "api-platform-4" ? `${iri}.${suffix}` : iri;
  return { ...(status === 201 ? { Location: iri } : {}), "Content-Location": form };
}
