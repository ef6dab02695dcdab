/** Codec: reads requests, and renders JSON-LD, JSON and HTML. Source: common-account-billing, Media types, Collection envelope, Errors. */

import type { z } from "zod";
import { type ParsedJson, parseJson } from "../../../http/json.ts";
import type { AnyOperation } from "../../../operation/operation.ts";
import type { AnyReply } from "../../../operation/problem.ts";
import type { Codec, RenderContext, RenderedResponse } from "../../../operation/service.ts";
import { getCached } from "../../../world/recent.ts";
import { AccountSettings } from "../settings.ts";
import { buildErrorForms, buildMediaForms } from "./forms.ts";
import { buildFormHeaders, renderResource } from "./html.ts";
import { type ResourceView, toJsonLd, toPlain, toResourceView } from "./json-ld.ts";
import {
  buildSuccessHeaders,
  HTML,
  JSON_TYPE,
  LD_JSON,
  MEDIA_TYPES,
  negotiate,
  SUFFIXES,
  settingsOf,
} from "./media.ts";
import { toAccountProblem } from "./own-problem.ts";
import { renderProblem } from "./problem.ts";
import { readPhpQuery } from "./query.ts";

/** Returns schemas of the response bodies under these settings, for example for OpenAPI and the coverage report. */
export function buildCodecForms(settings: AccountSettings): Pick<Codec, "forms" | "problemForms"> {
  return {
    forms: (schema) => buildMediaForms(schema, settings),
    problemForms: (status, operation) => buildErrorForms(status, operation, settings),
  };
}

export const codec: Codec = {
  accepts: MEDIA_TYPES,
  exactTypes: true, // Assumed: media types are case-sensitive, as in API Platform.
  numbers: "literal",
  parse: parsePhpJson,
  ...buildCodecForms(AccountSettings.parse({})),
  negotiate,
  query: readPhpQuery,
  body: toFields,
  refusesUnknown: () => false,
  ownProblem: toAccountProblem,
  render,
  renderProblem,
};

/** Removes the read-only fields `@id`, `@type` and `@context` from a request body. A list becomes an empty object, as in PHP. */
function toFields(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { "@id": _id, "@type": _type, "@context": _context, ...fields } = value as Record<string, unknown>;
  return Array.isArray(value) ? {} : fields;
}

function render({ status, value, headers }: AnyReply, context: RenderContext): RenderedResponse {
  const { exchange, operation } = context;
  const schema = operation?.responses[status];
  if (value === undefined || operation === undefined || schema === undefined)
    return { status, headers: { ...buildSuccessHeaders(exchange), ...headers }, body: undefined };
  if (operation.method === "get" && exchange.media !== HTML && Object.isFrozen(value))
    return renderCached(value as object, schema, operation, context);
  const shown = toResourceView(schema, value, settingsOf(context));
  if (shown === undefined) {
    const plain = { ...buildSuccessHeaders(exchange), "content-type": JSON_TYPE, ...headers };
    return { status, headers: plain, body: JSON.stringify(value) };
  }
  const { body } = renderBody(shown, operation, context);
  const own = { ...headers, ...buildLocation(status, shown, context) };
  const all = { ...buildSuccessHeaders(exchange), ...own, ...buildFormHeaders(exchange.media ?? LD_JSON) };
  return { status, headers: all, body };
}

/** Renders an entity or a page. The cache key consists of all values that the body depends on. */
function renderCached(value: object, schema: z.ZodType, operation: AnyOperation, context: RenderContext) {
  const { exchange } = context;
  const { profile, itemContext, dateTimes } = settingsOf(context);
  const { media, suffix, origin, base, search } = exchange;
  const key = `${media} ${suffix} ${profile} ${itemContext} ${dateTimes} ${origin}${base}${search}`;
  const { body, nextPage } = getCached(value, key, () => {
    const shown = toResourceView(schema, value, settingsOf(context));
    if (shown === undefined) throw new Error(`${operation.path} has no resource`);
    const result = renderBody(shown, operation, context);
    return [result, result.body.length + key.length];
  });
  exchange.nextPage = nextPage;
  const headers = { ...buildSuccessHeaders(exchange), ...buildFormHeaders(exchange.media ?? LD_JSON) };
  return { status: 200, headers, body };
}

type RenderedBody = { readonly body: string; readonly nextPage: string | undefined };

function renderBody(shown: ResourceView, operation: AnyOperation, context: RenderContext): RenderedBody {
  const { exchange } = context;
  const { media = LD_JSON } = exchange;
  if (media === HTML) return { body: renderResource(shown, exchange), nextPage: undefined };
  if (media !== LD_JSON) return { body: JSON.stringify(toPlain(shown)), nextPage: undefined };
  const body = JSON.stringify(toJsonLd(shown, operation, exchange, settingsOf(context)));
  return { body, nextPage: exchange.nextPage };
}

/** Builds `Location` and `Content-Location`. In API Platform 4, `Content-Location` ends in the media type's suffix, such as `.jsonld`. */
function buildLocation(status: number, shown: ResourceView, context: RenderContext): Record<string, string> {
  const { exchange, operation } = context;
  if (shown.kind === "page" || operation?.method === "get") return {};
  const iri = exchange.base + shown.resource.iri(shown.item);
  const [suffix] = [...SUFFIXES].find(([, media]) => media === exchange.media) ?? [];
  const form = settingsOf(context).profile === "api-platform-4" ? `${iri}.${suffix}` : iri;
  return { ...(status === 201 ? { Location: iri } : {}), "Content-Location": form };
}

/** Parses JSON like PHP: rejects a byte order mark, and reports the kinds of errors that PHP distinguishes. */
export function parsePhpJson(text: string): ParsedJson {
  if (text.startsWith("\uFEFF")) return { error: "it is not valid JSON: it has a byte order mark" };
  const parsed = parseJson(text, "literal");
  const error = parsed.error !== undefined || SURROGATE_ESCAPE.test(text) ? findPhpError(text) : undefined;
  return error === undefined ? parsed : { error };
}

/** Escape sequence of a UTF-16 surrogate, alone or in a pair. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;
const ESCAPE =
  /\\(?:["\\/bfnrt]|u(?![dD][89a-fA-F])[\da-fA-F]{4}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2})/y;

/** Finds errors that PHP does not report as a syntax error, such as control characters and unpaired surrogates. */
function findPhpError(text: string): string | undefined {
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character < " " && (inString || !"\t\n\r".includes(character))) return "it has a control character";
    if (character === '"') inString = !inString;
    if (character !== "\\" || !inString) continue;
    ESCAPE.lastIndex = at;
    if (!ESCAPE.test(text)) return text[at + 1] === "u" ? "it has half a surrogate pair" : undefined;
    at = ESCAPE.lastIndex - 1;
  }
  return inString ? "it ends within a text, at a control character" : undefined;
}
