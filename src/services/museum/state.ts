/** Domain logic of the museum, independent of HTTP: date ranges, order and pages of events, hours, tickets. */

import type { ValidationIssue } from "../../operation/issue.ts";
import type { Environment } from "../../operation/service.ts";
import { getCached, toJsonString } from "../../world/recent.ts";
import type { StoreCollection } from "../../world/store.ts";
import { addDays, type CalendarDate, countDays, MAX_DATE } from "../../world/time.ts";
import type { World } from "../../world/world.ts";
import {
  LIMIT_RULE,
  MAX_PER_PAGE,
  type MuseumSettings,
  type SpecialEvent,
  type StoredTicket,
  type TicketType,
} from "./schemas.ts";

export type DateRange = { readonly from: CalendarDate; readonly to: CalendarDate };
/** The first `page` is 1. `limit` is the page size. */
export type PageQuery = { readonly page: number; readonly limit: number };

export type MuseumState = {
  readonly events: StoreCollection<SpecialEvent>;
  readonly tickets: StoreCollection<StoredTicket>;
  newEventId(): string;
  newTicketId(): string;
  newConfirmationCode(ticketType: TicketType): string;
};

export function createMuseumState(world: World, { key }: Environment): MuseumState {
  return {
    events: world.store.collection<SpecialEvent>(`${key}/specialEvents`),
    tickets: world.store.collection<StoredTicket>(`${key}/tickets`),
    newEventId: () => world.random.uuid(`${key}/specialEvents`),
    newTicketId: () => world.random.uuid(`${key}/tickets`),
    newConfirmationCode: (ticketType) =>
      `ticket-${ticketType}-${world.random.code(`${key}/codes`, 6)}-${world.random.code(`${key}/codes`, 5)}`,
  };
}

export function checkLimit({ limit = 0 }: Partial<PageQuery>, settings: MuseumSettings): ValidationIssue[] {
  const refused = limit > MAX_PER_PAGE && settings.limitAboveMaximum === "refuse";
  return refused ? [{ path: ["limit"], message: LIMIT_RULE }] : [];
}

export function clampPage({ page, limit }: PageQuery): PageQuery {
  return { page, limit: Math.min(limit, MAX_PER_PAGE) };
}

type EventDay = readonly [date: CalendarDate, events: readonly SpecialEvent[]];

/** Lists a page of the events in a range, both ends included. Assumed: sorted by first date in the range, then by time of creation. */
export function listEvents(
  events: readonly SpecialEvent[],
  range: DateRange,
  page: PageQuery,
  by: MuseumSettings["pageBy"],
): SpecialEvent[] {
  const key = `${range.from} ${range.to} ${page.page} ${page.limit} ${by}`;
  return getCached(events, key, () => {
    const days = groupByDay(events, range);
    const listed = Object.freeze(by === "events" ? sliceByEvents(days, page) : sliceByDays(days, page));
    return [listed, toJsonString(listed).length];
  }) as SpecialEvent[]; // Safe cast to a mutable type: the list is frozen, so that no caller can change it.
}

function sliceByEvents(days: readonly EventDay[], page: PageQuery): SpecialEvent[] {
  return slicePage([...new Set(days.flatMap(([, events]) => events))], page);
}

/** Returns the events on one page of days. A page has `limit` days. Days without events do not count. */
function sliceByDays(days: readonly EventDay[], page: PageQuery): SpecialEvent[] {
  const shown = slicePage(days, page).map(([date]) => date);
  const events = new Set(days.flatMap(([, events]) => events));
  return [...events].filter(({ dates }) => dates.some((date) => shown.includes(date)));
}

/** Groups events by day within the range. The events of a day are in order of creation. */
function groupByDay(events: readonly SpecialEvent[], { from, to }: DateRange): readonly EventDay[] {
  const days = new Map<CalendarDate, SpecialEvent[]>();
  for (const event of events)
    for (const date of event.dates) {
      if (date < from || date > to) continue;
      const known = days.get(date);
      if (known === undefined) days.set(date, [event]);
      else known.push(event);
    }
  return [...days].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Assumed: 09:00 to 18:00 from Monday to Thursday, 10:00 to 16:00 on other days, as in the public OpenAPI description. */
export function listHours(start: CalendarDate, { page, limit }: PageQuery) {
  const skipped = (page - 1) * limit;
  const left = countDays(start, MAX_DATE) + 1 - skipped;
  return Array.from({ length: Math.max(0, Math.min(limit, left)) }, (_, index) => {
    const date = addDays(start, skipped + index);
    const long = [1, 2, 3, 4].includes(new Date(date).getUTCDay());
    return { date, timeOpen: long ? "09:00" : "10:00", timeClose: long ? "18:00" : "16:00" };
  });
}

/** Returns the field `message` of a ticket, as in the public OpenAPI description. */
export function describeTicket(ticketType: TicketType): string {
  return ticketType === "event"
    ? "Museum special event ticket purchased"
    : "Museum general entry ticket purchased";
}

function slicePage<T>(items: readonly T[], { page, limit }: PageQuery): T[] {
  return items.slice((page - 1) * limit, page * limit);
}
