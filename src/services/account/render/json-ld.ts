/**
 * The JSON-LD form of items and collections, and the contexts that define their names. Independent of HTTP.
 * Source: common-account-billing, Media types and Collection envelope; Assumed: keys beyond those (API Platform).
 */

import { z } from "zod";
import type { Exchange } from "../../../http/exchange.ts";
import { bare, type Schema } from "../../../operation/fields.ts";
import type { AnyOperation } from "../../../operation/operation.ts";
import { type Page, pages, pathOf, type Resource, resources } from "../schemas.ts";
import type { AccountSettings } from "../settings.ts";
import { entryPoint, hydraSearch, hydraView, listAddress } from "./hydra.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** What is shown: one item, or one page of a collection. */
export type Shown = { readonly resource: Resource } & (
  | { readonly kind: "item"; readonly item: Fields }
  | { readonly kind: "page"; readonly page: Page<Fields> }
);

/** Reads a reply by its schema; undefined: not a resource of the account. Fields that the schema lacks are left out. */
export function toShown(schema: z.ZodType, value: unknown, settings: AccountSettings): Shown | undefined {
  const itemSchema = pages.get(schema) ?? schema;
  const resource = resources.get(itemSchema);
  if (resource === undefined || !(itemSchema instanceof z.ZodObject)) return undefined;
  // The pipeline has checked the value against this very schema.
  if (itemSchema === schema)
    return { resource, kind: "item", item: plain(itemSchema, value as Fields, settings) };
  const page = value as Page<Fields>;
  return {
    resource,
    kind: "page",
    page: { ...page, items: page.items.map((item) => plain(itemSchema, item, settings)) },
  };
}

/** The form of `application/json`: the plain field set, or an array of these. */
export function toPlain(shown: Shown): unknown {
  return shown.kind === "item" ? shown.item : shown.page.items;
}

/** `operation` is the one that answers: a collection describes its filters. */
export function toJsonLd(
  shown: Shown,
  operation: AnyOperation,
  exchange: Exchange,
  settings: AccountSettings,
): Fields {
  return shown.kind === "item"
    ? itemDocument(shown.resource, shown.item, exchange, settings)
    : collectionDocument(shown.resource, shown.page, operation, exchange, settings);
}

function itemDocument(
  resource: Resource,
  item: Fields,
  exchange: Exchange,
  settings: AccountSettings,
): Fields {
  const context =
    settings.itemContext === "link"
      ? `${exchange.base}/contexts/${resource.name}`
      : {
          "@vocab": vocabulary(exchange),
          hydra: HYDRA,
          ...Object.fromEntries(Object.keys(item).map((name) => [name, `${resource.name}Output/${name}`])),
        };
  return { "@context": context, ...node(resource, item, exchange, settings) };
}

/** An item as it appears in a collection. With an inline context the type comes first, as the service does for DTOs. */
function node(
  resource: Resource,
  item: Fields,
  { base }: Exchange,
  { itemContext }: AccountSettings,
): Fields {
  const id = { "@id": base + resource.iri(item) };
  const type = { "@type": resource.name };
  return itemContext === "link" ? { ...id, ...type, ...item } : { ...type, ...id, ...item };
}

function collectionDocument(
  resource: Resource,
  page: Page<Fields>,
  operation: AnyOperation,
  exchange: Exchange,
  settings: AccountSettings,
): Fields {
  const member = { "hydra:member": page.items.map((item) => node(resource, item, exchange, settings)) };
  const total = { "hydra:totalItems": page.totalItems };
  const address = listAddress(resource, exchange);
  const view = hydraView(address, exchange.search, page);
  if (view?.["hydra:next"] !== undefined) exchange.nextPage = view["hydra:next"];
  const search = hydraSearch(address, operation);
  return {
    "@context": `${exchange.base}/contexts/${resource.name}`,
    "@id": exchange.base + pathOf(resource),
    "@type": "hydra:Collection",
    ...(settings.profile === "api-platform-4" ? { ...total, ...member } : { ...member, ...total }),
    ...(view === undefined ? {} : { "hydra:view": view }),
    ...(search === undefined ? {} : { "hydra:search": search }),
  };
}

/** The names of a schema's fields, and of those that are instants, which are written in the form of the settings. */
type Plan = { readonly names: readonly string[]; readonly instants: ReadonlySet<string> };
const plans = new WeakMap<z.ZodObject, Plan>();

function planOf(schema: z.ZodObject): Plan {
  let plan = plans.get(schema);
  if (plan === undefined) {
    const names = Object.keys(schema.shape);
    plan = { names, instants: new Set(names.filter((name) => kindOf(schema.shape[name]) === "dateTime")) };
    plans.set(schema, plan);
  }
  return plan;
}

function plain(schema: z.ZodObject, value: Fields, { dateTimes }: AccountSettings): Fields {
  const { names, instants } = planOf(schema);
  const fields: Record<string, unknown> = {};
  for (const name of names) {
    const own = value[name];
    if (own === undefined) continue;
    fields[name] = dateTimes === "Z" && instants.has(name) ? String(own).replace(/\+00:00$/, "Z") : own;
  }
  return fields;
}

export const HYDRA = "http://www.w3.org/ns/hydra/core#";

/** What names without a prefix are relative to. */
export function vocabulary({ origin, base }: Exchange): string {
  return `${origin}${base}/docs.jsonld#`;
}

/** The context document of a name, or undefined if there is none. */
export function contextDocument(name: string, exchange: Exchange, settings: AccountSettings): unknown {
  const terms = termsOf(name, settings);
  if (terms === undefined) return undefined;
  return { "@context": { "@vocab": vocabulary(exchange), hydra: HYDRA, ...terms } };
}

function termsOf(name: string, settings: AccountSettings): Readonly<Record<string, unknown>> | undefined {
  if (name === "Error" || name === "ConstraintViolationList" || name === "ConstraintViolation") return {};
  if (name === "Entrypoint") {
    return Object.fromEntries(
      entryPoint(settings).map(({ key }) => [key, { "@id": `Entrypoint/${key}`, "@type": "@id" }]),
    );
  }
  const [schema] = [...resources].find(([, resource]) => resource.name === name) ?? [];
  if (!(schema instanceof z.ZodObject)) return undefined;
  return Object.fromEntries(Object.keys(schema.shape).map((field) => [field, `${name}/${field}`]));
}

export type FieldKind = "integer" | "boolean" | "dateTime" | "string";

export function kindOf(field: unknown): FieldKind {
  const type: unknown = bare(field as Schema); // it may be any value
  if (type instanceof z.ZodNumber) return "integer";
  if (type instanceof z.ZodBoolean) return "boolean";
  const wire = type instanceof z.ZodType ? z.globalRegistry.get(type)?.["wire"] : undefined;
  return (wire as { format?: unknown } | undefined)?.format === "date-time" ? "dateTime" : "string"; // `wire` is JSON Schema
}
