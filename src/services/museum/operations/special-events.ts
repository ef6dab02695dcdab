/** Operations on special events. Source: museum-special-events, Endpoints. */

import type { z } from "zod";
import type { ValidationIssue } from "../../../operation/issue.ts";
import { noContent } from "../../../operation/operation.ts";
import { addDays, type Timestamp, toDate } from "../../../world/time.ts";
import { defineMuseumOperation, type Museum, type MuseumCall } from "../operation.ts";
import {
  endDate,
  limit,
  page,
  SpecialEvent,
  SpecialEventInput,
  SpecialEvents,
  SpecialEventUpdate,
  startDate,
  Uuid,
} from "../schemas.ts";
import { checkLimit, clampPage, listEvents, type MuseumState } from "../state.ts";

const SOURCE = "museum-special-events, Endpoints";
const group = { tag: "Events", security: "basic", invalid: "invalidInput" } as const;
const params = {
  eventId: Uuid.describe("`eventId` of the event."),
};

function findEvent({ params: { eventId }, state, fail }: MuseumCall<typeof params, "eventNotFound">) {
  return state.events.get(eventId) ?? fail("eventNotFound");
}

/** Event of most examples. The example of `deleteSpecialEvent` uses the last event, so that the other examples still work after it. */
const getFirstEvent = ({ events }: MuseumState) => events.all()[0];
const toEventParams = (event: SpecialEvent | undefined) => ({ params: { eventId: event?.eventId ?? "" } });
const newEvent = {
  name: "Night of the lamps",
  location: "Hall 2",
  eventDescription: "After dark.",
  dates: ["2026-03-31"],
  price: 12.5,
};

export const createSpecialEvent = defineMuseumOperation({
  ...group,
  method: "post",
  path: "/special-events",
  summary: "Create a special event",
  description: "Plans a new event. The museum chooses its `eventId`.",
  source: `${SOURCE}, Create special event`,
  request: { body: SpecialEventInput },
  responses: { 201: SpecialEvent },
  headers: { Location: "The path of the new event." },
  problems: ["malformedBody", "invalidInput", "bodyTooLarge"],
  rules: { body: checkDomainRules },
  handle({ body, state, reply }) {
    const event = { eventId: state.newEventId(), ...body };
    state.events.set(event.eventId, event);
    return reply(201, event, { Location: `/special-events/${event.eventId}` });
  },
  // The last date of the first event is in the default range of the list, so that the list shows the new event.
  example: ({ events }) => {
    const soon = events.all()[0]?.dates.at(-1);
    const body = { ...newEvent, ...(soon === undefined ? {} : { dates: [soon] }) };
    return { body, reply: { eventId: "0b6d1f0e-5d0a-4c57-9a53-6a4f5a2f7c11", ...body } };
  },
});

export const listSpecialEvents = defineMuseumOperation({
  ...group,
  method: "get",
  path: "/special-events",
  summary: "List special events",
  description: "Events in a range, sorted by first matching date. Default: today and the next seven days.",
  source: `${SOURCE}, List special events`,
  request: { query: { startDate, endDate, page, limit } },
  responses: { 200: SpecialEvents },
  problems: ["invalidInput"],
  rules: {
    query({ query, settings, now, exchange }) {
      const isValidStart = query.startDate !== undefined || exchange.query["startDate"] === undefined;
      const { from, to } = resolveRange(query, now);
      const message = `must not be before startDate (${from})`;
      const violations = isValidStart && to < from ? [{ path: ["endDate"], message }] : [];
      return [...violations, ...checkLimit(query, settings)];
    },
  },
  handle: ({ query, state, settings, now, reply }) =>
    reply(200, listEvents(state.events.all(), resolveRange(query, now), clampPage(query), settings.pageBy)),
  example: (state) => {
    const [date = "2026-03-31"] = getFirstEvent(state)?.dates ?? [];
    const page = { page: 1, limit: 10 };
    return {
      query: { startDate: date, endDate: date, page: "1", limit: "10" },
      reply: listEvents(state.events.all(), { from: date, to: date }, page, "events"),
    };
  },
});

export const getSpecialEvent = defineMuseumOperation({
  ...group,
  method: "get",
  path: "/special-events/{eventId}",
  summary: "Get a special event",
  description: "One event by its `eventId`, with all its fields.",
  source: `${SOURCE}, Get special event`,
  request: { params },
  responses: { 200: SpecialEvent },
  problems: ["invalidInput", "eventNotFound"],
  resource: findEvent,
  handle: ({ resource, reply }) => reply(200, resource),
  example: (state) => ({ ...toEventParams(getFirstEvent(state)), reply: getFirstEvent(state) }),
});

export const updateSpecialEvent = defineMuseumOperation({
  ...group,
  method: "patch",
  path: "/special-events/{eventId}",
  summary: "Update a special event",
  description: "Changes the fields in the body. Other fields stay as they are. `eventId` cannot be changed.",
  source: `${SOURCE}, Update special event`,
  request: { params, body: SpecialEventUpdate },
  responses: { 200: SpecialEvent },
  problems: ["malformedBody", "invalidInput", "eventNotFound", "bodyTooLarge"],
  resource: findEvent,
  rules: { body: checkDomainRules },
  handle({ resource, body, state, reply }) {
    const event = { ...resource, ...body } as SpecialEvent; // Safe cast: `body` is from JSON, so no field of it is undefined.
    return reply(200, state.events.set(event.eventId, event));
  },
  example(state) {
    const [event, body] = [getFirstEvent(state), { location: "On the roof", price: 15 }];
    return { ...toEventParams(event), body, reply: event && { ...event, ...body } };
  },
});

export const deleteSpecialEvent = defineMuseumOperation({
  ...group,
  method: "delete",
  path: "/special-events/{eventId}",
  summary: "Delete a special event",
  description: "Cancels a planned event. A second delete returns 404.",
  source: `${SOURCE}, Delete special event`,
  request: { params },
  responses: { 204: noContent },
  problems: ["invalidInput", "eventNotFound"],
  resource: findEvent,
  handle({ resource, state, reply }) {
    state.events.remove(resource.eventId);
    return reply(204);
  },
  example: ({ events }) => toEventParams(events.all().at(-1)),
});

type DateBounds = { readonly startDate?: string | undefined; readonly endDate?: string | undefined };

function resolveRange({ startDate, endDate }: DateBounds, now: Timestamp) {
  const from = startDate ?? toDate(now);
  return { from, to: endDate ?? addDays(from, 7) };
}

type EventInput = Pick<Museum, "settings"> & {
  readonly now: Timestamp;
  readonly body: z.output<typeof SpecialEventUpdate>;
};

/** Rejects empty values, past dates and prices of 0 or less if `strictDomain` is on. Assumed: without it they are valid. */
function checkDomainRules({ body, settings, now }: EventInput): readonly ValidationIssue[] {
  if (!settings.strictDomain) return [];
  const { dates, price } = body;
  return [
    ...Object.entries(body)
      .filter(([, value]) => typeof value === "string" && value.trim() === "")
      .map(([field]) => ({ path: [field], message: "must not be empty" })),
    ...(dates?.length === 0 ? [{ path: ["dates"], message: "must name at least one date" }] : []),
    ...(dates ?? []).flatMap((date, index) =>
      date < toDate(now) ? [{ path: ["dates", index], message: "must not be in the past" }] : [],
    ),
    ...(price !== undefined && price <= 0 ? [{ path: ["price"], message: "must be more than 0" }] : []),
  ];
}
