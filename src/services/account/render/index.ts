/**
 * The account's codec: JSON-LD, JSON or HTML, chosen per request, and problems in the style of the settings.
 * Source: common-account-billing, Media types, Collection envelope and Errors.
 */

import type { z } from "zod";
import { type ParsedJson, parseJson } from "../../../http/json.ts";
import type { AnyOperation } from "../../../operation/operation.ts";
import type { AnyReply } from "../../../operation/problem.ts";
import type { Codec, RenderContext, Rendered } from "../../../operation/service.ts";
import { remembered } from "../../../world/recent.ts";
import { AccountSettings } from "../settings.ts";
import { forms, problemForms } from "./forms.ts";
import { formHeaders, resourcePage } from "./html.ts";
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
} from "./media.ts";
import { ownProblem } from "./own-problem.ts";
import { renderProblem } from "./problem.ts";
import { readQuery } from "./query.ts";

/** What OpenAPI and coverage know of the answers under these settings. */
export function formsUnder(settings: AccountSettings): Pick<Codec, "forms" | "problemForms"> {
  return {
    forms: (schema) => forms(schema, settings),
    problemForms: (status, operation) => problemForms(status, operation, settings),
  };
}

export const codec: Codec = {
  accepts: MEDIA_TYPES,
  exactTypes: true, // Assumed: as in API Platform
  numbers: "literal",
  parse: parsePhpJson,
  ...formsUnder(AccountSettings.parse({})),
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
  if (operation.method === "get" && exchange.media !== HTML && Object.isFrozen(value))
    return unchanged(value as object, schema, operation, context);
  const shown = toShown(schema, value, settingsOf(context));
  if (shown === undefined) {
    const plain = { ...successHeaders(exchange), "content-type": JSON_TYPE, ...headers };
    return { status, headers: plain, body: JSON.stringify(value) };
  }
  const own = { ...headers, ...located(status, shown, context) };
  const { body } = written(shown, operation, context);
  return {
    status,
    headers: { ...successHeaders(exchange), ...own, ...formHeaders(exchange.media ?? LD_JSON) },
    body,
  };
}

/** An entity as it is stored, or a page of these: its text is remembered for all that it depends on. */
function unchanged(
  value: object,
  schema: z.ZodType,
  operation: AnyOperation,
  context: RenderContext,
): Rendered {
  const { exchange } = context;
  const { profile, itemContext, dateTimes } = settingsOf(context);
  const { media, suffix, origin, base, search } = exchange;
  const key = `${media} ${suffix} ${profile} ${itemContext} ${dateTimes} ${origin}${base}${search}`;
  const { body, nextPage } = remembered(value, key, () => {
    const shown = toShown(schema, value, settingsOf(context));
    if (shown === undefined) throw new Error(`${operation.path} has no resource`);
    const result = written(shown, operation, context);
    return [result, result.body.length + key.length];
  });
  exchange.nextPage = nextPage;
  return {
    status: 200,
    headers: { ...successHeaders(exchange), ...formHeaders(exchange.media ?? LD_JSON) },
    body,
  };
}

type Written = { readonly body: string; readonly nextPage: string | undefined };

function written(shown: Shown, operation: AnyOperation, context: RenderContext): Written {
  const { exchange } = context;
  const { media = LD_JSON } = exchange;
  if (media === HTML) return { body: resourcePage(shown, exchange), nextPage: undefined };
  if (media !== LD_JSON) return { body: JSON.stringify(toPlain(shown)), nextPage: undefined };
  const body = JSON.stringify(toJsonLd(shown, operation, exchange, settingsOf(context)));
  return { body, nextPage: exchange.nextPage };
}

/** Writes return the location of the resource: its IRI as a path. The newer style names the form too. */
function located(status: number, shown: Shown, context: RenderContext): Record<string, string> {
  const { exchange, operation } = context;
  if (shown.kind === "page" || operation?.method === "get") return {};
  const iri = exchange.base + shown.resource.iri(shown.item);
  const [suffix] = [...SUFFIXES].find(([, media]) => media === exchange.media) ?? [];
  const form = settingsOf(context).profile === "api-platform-4" ? `${iri}.${suffix}` : iri;
  return { ...(status === 201 ? { Location: iri } : {}), "Content-Location": form };
}

const BYTE_ORDER_MARK = "\uFEFF";

/** The text comes with its byte order mark, if it has one: to PHP that is no JSON. */
export function parsePhpJson(text: string): ParsedJson {
  if (text.startsWith(BYTE_ORDER_MARK)) return { error: "it is not valid JSON: it has a byte order mark" };
  const parsed = parseJson(text, "literal");
  const error = parsed.error !== undefined || HINT.test(text) ? faultIn(text) : undefined;
  return error === undefined ? parsed : { error };
}

/** A surrogate, perhaps of a pair. */
const HINT = /\\u[dD][89a-fA-F]/;
const ESCAPE =
  /\\(?:["\\/bfnrt]|u(?![dD][89a-fA-F])[\da-fA-F]{4}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2})/y;
const CONTROL = 0x20;

/** What PHP's scanner stops at, if it is more than bad syntax. The end within a text is a control character to it. */
function faultIn(text: string): string | undefined {
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (text.charCodeAt(at) < CONTROL && (inText || !"\t\n\r".includes(character)))
      return "it has a control character";
    if (character === '"') inText = !inText;
    if (character !== "\\" || !inText) continue;
    ESCAPE.lastIndex = at;
    if (!ESCAPE.test(text)) return text[at + 1] === "u" ? "it has half a surrogate pair" : undefined;
    at = ESCAPE.lastIndex - 1;
  }
  return inText ? "it ends within a text, at a control character" : undefined;
}
