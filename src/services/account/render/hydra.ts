/** Hydra's page links, filters and entry point. Source: common-account-billing, Collection envelope; Assumed: which responses have them. */

import type { Exchange } from "../../../http/exchange.ts";
import type { AnyOperation } from "../../../operation/operation.ts";
import { getResourcePath, type Resource, type ResultPage, resources } from "../schemas.ts";
import type { AccountSettings } from "../settings.ts";
import { parseQuery, writeQuery } from "./query.ts";

export type HydraEntry = { readonly key: string; readonly resource: Resource; readonly path: string };

/** Lists the resources in alphabetical order, with the path of their collection. The user has no collection: its path is `/users/me`. */
export function listHydraEntries(): readonly HydraEntry[] {
  return [...resources.values()]
    .map((resource) => ({
      key: resource.name.charAt(0).toLowerCase() + resource.name.slice(1),
      resource,
      path: getResourcePath(resource),
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Assumed: the entry point lists only collections, as in API Platform. Generic Hydra clients would request the user as a list. */
export function listEntryPoint({ entryPointUser }: AccountSettings): readonly HydraEntry[] {
  return listHydraEntries().filter(({ resource }) => entryPointUser || resource.collectionPath !== undefined);
}

export function buildEntrypoint({ base }: Exchange, settings: AccountSettings) {
  return {
    "@context": `${base}/contexts/Entrypoint`,
    "@id": `${base}/`,
    "@type": "Entrypoint",
    ...Object.fromEntries(listEntryPoint(settings).map(({ key, path }) => [key, base + path])),
  };
}

type HydraView = { readonly "@id": string; readonly "@type": "hydra:PartialCollectionView" } & {
  readonly [R in "first" | "last" | "previous" | "next" as `hydra:${R}`]?: string;
};

/** Returns the path for links to the pages of a list, with the suffix of the request's path, such as `.jsonld`. */
export function buildListPath(resource: Resource, { base, suffix }: Exchange): string {
  return base + getResourcePath(resource) + (suffix === undefined ? "" : `.${suffix}`);
}

/** Query parameters that are not filters. */
const PAGING_PARAMETERS = new Set(["page", "pagination"]);

/** Builds the links to other pages. Returns undefined if the list has one page and the query has no filters. */
export function buildHydraView(
  path: string,
  search: string,
  page: ResultPage<unknown>,
): HydraView | undefined {
  const query = parseQuery(search);
  const last = BigInt(Math.max(1, Math.ceil(page.totalItems / page.pageSize)));
  const filtered = [...query.keys()].some((name) => !PAGING_PARAMETERS.has(name));
  if (last === 1n && !filtered) return undefined;

  const others = [...query].filter(([name]) => name !== "page");
  const type = "hydra:PartialCollectionView" as const;
  if (last === 1n) return { "@id": `${path}?${writeQuery(new Map(others))}`, "@type": type };
  const at = (number: bigint) => `${path}?${writeQuery(new Map([...others, ["page", String(number)]]))}`;
  return {
    "@id": at(page.page),
    "@type": type,
    "hydra:first": at(1n),
    "hydra:last": at(last),
    ...(page.page > 1n ? { "hydra:previous": at(page.page - 1n) } : {}),
    ...(page.page < last ? { "hydra:next": at(page.page + 1n) } : {}),
  };
}

/** Describes the filters of a collection, if it has any. Assumed: `page` is not a filter, as in API Platform. */
export function buildHydraSearch(path: string, operation: AnyOperation) {
  const names = Object.keys(operation.request.query.shape).map((name) => name.replace(/\[\]$/, ""));
  const fields = [...new Set(names)].filter((name) => name !== "page");
  if (fields.length === 0) return undefined;
  const variables = fields.flatMap((field) => [
    { variable: field, property: field },
    { variable: `${field}[]`, property: field },
  ]);
  return {
    "@type": "hydra:IriTemplate",
    "hydra:template": `${path}{?${variables.map(({ variable }) => variable).join(",")}}`,
    "hydra:variableRepresentation": "BasicRepresentation",
    "hydra:mapping": variables.map((names) => ({ "@type": "IriTemplateMapping", ...names, required: false })),
  };
}
