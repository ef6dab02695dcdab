/** Schemas of bodies and settings. Source: museum-special-events, Resources and their fields; preview: public OpenAPI description 1.1.1. */

import { z } from "zod";
import type { Direction } from "../../operation/json-schema.ts";
import type { JsonSchema } from "../../operation/service.ts";
import { createChoice, createFlag } from "../../operation/settings.ts";
import { isCalendarDate } from "../../world/time.ts";

const DATE = { type: "string", format: "date" };

/** An existing calendar date, in the format `YYYY-MM-DD`. */
const CalendarDate = z
  .string()
  .refine(isCalendarDate, "must be a calendar date such as 2026-03-31")
  .meta({ wire: DATE });

/** A UUID. Assumed: uppercase letters are accepted (RFC 9562) and converted to lowercase. */
export const Uuid = z
  .string()
  .toLowerCase()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, "must be a UUID")
  .meta({ wire: { type: "string", format: "uuid" } });

/** Maximum price: the largest number that rounds to a finite 32-bit float. Assumed: `float` in the document means 32 bits. */
const MAX_FLOAT = 3.4028235677973362e38;

/** Returns a function that builds a field's JSON Schema. It adds the keywords `strictly` to request bodies if `strictDomain` is on. */
const createWire =
  (wire: JsonSchema, strictly: JsonSchema) =>
  ({ strictDomain }: MuseumSettings, direction: Direction): JsonSchema =>
    strictDomain && direction === "input" ? { ...wire, ...strictly } : wire;
const createTextField = (description: string, ...examples: string[]) =>
  z
    .string()
    .meta({ description, examples, wire: createWire({ type: "string" }, { minLength: 1, pattern: "\\S" }) });
const DAY = "A calendar date, `YYYY-MM-DD`.";

const fields = {
  name: createTextField("Name of the event.", "Night of the lamps"),
  location: createTextField("Where the event is held: a room of the museum, or a place outside.", "Hall 2"),
  eventDescription: createTextField("Description of the event, for visitors.", "After dark."),
  dates: z.array(CalendarDate).meta({
    description: "The planned dates: calendar dates of the museum, in any order.",
    examples: [["2026-03-31"]],
    wire: createWire({ type: "array", items: { ...DATE, description: DAY } }, { minItems: 1 }),
  }),
  price: z
    .number()
    .min(-MAX_FLOAT)
    .max(MAX_FLOAT)
    .meta({
      description: "Price of a ticket: a number, without currency.",
      examples: [12.5],
      format: "float",
      wire: createWire({ type: "number", format: "float" }, { exclusiveMinimum: 0 }),
    }),
};

export const SpecialEventInput = z
  .object(fields)
  .meta({ id: "SpecialEventInput", description: "A new event. The museum chooses its `eventId`." });
export const SpecialEventUpdate = z
  .object(fields)
  .partial()
  .meta({ id: "SpecialEventUpdate", description: "Changes of an event. Omitted fields stay as they are." });
export const SpecialEvent = z
  .object({ eventId: Uuid.describe("Id of the event. The museum chooses it."), ...fields })
  .meta({ id: "SpecialEvent", description: "A special event hosted by the museum." });
export const SpecialEvents = z
  .array(SpecialEvent)
  .meta({ id: "SpecialEvents", description: "One page of events, sorted by their first date in the range." });
export type SpecialEvent = z.output<typeof SpecialEvent>;

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
const DailyHours = z
  .object({
    date: CalendarDate.describe(DAY),
    timeOpen: clockTime.describe("When the museum opens, `HH:MM` in its own time zone."),
    timeClose: clockTime.describe("When the museum closes, `HH:MM` in its own time zone."),
  })
  .meta({ id: "DailyHours", description: "Opening hours of one day." });
export const MuseumHours = z
  .array(DailyHours)
  .meta({ id: "MuseumHours", description: "Opening hours of consecutive days." });

const TicketType = z.enum(["event", "general"]);
export type TicketType = z.output<typeof TicketType>;
/** An email address. Assumed: ASCII like `format: email` of JSON Schema, without adjacent dots, and with a dot in the domain. */
const email = z
  .string()
  .regex(
    /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i,
    "must be an e-mail address such as ada@example.test",
  )
  .meta({ wire: { type: "string", format: "email" } });
function buildPurchaseSchema(
  title: string,
  ticketType: TicketType,
  more: readonly string[],
  shown: JsonSchema,
): JsonSchema {
  const { description: _whole, properties, required, ...rest } = shown;
  const fields = properties as Readonly<Record<string, JsonSchema>>; // Safe cast: zod built `shown` from an object.
  return {
    ...rest,
    title,
    properties: { ...fields, ticketType: { ...fields["ticketType"], enum: [ticketType] } },
    required: [...(required as readonly string[]), ...more],
  };
}

export const TicketPurchase = z
  .object({
    ticketType: TicketType.describe("`general` for entry to the museum, `event` for a special event."),
    eventId: Uuid.optional().describe("The special event; required for tickets of type `event`."),
    ticketDate: CalendarDate.describe("The day on which the ticket is valid, `YYYY-MM-DD`."),
    email: email.describe("The buyer's email address, for the confirmation."),
    phone: z.string().optional().describe("The buyer's phone number."),
  })
  .meta({
    id: "TicketPurchase",
    description: "The purchase of a ticket.",
    wire: (_settings: MuseumSettings, _direction: Direction, shown: JsonSchema): JsonSchema => ({
      oneOf: [
        buildPurchaseSchema("General entry", "general", [], shown),
        buildPurchaseSchema("Special event", "event", ["eventId"], shown),
      ],
    }),
  });
export const Ticket = z
  .object({
    message: z.string().describe("Description of the purchase, for the buyer."),
    eventName: z.string().optional().describe("Name of the special event, for tickets of type `event`."),
    ticketId: Uuid.describe("Id of the ticket. The museum chooses it."),
    ticketType: TicketType.describe("`general` for entry to the museum, `event` for a special event."),
    ticketDate: CalendarDate.describe("The day on which the ticket is valid, `YYYY-MM-DD`."),
    confirmationCode: z.string().describe("Text in the ticket's QR code, which is scanned at the door."),
  })
  .meta({ id: "Ticket", description: "A purchased ticket." });
export type Ticket = z.output<typeof Ticket>;

export const QrCode = z
  .object({ text: z.string() })
  .meta({ id: "QrCode", description: "A PNG image of the QR code." });

export const StoredTicket = Ticket.extend({
  email: z.string(),
  phone: z.string().optional(),
  eventId: Uuid.optional(),
});
export type StoredTicket = z.output<typeof StoredTicket>;

/** Creates the schema of a whole number from 1, with any number of digits. Numbers that are too large become the largest safe integer. */
const createCountSchema = (text: string) =>
  z
    .string()
    .regex(/^\d+$/, text)
    .transform((digits) => Math.min(Number(digits), Number.MAX_SAFE_INTEGER))
    .refine((value) => value >= 1, text);
export const page = createCountSchema("must be a whole number from 1")
  .default(1)
  .meta({ description: "Page number to retrieve.", wire: { type: "integer", minimum: 1, default: 1 } });
/** Maximum of `limit`. Source: museum-special-events, Limits. */
export const MAX_PER_PAGE = 30;
export const LIMIT_RULE = `must be a whole number from 1 to ${MAX_PER_PAGE}`;
/** Creates the schema of `limit`. It has no maximum, because checkLimit rejects values above 30 only if `limitAboveMaximum` is `refuse`. */
const createLimitSchema = (describe: (settings: MuseumSettings) => string) =>
  createCountSchema(LIMIT_RULE)
    .default(10)
    .meta({
      wire: (settings: MuseumSettings): JsonSchema => ({
        type: "integer",
        minimum: 1,
        ...(settings.limitAboveMaximum === "refuse" ? { maximum: MAX_PER_PAGE } : {}),
        default: 10,
        description: `${describe(settings)} per page.${settings.limitAboveMaximum === "refuse" ? "" : ` More than ${MAX_PER_PAGE} becomes ${MAX_PER_PAGE}.`}`,
      }),
    });
export const limit = createLimitSchema(({ pageBy }) => `Number of items (${pageBy})`);
export const dayLimit = createLimitSchema(() => "Number of items (days)");
const createDateBound = (description: string) => CalendarDate.optional().meta({ description, wire: DATE });
export const startDate = createDateBound("Start of the range, included. Default: today.");
export const endDate = createDateBound("End of the range, included. Default: seven days after startDate.");

/** Settings of the museum: the value of `settings.museum` in a scenario and in the options of `createSandbox`. */
export const MuseumSettings = z.strictObject({
  errorDetail: createFlag("Whether error bodies also have `status`, `detail` and `errors`."),
  validationStatus: createChoice([400, 422], "Status of a response to invalid input."),
  credentials: z
    .array(z.strictObject({ user: z.string(), password: z.string() }))
    .optional()
    .describe("List of valid `{ user, password }`. Default: every pair is valid."),
  limitAboveMaximum: createChoice(["refuse", "clamp"], "A `limit` above 30 is an error, or becomes 30."),
  pageBy: createChoice(["events", "days"], "Unit of the parameter `limit` in the list of events."),
  strict: createFlag("Whether unknown query parameters and body fields are errors."),
  strictDomain: createFlag(
    "Whether empty values, past dates, prices of 0 or less, and tickets for a day that their event does not list are errors.",
  ),
  preview: z.boolean().default(true).describe("Whether the operations for opening hours and tickets exist."),
});
export type MuseumSettings = z.output<typeof MuseumSettings>;
