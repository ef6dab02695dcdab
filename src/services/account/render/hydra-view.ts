// Owns `hydra:view`: where a client goes from one page of a collection, with every other query parameter kept.
// Source: common-account-billing, Collection envelope; Assumed: when it is there (API Platform).

import type { Page } from "../schemas.ts";
import { parseQuery, writeQuery } from "./query.ts";

type Links = {
  readonly "@id": string;
  readonly "@type": "hydra:PartialCollectionView";
  readonly "hydra:first"?: string;
  readonly "hydra:last"?: string;
  readonly "hydra:previous"?: string;
  readonly "hydra:next"?: string;
};

/** Query parameters that alone do not make a view. */
const PAGING = new Set(["page", "pagination"]);

/** `path` with the base address. Undefined where all items are on one page and nothing was asked for but a page. */
export function hydraView(
  path: string,
  search: string,
  page: Omit<Page<unknown>, "items">,
): Links | undefined {
  const { query } = parseQuery(search);
  const last = Math.max(1, Math.ceil(page.totalItems / page.pageSize));
  const filtered = [...query.keys()].some((name) => !PAGING.has(name));
  if (last === 1 && !filtered) return undefined;

  const others = [...query].filter(([name]) => name !== "page");
  const type = "hydra:PartialCollectionView" as const;
  if (last === 1) return { "@id": `${path}?${writeQuery(new Map(others))}`, "@type": type };
  const at = (number: number): string =>
    `${path}?${writeQuery(new Map([...others, ["page", String(number)]]))}`;
  return {
    "@id": at(page.page),
    "@type": type,
    "hydra:first": at(1),
    "hydra:last": at(last),
    ...(page.page > 1 ? { "hydra:previous": at(page.page - 1) } : {}),
    ...(page.page < last ? { "hydra:next": at(page.page + 1) } : {}),
  };
}
