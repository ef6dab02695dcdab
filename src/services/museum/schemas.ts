/**
 * The schemas of the museum service: what goes over the wire, and the settings that change its behaviour. Source:
 * museum-special-events, Resources and their fields. Tickets and hours are a preview, built from the public
 * description of interface version 1.1.1.
 */

import { z } from "zod";
import type { Direction } from "../../operation/json-schema.ts";
import type { JsonSchema } from "../../operation/service.ts";
import { choice, flag } from "../../operation/settings.ts";
import { isCalendarDate } from "../../world/time.ts";

const DATE = { type: "string", format: "date" };

/** `YYYY-MM-DD`, a day that exists. */
const CalendarDate = z
  .string()
  .refine(isCalendarDate, "must be a calendar date such as 2026-03-31")
  .meta({ wire: DATE });

export const Uuid = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, "must be a UUID")
  .meta({ wire: { type: "string", format: "uuid" } });

/** The form in documents: with the setting `strictDomain` more is asked of what a client sends. */
const asked =
  (wire: JsonSchema, strictly: JsonSchema) =>
  ({ strictDomain }: MuseumSettings, direction: Direction): JsonSchema =>
    strictDomain && direction === "input" ? { ...wire, ...strictly } : wire;
const text = (description: string) =>
  z.string().meta({ description, wire: asked({ type: "string" }, { minLength: 1, pattern: "\\S" }) });

const fields = {
  name: text("Name of the event."),
  location: text("Where the event is held."),
  eventDescription: text("Description of the event."),
  dates: z.array(CalendarDate).meta({
    description: "The planned dates.",
    wire: asked({ type: "array", items: DATE }, { minItems: 1 }),
  }),
  price: z.number().meta({
    description: "Ticket price.",
    wire: asked({ type: "number", format: "float" }, { exclusiveMinimum: 0 }),
  }),
};

export const SpecialEventInput = z.object(fields).meta({ id: "SpecialEventInput" });
/** Fields left out are not changed. */
export const SpecialEventUpdate = z.object(fields).partial().meta({ id: "SpecialEventUpdate" });
export const SpecialEvent = z.object({ eventId: Uuid, ...fields }).meta({ id: "SpecialEvent" });
export const SpecialEvents = z.array(SpecialEvent).meta({ id: "SpecialEvents" });
export type SpecialEvent = z.output<typeof SpecialEvent>;

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
const DailyHours = z
  .object({ date: CalendarDate, timeOpen: clockTime, timeClose: clockTime })
  .meta({ id: "DailyHours" });
export const MuseumHours = z.array(DailyHours).meta({ id: "MuseumHours" });

const TicketType = z.enum(["event", "general"], 'must be "event" or "general"');
export type TicketType = z.output<typeof TicketType>;
const email = z
  .string()
  .regex(/^[^\s@]+@[^\s@]+$/, "must be an e-mail address")
  .meta({ wire: { type: "string", format: "email" } });
export const TicketPurchase = z
  .object({
    ticketType: TicketType,
    eventId: Uuid.optional().describe("The special event; required for tickets of type `event`."),
    ticketDate: CalendarDate,
    email,
    phone: z.string().optional(),
  })
  .meta({ id: "TicketPurchase" });
export const Ticket = z
  .object({
    message: z.string(),
    eventName: z.string().optional(),
    ticketId: Uuid,
    ticketType: TicketType,
    ticketDate: CalendarDate,
    confirmationCode: z.string(),
  })
  .meta({ id: "Ticket" });
export type Ticket = z.output<typeof Ticket>;

/** The text of a QR code; goes out as an image. */
export const QrCode = z.object({ text: z.string() }).meta({ id: "QrCode" });

/** A ticket as stored. */
export const StoredTicket = Ticket.extend({
  email: z.string(),
  phone: z.string().optional(),
  eventId: Uuid.optional(),
});
export type StoredTicket = z.output<typeof StoredTicket>;

const count = (text: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, text)
    .transform(Number)
    .refine((value) => value >= 1, text);
export const page = count("must be a whole number from 1")
  .default(1)
  .meta({ description: "Page number to retrieve.", wire: { type: "integer", minimum: 1, default: 1 } });
/** Source: museum-special-events, Limits. */
export const MOST_PER_PAGE = 30;
export const LIMIT_RULE = `must be a whole number from 1 to ${MOST_PER_PAGE}`;
/** A limit above the maximum passes the schema: whether it is refused is a setting. */
const limitOf = (describe: (settings: MuseumSettings) => string) =>
  count(LIMIT_RULE)
    .default(10)
    .meta({
      wire: (settings: MuseumSettings): JsonSchema => ({
        type: "integer",
        minimum: 1,
        ...(settings.limitAboveMaximum === "refuse" ? { maximum: MOST_PER_PAGE } : {}),
        default: 10,
        description: `${describe(settings)} per page.${settings.limitAboveMaximum === "refuse" ? "" : ` More than ${MOST_PER_PAGE} counts as ${MOST_PER_PAGE}.`}`,
      }),
    });
export const limit = limitOf(({ pageBy }) => `Number of items (${pageBy})`);
export const limitOfDays = limitOf(() => "Number of items (days)");
const bound = (description: string) => CalendarDate.optional().meta({ description, wire: DATE });
export const startDate = bound("Start of the range, included. Today when left out.");
export const endDate = bound("End of the range, included. Seven days after startDate when left out.");

/** Switches of the museum, for `settings.museum` of a scenario and of `createSandbox`. */
export const MuseumSettings = z.strictObject({
  errorDetail: flag("Adds `status`, `detail` and `errors` to error bodies."),
  validationStatus: choice([400, 422], "The status of input that the schema refuses."),
  credentials: z
    .array(z.strictObject({ user: z.string(), password: z.string() }))
    .optional()
    .describe("Only these are good; without it, any well-formed pair is."),
  limitAboveMaximum: choice(["refuse", "clamp"], "A `limit` above 30 is refused, or read as 30."),
  pageBy: choice(["events", "days"], "What `limit` counts in the list of events."),
  strict: flag("Refuses unknown query parameters and body fields."),
  strictDomain: flag("Refuses empty strings, no dates, past dates and prices that are not positive."),
  preview: z.boolean().default(true).describe("Whether hours and tickets are served."),
});
export type MuseumSettings = z.output<typeof MuseumSettings>;
