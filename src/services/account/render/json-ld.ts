/** Renders JSON-LD and its contexts. Source: common-account-billing, Media types; Assumed: all other fields, as in API Platform. */

import { z } from "zod";
import type { Exchange } from "../../../http/exchange.ts";
import { type AnySchema, stripWrappers } from "../../../operation/fields.ts";
import type { AnyOperation } from "../../../operation/operation.ts";
import { getResourcePath, pages, type Resource, type ResultPage, resources } from "../schemas.ts";
import type { AccountSettings } from "../settings.ts";
import { buildHydraSearch, buildHydraView, buildListPath, listEntryPoint } from "./hydra.ts";

export type ResourceFields = Readonly<Record<string, unknown>>;

/** An item or a page of a collection, with its type of resource, before it is rendered. */
export type ResourceView = { readonly resource: Resource } & (
  | { readonly kind: "item"; readonly item: ResourceFields }
  | { readonly kind: "page"; readonly page: ResultPage<ResourceFields> }
);

/** Returns the fields of `value` that the schema declares. Returns undefined if the schema is not in `resources`. */
export function toResourceView(
  schema: z.ZodType,
  value: unknown,
  settings: AccountSettings,
): ResourceView | undefined {
  const itemSchema = pages.get(schema) ?? schema;
  const resource = resources.get(itemSchema);
  if (resource === undefined || !(itemSchema instanceof z.ZodObject)) return undefined;
  // Safe casts: the pipeline has validated the value with this schema.
  if (itemSchema === schema)
    return { resource, kind: "item", item: pickFields(itemSchema, value as ResourceFields, settings) };
  const page = value as ResultPage<ResourceFields>;
  const items = page.items.map((item) => pickFields(itemSchema, item, settings));
  return { resource, kind: "page", page: { ...page, items } };
}

/** Returns the body for `application/json`. */
export function toPlain(shown: ResourceView): unknown {
  return shown.kind === "item" ? shown.item : shown.page.items;
}

/** Returns the body for `application/ld+json`. The filters of a collection are the query parameters of `operation`. */
export function toJsonLd(
  shown: ResourceView,
  operation: AnyOperation,
  exchange: Exchange,
  settings: AccountSettings,
): ResourceFields {
  return shown.kind === "item"
    ? buildItem(shown.resource, shown.item, exchange, settings)
    : buildCollection(shown.resource, shown.page, operation, exchange, settings);
}

function buildItem(
  resource: Resource,
  item: ResourceFields,
  exchange: Exchange,
  settings: AccountSettings,
): ResourceFields {
  const context =
    settings.itemContext === "link"
      ? `${exchange.base}/contexts/${resource.name}`
      : {
          "@vocab": buildVocabulary(exchange),
          hydra: HYDRA,
          ...Object.fromEntries(Object.keys(item).map((name) => [name, `${resource.name}Output/${name}`])),
        };
  return { "@context": context, ...buildNode(resource, item, exchange, settings) };
}

/** Builds an item without `@context`. With `itemContext: "inline"`, `@type` is the first key, as for DTOs in API Platform. */
function buildNode(
  resource: Resource,
  item: ResourceFields,
  { base }: Exchange,
  { itemContext }: AccountSettings,
): ResourceFields {
  const id = { "@id": base + resource.iri(item) };
  const type = { "@type": resource.name };
  return itemContext === "link" ? { ...id, ...type, ...item } : { ...type, ...id, ...item };
}

function buildCollection(
  resource: Resource,
  page: ResultPage<ResourceFields>,
  operation: AnyOperation,
  exchange: Exchange,
  settings: AccountSettings,
): ResourceFields {
  const member = { "hydra:member": page.items.map((item) => buildNode(resource, item, exchange, settings)) };
  const total = { "hydra:totalItems": page.totalItems };
  const address = buildListPath(resource, exchange);
  const view = buildHydraView(address, exchange.search, page);
  if (view?.["hydra:next"] !== undefined) exchange.nextPage = view["hydra:next"];
  const search = buildHydraSearch(address, operation);
  return {
    "@context": `${exchange.base}/contexts/${resource.name}`,
    "@id": exchange.base + getResourcePath(resource),
    "@type": "hydra:Collection",
    ...(settings.profile === "api-platform-4" ? { ...total, ...member } : { ...member, ...total }),
    ...(view === undefined ? {} : { "hydra:view": view }),
    ...(search === undefined ? {} : { "hydra:search": search }),
  };
}

/** Fields of a schema. `instants`: the fields with a date-time, which the setting `dateTimes` formats. */
type FieldPlan = { readonly names: readonly string[]; readonly instants: ReadonlySet<string> };
const plans = new WeakMap<z.ZodObject, FieldPlan>();

function getFieldPlan(schema: z.ZodObject): FieldPlan {
  let plan = plans.get(schema);
  if (plan === undefined) {
    const names = Object.keys(schema.shape);
    const instants = names.filter((name) => getFieldKind(schema.shape[name]) === "dateTime");
    plan = { names, instants: new Set(instants) };
    plans.set(schema, plan);
  }
  return plan;
}

function pickFields(schema: z.ZodObject, value: ResourceFields, { dateTimes }: AccountSettings) {
  const { names, instants } = getFieldPlan(schema);
  const fields: Record<string, unknown> = {};
  for (const name of names) {
    const own = value[name];
    if (own === undefined) continue;
    fields[name] = dateTimes === "Z" && instants.has(name) ? String(own).replace(/\+00:00$/, "Z") : own;
  }
  return fields;
}

export const HYDRA = "http://www.w3.org/ns/hydra/core#";

/** Returns the `@vocab` of a context: the base IRI of terms without a prefix. */
export function buildVocabulary({ origin, base }: Exchange): string {
  return `${origin}${base}/docs.jsonld#`;
}

export function buildContext(name: string, exchange: Exchange, settings: AccountSettings): unknown {
  const terms = collectTerms(name, settings);
  if (terms === undefined) return undefined;
  return { "@context": { "@vocab": buildVocabulary(exchange), hydra: HYDRA, ...terms } };
}

function collectTerms(name: string, settings: AccountSettings): ResourceFields | undefined {
  if (name === "Error" || name === "ConstraintViolationList" || name === "ConstraintViolation") return {};
  if (name === "Entrypoint") {
    return Object.fromEntries(
      listEntryPoint(settings).map(({ key }) => [key, { "@id": `Entrypoint/${key}`, "@type": "@id" }]),
    );
  }
  const [schema] = [...resources].find(([, resource]) => resource.name === name) ?? [];
  if (!(schema instanceof z.ZodObject)) return undefined;
  return Object.fromEntries(Object.keys(schema.shape).map((field) => [field, `${name}/${field}`]));
}

export type FieldKind = "integer" | "boolean" | "dateTime" | "string";

export function getFieldKind(field: unknown): FieldKind {
  const type: unknown = stripWrappers(field as AnySchema); // Safe cast: stripWrappers accepts any value.
  if (type instanceof z.ZodNumber) return "integer";
  if (type instanceof z.ZodBoolean) return "boolean";
  const wire = type instanceof z.ZodType ? z.globalRegistry.get(type)?.["wire"] : undefined;
  return (wire as { format?: unknown } | undefined)?.format === "date-time" ? "dateTime" : "string"; // Safe cast: `wire` is an object.
}
