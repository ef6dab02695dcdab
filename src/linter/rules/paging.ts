// Whether a client reads all pages of a collection, and whether it follows the links or makes its own.
// Source: common-account-billing, Collection envelope; museum-special-events, List special events.

import type { RecordedExchange } from "../../sandbox/recorded-exchange.ts";
import type { Evidence, LintRule } from "../lint.ts";
import { callerOf, parsed, type Target } from "../traffic.ts";

export const pagingIgnored: LintRule = {
  key: "pagingIgnored",
  severity: "hint",
  title: "Reads one page of a collection that has more",
  find: (traffic) =>
    traffic.targeted().flatMap(({ exchange, target }): Evidence[] => {
      const page = Number(exchange.query["page"] ?? 1);
      const hasNext = exchange.nextPage !== undefined;
      if (exchange.status !== 200 || !(hasNext || isFull(exchange, target))) return [];
      const goesOn = traffic
        .after(exchange)
        .some((other) => isSameList(other, exchange) && Number(other.query["page"] ?? 1) === page + 1);
      const read = traffic.exchanges.some(
        (other) => isSameList(other, exchange) && Number(other.query["page"] ?? 1) > page,
      );
      if (goesOn || read) return [];
      return [
        {
          exchanges: [exchange],
          advice: hasNext
            ? "Follow hydra:next until a page has none; this page was not the last."
            : "Ask for the next page until one comes back that is not full; this page may not be the last.",
        },
      ];
    }),
};

export const pagingByHand: LintRule = {
  key: "pagingByHand",
  severity: "warning",
  title: "Builds the address of a page instead of following hydra:next",
  find: (traffic) =>
    traffic.exchanges.flatMap((exchange): Evidence[] => {
      const page = Number(exchange.query["page"] ?? 1);
      const before = traffic.exchanges.filter(
        (other) =>
          other.seq < exchange.seq && other.operation === exchange.operation && other.nextPage !== undefined,
      );
      const [shown] = before.slice(-1);
      if (!(page > 1) || shown === undefined || exchange.media !== "application/ld+json") return [];
      if (before.some((other) => linksOf(other).includes(addressOf(exchange)))) return [];
      return [
        {
          exchanges: [shown, exchange],
          advice: `Follow hydra:next as it stands (${shown.nextPage}): it keeps the filters and stays right when paging changes.`,
        },
      ];
    }),
};

/** All links of a page to pages, as far as the journal kept it. */
function linksOf({ responseBody = "", nextPage = "" }: RecordedExchange): string[] {
  const links = [...responseBody.matchAll(/"hydra:(?:first|last|next|previous)":"([^"]*)"/g)];
  return [...links.map(([, link = ""]) => link.replaceAll("\\/", "/")), nextPage];
}

function addressOf({ base, path, search }: RecordedExchange): string {
  return base + path + search;
}

/** A plain array with as many items as a page holds: nothing says whether more follow. */
function isFull({ query, responseBody }: RecordedExchange, { operation }: Target): boolean {
  const { limit, page } = operation.request.query.shape;
  if (limit === undefined || page === undefined) return false;
  const holds = limit.safeParse(query["limit"]);
  const items = parsed(responseBody);
  return holds.success && Array.isArray(items) && items.length > 0 && items.length === holds.data;
}

/** The same collection with the same filters, whatever the page. */
function isSameList(one: RecordedExchange, other: RecordedExchange): boolean {
  const filters = ({ query: { page: _page, ...rest } }: RecordedExchange): string => JSON.stringify(rest);
  return (
    one.operation === other.operation &&
    one.environment === other.environment &&
    callerOf(one) === callerOf(other) &&
    filters(one) === filters(other)
  );
}
