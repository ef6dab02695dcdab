// Owns the five operations on special events. Source: museum-special-events, Endpoints.

import type { z } from "zod";
import { noContent } from "../../../operation/operation.ts";
import type { Refusal, RefusalDetails, Violation } from "../../../operation/problem.ts";
import { addDays, type CalendarDate, toDate } from "../../../world/time.ts";
import { operation } from "../language.ts";
import { brokenField, brokenFields } from "../problems.ts";
import {
  endDate,
  LIMIT_RULE,
  limit,
  type MuseumSettings,
  page,
  SpecialEvent,
  SpecialEventInput,
  SpecialEvents,
  SpecialEventUpdate,
  startDate,
  Uuid,
} from "../schemas.ts";
import { listEvents, type MuseumState, pageWithin } from "../state.ts";

const SOURCE = "museum-special-events, Endpoints";
const params = {
  eventId: Uuid.meta({ description: "Identifies the event.", wire: { type: "string", format: "uuid" } }),
};

/** Assumed: identifiers are compared without regard to case (RFC 9562). */
function eventOf({
  params,
  state,
  fail,
}: {
  readonly params: { readonly eventId: string };
  readonly state: MuseumState;
  readonly fail: (problem: "eventNotFound") => Refusal<"eventNotFound">;
}): SpecialEvent | Refusal<"eventNotFound"> {
  return state.events.get(params.eventId.toLowerCase()) ?? fail("eventNotFound");
}

const anyEvent = (state: MuseumState) => ({ params: { eventId: state.events.all()[0]?.eventId ?? "" } });
const newEvent = {
  name: "Night of the lamps",
  location: "Hall 2",
  eventDescription: "After dark.",
  dates: ["2026-03-31"],
  price: 12.5,
};

export const createSpecialEvent = operation({
  method: "post",
  path: "/special-events",
  summary: "Create a special event",
  tag: "Events",
  source: `${SOURCE}, Create special event`,
  security: "basic",
  request: { body: SpecialEventInput },
  responses: { 201: SpecialEvent },
  headers: { Location: "The path of the new event." },
  problems: ["malformedBody", "invalidInput", "bodyTooLarge"],
  invalid: "invalidInput",
  handle({ body, state, settings, now, reply, fail }) {
    const broken = brokenDomainRule(body, settings, toDate(now));
    if (broken !== undefined) return fail("invalidInput", broken);
    const event = { eventId: state.newEventId(), ...body };
    state.events.set(event.eventId, event);
    return reply(201, event, { Location: `/special-events/${event.eventId}` });
  },
  example: () => ({ body: newEvent }),
});

export const listSpecialEvents = operation({
  method: "get",
  path: "/special-events",
  summary: "List special events",
  description: "Events with a date in the range, by first matching date.",
  tag: "Events",
  source: `${SOURCE}, List special events`,
  security: "basic",
  request: { query: { startDate, endDate, page, limit } },
  responses: { 200: SpecialEvents },
  problems: ["invalidInput"],
  invalid: "invalidInput",
  handle({ query, state, settings, now, reply, fail }) {
    const page = pageWithin(query, settings);
    if (page === undefined) return fail("invalidInput", brokenField("limit", LIMIT_RULE));
    const from = query.startDate ?? toDate(now);
    const to = query.endDate ?? addDays(from, 7);
    if (to < from)
      return fail("invalidInput", brokenField("endDate", `must not be before startDate (${from})`));
    return reply(200, listEvents(state.events.all(), { from, to }, page, settings.pageBy));
  },
  example: () => ({ query: { page: "1", limit: "2" } }),
});

export const getSpecialEvent = operation({
  method: "get",
  path: "/special-events/{eventId}",
  summary: "Get a special event",
  tag: "Events",
  source: `${SOURCE}, Get special event`,
  security: "basic",
  request: { params },
  responses: { 200: SpecialEvent },
  problems: ["invalidInput", "eventNotFound"],
  invalid: "invalidInput",
  subject: eventOf,
  handle: ({ subject, reply }) => reply(200, subject),
  example: anyEvent,
});

export const updateSpecialEvent = operation({
  method: "patch",
  path: "/special-events/{eventId}",
  summary: "Update a special event",
  description: "Fields left out are not changed.",
  tag: "Events",
  source: `${SOURCE}, Update special event`,
  security: "basic",
  request: { params, body: SpecialEventUpdate },
  responses: { 200: SpecialEvent },
  problems: ["malformedBody", "invalidInput", "eventNotFound", "bodyTooLarge"],
  invalid: "invalidInput",
  subject: eventOf,
  handle({ subject, body, state, settings, now, reply, fail }) {
    const broken = brokenDomainRule(body, settings, toDate(now));
    if (broken !== undefined) return fail("invalidInput", broken);
    const event = { ...subject, ...body } as SpecialEvent; // a field of the body is there or left out, never undefined
    return reply(200, state.events.set(event.eventId, event));
  },
  example: (state) => ({ ...anyEvent(state), body: { location: "On the roof", price: 15 } }),
});

export const deleteSpecialEvent = operation({
  method: "delete",
  path: "/special-events/{eventId}",
  summary: "Delete a special event",
  description: "Cancels a planned event.",
  tag: "Events",
  source: `${SOURCE}, Delete special event`,
  security: "basic",
  request: { params },
  responses: { 204: noContent },
  problems: ["invalidInput", "eventNotFound"],
  invalid: "invalidInput",
  subject: eventOf,
  handle({ subject, state, reply }) {
    state.events.remove(subject.eventId);
    return reply(204);
  },
  example: anyEvent,
});

/** Assumed: the document sets no bounds, so these hold only with `strictDomain`. */
function brokenDomainRule(
  body: z.output<typeof SpecialEventUpdate>,
  settings: MuseumSettings,
  today: CalendarDate,
): RefusalDetails | undefined {
  if (!settings.strictDomain) return undefined;
  const violations: readonly Violation[] = [
    ...(["name", "location", "eventDescription"] as const)
      .filter((field) => body[field]?.trim() === "")
      .map((field) => ({ propertyPath: field, message: "must not be empty" })),
    ...(body.dates?.length === 0 ? [{ propertyPath: "dates", message: "must name at least one date" }] : []),
    ...(body.dates ?? []).flatMap((date, index) =>
      date < today ? [{ propertyPath: `dates[${index}]`, message: "must not be in the past" }] : [],
    ),
    ...(body.price !== undefined && body.price <= 0
      ? [{ propertyPath: "price", message: "must be more than 0" }]
      : []),
  ];
  return violations.length === 0 ? undefined : brokenFields(violations);
}
