/** Lint rules for paging. Source: common-account-billing, Collection envelope; museum-special-events, List special events. */

import type { RecordedExchange } from "../../journal/recorded-exchange.ts";
import type { LintRule } from "../lint-rule.ts";
import { getCaller, groupBy, type TargetedExchange, tryParseJson } from "../traffic.ts";

export const pagingIgnored: LintRule = {
  key: "pagingIgnored",
  severity: "hint",
  title: "Reads one page of a collection that has more",
  *find(traffic) {
    for (const reads of groupBy(traffic.listReads(), ({ exchange }) => buildListKey(exchange))) {
      const furthest = Math.max(...reads.map(({ exchange }) => getPageNumber(exchange)));
      const last = reads.filter(({ exchange }) => getPageNumber(exchange) === furthest);
      const unread = last.filter((read) => read.exchange.nextPage !== undefined || isFull(read));
      if (unread.length < last.length) continue;
      yield {
        exchanges: unread.map(({ exchange }) => exchange),
        advice:
          unread[0]?.exchange.nextPage === undefined
            ? "Request pages until one is not full. This page was full, so it may not be the last."
            : "Follow hydra:next until a page has no hydra:next. This page was not the last.",
      };
    }
  },
};

export const pagingByHand: LintRule = {
  key: "pagingByHand",
  severity: "warning",
  title: "Builds the URL of a page instead of following hydra:next",
  *find(traffic) {
    const shown = new Map<string, { links: Set<string>; last: RecordedExchange }>();
    const built: { exchange: RecordedExchange; before: RecordedExchange }[] = [];
    for (const exchange of traffic.exchanges) {
      const { operation = "", media, nextPage, base, path, search } = exchange;
      const before = shown.get(operation);
      if (before !== undefined && media === "application/ld+json" && getPageNumber(exchange) > 1)
        if (!before.links.has(base + path + search)) built.push({ exchange, before: before.last });
      if (nextPage === undefined) continue;
      const links = [...(before?.links ?? []), ...collectLinks(exchange)];
      shown.set(operation, { links: new Set(links), last: exchange });
    }
    for (const group of groupBy(built, ({ before }) => String(before.seq))) {
      const [{ before } = { before: undefined }] = group;
      yield {
        exchanges: [...(before === undefined ? [] : [before]), ...group.map(({ exchange }) => exchange)],
        advice: `Request the URL in hydra:next unchanged (${before?.nextPage}): it contains the filters, and stays valid if paging changes.`,
      };
    }
  },
};

/** Returns the links to other pages in the recorded part of the body. */
function collectLinks({ responseBody = "", nextPage = "" }: RecordedExchange): string[] {
  const links = [...responseBody.matchAll(/"hydra:(?:first|last|next|previous)":"([^"]*)"/g)];
  return [...links.map(([, link = ""]) => link.replaceAll("\\/", "/")), nextPage];
}

/** Whether the body is an array with as many items as `limit`, so that another page may follow. */
function isFull({ exchange: { query, responseBody }, target }: TargetedExchange): boolean {
  const { limit, page } = target.operation.request.query.shape;
  if (limit === undefined || page === undefined) return false;
  const size = limit.safeParse(query["limit"]);
  const items = tryParseJson(responseBody);
  return size.success && Array.isArray(items) && items.length > 0 && items.length === size.data;
}

/** Returns the same key for all pages that one caller reads from one collection with the same filters. */
function buildListKey(exchange: RecordedExchange): string {
  const { page: _page, ...filters } = exchange.query;
  return JSON.stringify([exchange.operation, exchange.environment, getCaller(exchange), filters]);
}

function getPageNumber({ query }: RecordedExchange): number {
  return Number(query["page"] ?? 1);
}
