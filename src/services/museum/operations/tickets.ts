/** Operations on opening hours and tickets. Assumed: like the public OpenAPI description, because the document only names these groups. */

import type { z } from "zod";
import type { ValidationIssue } from "../../../operation/issue.ts";
import { type CalendarDate, toDate } from "../../../world/time.ts";
import { defineMuseumOperation } from "../operation.ts";
import { dayLimit, MuseumHours, page, QrCode, startDate, Ticket, TicketPurchase, Uuid } from "../schemas.ts";
import { checkLimit, clampPage, describeTicket, listHours, type MuseumState } from "../state.ts";

const group = {
  source: "Assumed: public description of interface version 1.1.1",
  security: "basic",
  invalid: "invalidInput",
} as const;

export const getMuseumHours = defineMuseumOperation({
  ...group,
  method: "get",
  path: "/museum-hours",
  summary: "Get museum hours",
  description: "Opening hours of consecutive days from `startDate`. Default: today.",
  tag: "Operations",
  request: { query: { startDate, page, limit: dayLimit } },
  responses: { 200: MuseumHours },
  problems: ["invalidInput"],
  rules: { query: ({ query, settings }) => checkLimit(query, settings) },
  handle: ({ query, now, reply }) => reply(200, listHours(query.startDate ?? toDate(now), clampPage(query))),
  example: ({ events }) => {
    const [start = "2026-03-31"] = events.all()[0]?.dates ?? [];
    const query = { startDate: start, page: "1", limit: "2" };
    return { query, reply: listHours(start, { page: 1, limit: 2 }) };
  },
});

export const buyMuseumTickets = defineMuseumOperation({
  ...group,
  method: "post",
  path: "/tickets",
  summary: "Buy museum tickets",
  description: "Buys one ticket, for general entry or for the special event `eventId`.",
  tag: "Tickets",
  request: { body: TicketPurchase },
  responses: { 201: Ticket },
  problems: ["malformedBody", "invalidInput", "eventNotFound", "bodyTooLarge"],
  rules: {
    body({ body, state, settings, now }) {
      if (body.ticketType === "event" && body.eventId === undefined)
        return [{ path: ["eventId"], message: "is required for tickets of type event" }];
      return settings.strictDomain ? checkTicketDate(body, state, toDate(now)) : [];
    },
  },
  handle({ body, state, reply, fail }) {
    const { ticketType, ticketDate, eventId: _eventId, ...buyer } = body;
    const event = findTicketEvent(body, state);
    if (ticketType === "event" && event === undefined) return fail("eventNotFound");
    const ticket = {
      message: describeTicket(ticketType),
      ...(event && { eventName: event.name }),
      ticketId: state.newTicketId(),
      ticketType,
      ticketDate,
      confirmationCode: state.newConfirmationCode(ticketType),
    };
    state.tickets.set(ticket.ticketId, { ...ticket, ...buyer, ...(event && { eventId: event.eventId }) });
    return reply(201, ticket);
  },
  example: (state) => {
    const [event] = state.events.all();
    const ticketType = event === undefined ? "general" : "event";
    const ticketDate = event?.dates[0] ?? "2026-03-31";
    const id = event && { eventId: event.eventId };
    return {
      body: { ticketType, ...id, ticketDate, email: "todd@example.test", phone: "+1 404 555 0143" },
      reply: {
        message: describeTicket(ticketType),
        ...(event && { eventName: event.name }),
        ticketId: "0b6d1f0e-5d0a-4c57-9a53-6a4f5a2f7c11",
        ticketType,
        ticketDate,
        confirmationCode: `ticket-${ticketType}-a98c8f-7eb12`,
      },
    };
  },
});

type Purchase = Partial<z.output<typeof TicketPurchase>>;

/** Finds the special event of a ticket. Assumed: the `eventId` of a ticket for general entry is ignored. */
function findTicketEvent({ ticketType, eventId = "" }: Purchase, state: MuseumState) {
  return ticketType === "event" ? state.events.get(eventId) : undefined;
}

/** Checks the day of a ticket, for the setting `strictDomain`. Assumed: without this setting, every day is valid. */
function checkTicketDate(purchase: Purchase, state: MuseumState, today: CalendarDate): ValidationIssue[] {
  const { ticketDate } = purchase;
  const event = findTicketEvent(purchase, state);
  const reject = (message: string) => [{ path: ["ticketDate"], message }];
  if (ticketDate === undefined) return [];
  if (ticketDate < today) return reject(`must not be in the past (today is ${today})`);
  if (event === undefined || event.dates.includes(ticketDate)) return [];
  const left = event.dates.filter((date) => date >= today);
  return left.length === 0
    ? reject("must be a date of the event, which has none from today on")
    : reject(`must be a date of the event, of which these are left: ${left.join(", ")}`);
}

export const getTicketCode = defineMuseumOperation({
  ...group,
  method: "get",
  path: "/tickets/{ticketId}/qr",
  summary: "Get the QR code of a ticket",
  description: "The ticket's confirmation code as an image, for scanning at the door.",
  tag: "Tickets",
  request: { params: { ticketId: Uuid.describe("`ticketId` of the ticket.") } },
  responses: { 200: QrCode },
  problems: ["invalidInput", "ticketNotFound"],
  resource: ({ params: { ticketId }, state, fail }) => state.tickets.get(ticketId) ?? fail("ticketNotFound"),
  handle: ({ resource, reply }) => reply(200, { text: resource.confirmationCode }),
  example: (state) => ({ params: { ticketId: state.tickets.all()[0]?.ticketId ?? "" } }),
});
