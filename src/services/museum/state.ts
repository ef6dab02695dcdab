/**
 * The museum's domain logic: which events lie in a range and in which order, how results are paged, what a ticket
 * is. Independent of HTTP.
 */

import type { ValidationIssue } from "../../operation/issue.ts";
import type { Environment } from "../../operation/service.ts";
import { entriesIn, type Layer } from "../../world/layered-map.ts";
import { jsonText, remembered } from "../../world/remembered.ts";
import type { Collection } from "../../world/store.ts";
import { addDays, type CalendarDate, daysBetween, LAST_DATE } from "../../world/time.ts";
import type { World } from "../../world/world.ts";
import {
  LIMIT_RULE,
  MOST_PER_PAGE,
  type MuseumSettings,
  type SpecialEvent,
  type StoredTicket,
  type TicketType,
} from "./schemas.ts";

export type Range = { readonly from: CalendarDate; readonly to: CalendarDate };
/** `page` counts from 1; `limit` is the most that a page holds. */
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

/** For a limit above the maximum, where the settings refuse it. */
export function brokenLimit({ limit = 0 }: Partial<Page>, settings: MuseumSettings): ValidationIssue[] {
  const refused = limit > MOST_PER_PAGE && settings.limitAboveMaximum === "refuse";
  return refused ? [{ path: ["limit"], message: LIMIT_RULE }] : [];
}

/** The page that a query asks for. */
export function pageWithin({ page, limit }: Page): Page {
  return { page, limit: Math.min(limit, MOST_PER_PAGE) };
}

type Events = Layer<SpecialEvent>;
/** An event on one of its days; `order` is that of creation. */
type Entry = {
  readonly date: CalendarDate;
  readonly order: number;
  readonly key: string;
  readonly event: SpecialEvent;
};

/** The days of the events of one layer alone, ascending; on one day in order of creation. */
const calendars = new WeakMap<Events, readonly Entry[]>();

function calendarOf(layer: Events): readonly Entry[] {
  const known = calendars.get(layer);
  if (known !== undefined) return known;
  const calendar: Entry[] = [];
  for (const [key, order, event] of entriesIn(layer)) {
    if (event === undefined) continue;
    for (const date of event.dates) calendar.push({ date, order, key, event });
  }
  calendar.sort((one, other) => (isBefore(one, other) ? -1 : 1));
  calendars.set(layer, calendar);
  return calendar;
}

function isBefore(one: Entry, other: Entry): boolean {
  return one.date === other.date ? one.order < other.order : one.date < other.date;
}

/**
 * One page of the events that have a date in the range, both ends included. The cost grows with the pages up to this
 * one and with what was written lately, not with the number of events.
 * Assumed: by first matching date, then in order of creation, so that pages are stable.
 */
export function listEvents(
  events: Events,
  range: Range,
  page: Page,
  by: MuseumSettings["pageBy"],
): SpecialEvent[] {
  const key = `${range.from} ${range.to} ${page.page} ${page.limit} ${by}`;
  return remembered(events, key, () => {
    const entries = entriesWithin(events, range);
    const listed = Object.freeze(
      by === "events" ? pageOfEvents(entries, page) : pageOfDays([...entries], page),
    );
    return [listed, jsonText(listed).length];
  }) as SpecialEvent[]; // which nobody changes: it is frozen
}

function pageOfEvents(entries: Iterable<Entry>, page: Page): SpecialEvent[] {
  const met = new Set<SpecialEvent>();
  for (const { event } of entries) {
    met.add(event);
    if (met.size === page.page * page.limit) break;
  }
  return slicePage([...met], page);
}

/** The events of whole days, in the order of the whole range. */
function pageOfDays(entries: readonly Entry[], page: Page): SpecialEvent[] {
  const days = slicePage([...new Set(entries.map(({ date }) => date))], page);
  const events = new Set(entries.map(({ event }) => event));
  return [...events].filter(({ dates }) => dates.some((date) => days.includes(date)));
}

/** The entries of all layers in one order, but for those that a layer above has replaced or removed. */
function* entriesWithin(events: Events, { from, to }: Range): Generator<Entry> {
  const layers = layersOf(events).map((layer) => {
    const calendar = calendarOf(layer);
    return { layer, calendar, index: firstFrom(calendar, from) };
  });
  for (;;) {
    let [first, entry]: [(typeof layers)[number] | undefined, Entry | undefined] = [undefined, undefined];
    for (const one of layers) {
      const next = one.calendar[one.index];
      if (next !== undefined && next.date <= to && (entry === undefined || isBefore(next, entry)))
        [first, entry] = [one, next];
    }
    if (first === undefined || entry === undefined) return;
    first.index += 1;
    if (isOnTop(events, first.layer, entry.key)) yield entry;
  }
}

/** The newest first. */
function layersOf(top: Events): readonly Events[] {
  const layers: Events[] = [];
  for (let layer: Events | undefined = top; layer !== undefined; layer = layer.parent) layers.push(layer);
  return layers;
}

/** Whether no layer from `top` down to this one has the key. */
function isOnTop(top: Events, layer: Events, key: string): boolean {
  for (let above: Events | undefined = top; above !== layer && above !== undefined; above = above.parent)
    if (above.slots.has(key)) return false;
  return true;
}

/** Index of the first entry that is not before the date. */
function firstFrom(calendar: readonly Entry[], date: CalendarDate): number {
  let [low, high] = [0, calendar.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((calendar[middle]?.date ?? date) < date) low = middle + 1;
    else high = middle;
  }
  return low;
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

/** The message for the buyer. The texts are those of the public description. */
export function ticketMessage(ticketType: TicketType): string {
  return ticketType === "event"
    ? "Museum special event ticket purchased"
    : "Museum general entry ticket purchased";
}

function slicePage<T>(items: readonly T[], { page, limit }: Page): T[] {
  return items.slice((page - 1) * limit, page * limit);
}
