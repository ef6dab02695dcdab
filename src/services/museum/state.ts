// Owns the museum's rules: which events lie in a range and in which order, how a page is cut, what a ticket is.
// Never sees HTTP.

import type { Environment } from "../../operation/service.ts";
import type { Collection } from "../../world/store.ts";
import { addDays, type CalendarDate } from "../../world/time.ts";
import type { World } from "../../world/world.ts";
import type { SpecialEvent, StoredTicket } from "./schemas.ts";

export type Range = { readonly from: CalendarDate; readonly to: CalendarDate };
export type Page = { readonly page: number; readonly limit: number; readonly by: "events" | "days" };

export type MuseumState = {
  readonly events: Collection<SpecialEvent>;
  readonly tickets: Collection<StoredTicket>;
  newEventId(): string;
  newTicketId(): string;
  newConfirmationCode(ticketType: string): string;
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

/**
 * One page of the events that have a date in the range, both ends included.
 * Assumed: by first matching date, then in order of creation, so that pages are stable.
 */
export function listEvents(
  events: readonly SpecialEvent[],
  range: Range,
  { page, limit, by }: Page,
): SpecialEvent[] {
  const matching = events
    .map((event, created) => ({ event, created, first: firstDateIn(event, range) }))
    .filter((match): match is typeof match & { first: CalendarDate } => match.first !== undefined)
    .sort((one, other) => compare(one.first, other.first) || one.created - other.created)
    .map(({ event }) => event);
  if (by === "events") return cut(matching, page, limit);
  const days = [
    ...new Set(matching.flatMap((event) => event.dates.filter((date) => isIn(date, range)))),
  ].sort(compare);
  const shown = new Set(cut(days, page, limit));
  return matching.filter((event) => event.dates.some((date) => shown.has(date)));
}

/**
 * Opening hours of `limit` consecutive days. Assumed: 09:00 to 18:00 from Monday to Thursday, 10:00 to 16:00 from
 * Friday to Sunday, as in the example of the public description.
 */
export function hoursFrom(start: CalendarDate, { page, limit }: { page: number; limit: number }) {
  return Array.from({ length: limit }, (_, index) => addDays(start, (page - 1) * limit + index)).map(
    (date) => {
      const long = [1, 2, 3, 4].includes(new Date(date).getUTCDay());
      return { date, timeOpen: long ? "09:00" : "10:00", timeClose: long ? "18:00" : "16:00" };
    },
  );
}

function firstDateIn(event: SpecialEvent, range: Range): CalendarDate | undefined {
  return event.dates.filter((date) => isIn(date, range)).sort(compare)[0];
}

function isIn(date: CalendarDate, { from, to }: Range): boolean {
  return date >= from && date <= to;
}

function cut<T>(items: readonly T[], page: number, limit: number): T[] {
  return items.slice((page - 1) * limit, page * limit);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
