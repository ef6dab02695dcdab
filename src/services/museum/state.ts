// Owns the museum's rules: which events lie in a range and in which order, how a page is cut, what a ticket is.
// Never sees HTTP.

import type { Environment } from "../../operation/service.ts";
import type { Collection } from "../../world/store.ts";
import { addDays, type CalendarDate, daysBetween, LAST_DATE } from "../../world/time.ts";
import type { World } from "../../world/world.ts";
import {
  MOST_PER_PAGE,
  type MuseumSettings,
  type SpecialEvent,
  type StoredTicket,
  type TicketType,
} from "./schemas.ts";

export type Range = { readonly from: CalendarDate; readonly to: CalendarDate };
/** `page` counts from 1; `limit` is what a page holds at most. */
export type Page = { readonly page: number; readonly limit: number };

export type MuseumState = {
  readonly events: Collection<SpecialEvent>;
  readonly tickets: Collection<StoredTicket>;
  newEventId(): string;
  newTicketId(): string;
  newConfirmationCode(ticketType: TicketType): string;
};

export function museumState(world: World, { key }: Environment): MuseumState {
  return {
    events: world.store.collection<SpecialEvent>(`${key}/specialEvents`),
    tickets: world.store.collection<StoredTicket>(`${key}/tickets`),
    newEventId: () => world.random.uuid(`${key}/specialEvents`),
    newTicketId: () => world.random.uuid(`${key}/tickets`),
    newConfirmationCode: (ticketType) =>
      `ticket-${ticketType}-${world.random.code(`${key}/codes`, 6)}-${world.random.code(`${key}/codes`, 5)}`,
  };
}

/** The page that a query asks for; undefined where it asks for more than a page may hold and the settings refuse that. */
export function pageWithin({ page, limit }: Page, { limitAboveMaximum }: MuseumSettings): Page | undefined {
  if (limit <= MOST_PER_PAGE) return { page, limit };
  return limitAboveMaximum === "clamp" ? { page, limit: MOST_PER_PAGE } : undefined;
}

/**
 * One page of the events that have a date in the range, both ends included.
 * Assumed: by first matching date, then in order of creation, so that pages are stable.
 */
export function listEvents(
  events: readonly SpecialEvent[],
  range: Range,
  page: Page,
  by: MuseumSettings["pageBy"],
): SpecialEvent[] {
  const matching = events
    .map((event, created) => ({ event, created, first: firstDateIn(event, range) }))
    .filter((match): match is typeof match & { first: CalendarDate } => match.first !== undefined)
    .sort((one, other) => compare(one.first, other.first) || one.created - other.created)
    .map(({ event }) => event);
  if (by === "events") return cut(matching, page);
  const days = [
    ...new Set(matching.flatMap((event) => event.dates.filter((date) => isIn(date, range)))),
  ].sort(compare);
  const shown = new Set(cut(days, page));
  return matching.filter((event) => event.dates.some((date) => shown.has(date)));
}

/**
 * Opening hours of `limit` consecutive days. Assumed: 09:00 to 18:00 from Monday to Thursday, 10:00 to 16:00 from
 * Friday to Sunday, as in the example of the public description.
 */
export function hoursFrom(start: CalendarDate, { page, limit }: Page) {
  const skipped = (page - 1) * limit;
  const left = daysBetween(start, LAST_DATE) + 1 - skipped;
  return Array.from({ length: Math.max(0, Math.min(limit, left)) }, (_, index) => {
    const date = addDays(start, skipped + index);
    const long = [1, 2, 3, 4].includes(new Date(date).getUTCDay());
    return { date, timeOpen: long ? "09:00" : "10:00", timeClose: long ? "18:00" : "16:00" };
  });
}

/** What the buyer is told. The texts are those of the public description. */
export function ticketMessage(ticketType: TicketType): string {
  return ticketType === "event"
    ? "Museum special event ticket purchased"
    : "Museum general entry ticket purchased";
}

function firstDateIn(event: SpecialEvent, range: Range): CalendarDate | undefined {
  return event.dates.filter((date) => isIn(date, range)).sort(compare)[0];
}

function isIn(date: CalendarDate, { from, to }: Range): boolean {
  return date >= from && date <= to;
}

function cut<T>(items: readonly T[], { page, limit }: Page): T[] {
  return items.slice((page - 1) * limit, page * limit);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
