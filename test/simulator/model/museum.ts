// The model of the museum: what it checks in which order, and what it answers. From the document and the list of what it
// leaves open.

import type { Asked, Expected, Learn, Service, Worked } from "./life.ts";
import {
  addDays,
  type EventFields,
  type Moment,
  nextOf,
  type SpecialEvent,
  type Ticket,
  toDate,
  withNext,
} from "./moment.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The problems that the model knows. */
export const STATUSES = {
  credentialsRequired: 401,
  eventNotFound: 404,
  ticketNotFound: 404,
  malformedBody: 400,
  invalidInput: 400,
};
const statuses: Readonly<Record<string, number>> = STATUSES;
type Fields = Readonly<Record<string, unknown>>;

function refuse(moment: Moment, problem: string, fields: readonly string[] = []): Expected {
  const usual = statuses[problem] ?? Number.NaN;
  const status = usual === 400 ? moment.settings.validationStatus : usual;
  return { status, problem, body: { type: `urn:museum:problem:${problem}` }, fields };
}

export const museum: Service = {
  refusal: (moment, _asked, problem) => refuse(moment, problem),
  caller(moment, { headers }) {
    const [, encoded] = /^Basic (.*)$/.exec(headers["authorization"] ?? "") ?? [];
    const pair = encoded === undefined ? "" : Buffer.from(encoded, "base64").toString("utf8");
    return pair.includes(":") ? { user: pair.split(":")[0] ?? "" } : refuse(moment, "credentialsRequired");
  },
  early(moment, asked, _user, at) {
    if (asked.path.includes("/", 1) && !UUID.test(asked.id)) return refuse(moment, "invalidInput");
    const wrong = wrongInQuery(moment, asked, at);
    if (wrong.length > 0) return refuse(moment, "invalidInput", wrong);
    if (asked.path.startsWith("/special-events/") && eventOf(moment, asked.id) === undefined)
      return refuse(moment, "eventNotFound");
    if (asked.path.startsWith("/tickets/") && ticketOf(moment, asked.id) === undefined)
      return refuse(moment, "ticketNotFound");
    return undefined;
  },
  late(moment, { method, media, text, value, operation }) {
    if (method !== "POST" && method !== "PATCH") return undefined;
    if (media !== "application/json" || text === undefined || value === undefined)
      return refuse(moment, "malformedBody");
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return refuse(moment, "malformedBody");
    const checks = operation === "buyMuseumTickets" ? TICKET : EVENT;
    const wrong = wrongFields(value as Fields, checks, operation === "updateSpecialEvent");
    const unknown = Object.keys(value).filter((name) => !Object.hasOwn(checks, name));
    const refused = moment.settings.strict ? [...wrong, ...unknown] : wrong;
    return refused.length > 0 ? refuse(moment, "invalidInput", refused) : undefined;
  },
  work,
};

function work(moment: Moment, asked: Asked, _user: string, at: number, learn: Learn): Worked {
  switch (asked.operation) {
    case "createSpecialEvent":
      return create(moment, asked, learn);
    case "updateSpecialEvent": {
      const event = { ...eventOf(moment, asked.id), ...known(asked.value as Fields, EVENT) } as SpecialEvent;
      const events = moment.events.map((one) => (one.eventId === event.eventId ? event : one));
      return { moment: { ...moment, events }, expected: { status: 200, body: event } };
    }
    case "deleteSpecialEvent": {
      const events = moment.events.filter(({ eventId }) => eventId !== asked.id.toLowerCase());
      return { moment: { ...moment, events }, expected: { status: 204 } };
    }
    case "listSpecialEvents":
      return { moment, expected: { status: 200, body: listed(moment, asked, at) } };
    case "getMuseumHours":
      return { moment, expected: { status: 200, body: hours(asked, at) } };
    case "buyMuseumTickets":
      return buy(moment, asked, learn);
    case "getTicketCode":
      return { moment, expected: { status: 200 } };
    default:
      return { moment, expected: { status: 200, body: eventOf(moment, asked.id) } };
  }
}

function create(moment: Moment, asked: Asked, learn: Learn): Worked {
  const ids = moment.events.map(({ eventId }) => eventId);
  const eventId = String(
    learn("museum.specialEvents", ids, nextOf(moment, "museum/specialEvents"))["eventId"],
  );
  const event = { eventId, ...known(asked.value as Fields, EVENT) } as SpecialEvent;
  const made = withNext({ ...moment, events: [...moment.events, event] }, "museum/specialEvents");
  const headers = { location: `/special-events/${eventId}` };
  return { moment: made, expected: { status: 201, body: event, headers } };
}

function buy(moment: Moment, asked: Asked, learn: Learn): Worked {
  const { eventId, ...fields } = known(asked.value as Fields, TICKET);
  const event = fields["ticketType"] === "event" ? eventOf(moment, String(eventId)) : undefined;
  if (fields["ticketType"] === "event" && event === undefined)
    return { moment, expected: refuse(moment, "eventNotFound") };
  const ids = moment.tickets.map(({ ticketId }) => ticketId);
  const made = learn("museum.tickets", ids, nextOf(moment, "museum/tickets"));
  const { ticketType, ticketDate, ...buyer } = fields;
  const kind = ticketType === "event" ? "special event" : "general entry";
  const ticket = {
    message: `Museum ${kind} ticket purchased`,
    ...(event === undefined ? {} : { eventName: event.name }),
    ticketId: String(made["ticketId"]),
    ticketType,
    ticketDate,
    confirmationCode: String(made["confirmationCode"]),
  };
  const stored = {
    ...ticket,
    ...buyer,
    ...(event === undefined ? {} : { eventId: event.eventId }),
  } as Ticket;
  const bought = withNext({ ...moment, tickets: [...moment.tickets, stored] }, "museum/tickets");
  return { moment: bought, expected: { status: 201, body: ticket } };
}

function eventOf({ events }: Moment, id: string): SpecialEvent | undefined {
  return events.find(({ eventId }) => eventId === id.toLowerCase());
}

function ticketOf({ tickets }: Moment, id: string): Ticket | undefined {
  return tickets.find(({ ticketId }) => ticketId === id.toLowerCase());
}

const isText = (value: unknown): boolean => typeof value === "string";
const isDate = (value: unknown): boolean =>
  typeof value === "string" &&
  /^\d{4}-\d{2}-\d{2}$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  toDate(Date.parse(value)) === value;

type Checks<K extends string = string> = Readonly<
  Record<K, { readonly optional?: true; readonly fits: (value: unknown) => boolean }>
>;
const EVENT: Checks<keyof EventFields> = {
  name: { fits: isText },
  location: { fits: isText },
  eventDescription: { fits: isText },
  dates: { fits: (value) => Array.isArray(value) && value.every(isDate) },
  price: { fits: (value) => typeof value === "number" },
};
const TICKET: Checks = {
  ticketType: { fits: (value) => value === "event" || value === "general" },
  eventId: { optional: true, fits: (value) => typeof value === "string" && UUID.test(value) },
  ticketDate: { fits: isDate },
  email: { fits: (value) => typeof value === "string" && /^[^\s@]+@[^\s@]+$/.test(value) },
  phone: { optional: true, fits: isText },
};

/** Names of the fields that do not fit. A ticket for an event must name it. */
function wrongFields(fields: Fields, checks: Checks, partial: boolean): readonly string[] {
  const wrong = Object.entries(checks)
    .filter(([name, { optional, fits }]) =>
      Object.hasOwn(fields, name) ? !fits(fields[name]) : !partial && optional !== true,
    )
    .map(([name]) => name);
  const nameless = fields["ticketType"] === "event" && fields["eventId"] === undefined && checks === TICKET;
  return nameless ? [...wrong, "eventId"] : wrong;
}

function known(fields: Fields, checks: Checks): Fields {
  return Object.fromEntries(
    Object.keys(checks)
      .filter((name) => name in fields)
      .map((name) => [name, fields[name]]),
  );
}

function wrongInQuery(
  { settings }: Moment,
  { operation, query, path }: Asked,
  at: number,
): readonly string[] {
  const isList = operation === "listSpecialEvents";
  if (!isList && path !== "/museum-hours") return [];
  const values = new Map(query);
  const wrong = ["startDate", ...(isList ? ["endDate"] : [])].filter(
    (name) => values.has(name) && !isDate(values.get(name)),
  );
  for (const name of ["page", "limit"]) {
    const most = name === "limit" && !settings.clampLimit ? 30 : 999_999_999;
    const text = values.get(name) ?? "1";
    if (!/^\d{1,9}$/.test(text) || Number(text) < 1 || Number(text) > most) wrong.push(name);
  }
  const allowed = ["startDate", "page", "limit", ...(isList ? ["endDate"] : [])];
  for (const [index, [name]] of query.entries()) {
    const first = query.findIndex(([other]) => other === name);
    if (first !== index && !wrong.includes(name)) wrong.push(name);
    if (!allowed.includes(name) && settings.strict) wrong.push(name);
  }
  const from = values.get("startDate") ?? toDate(at);
  const to = values.get("endDate");
  if (isList && isDate(from) && to !== undefined && isDate(to) && to < from) wrong.push("endDate");
  return wrong;
}

function pageOf(query: Asked["query"]): { readonly page: number; readonly limit: number } {
  const values = new Map(query);
  return { page: Number(values.get("page") ?? 1), limit: Math.min(30, Number(values.get("limit") ?? 10)) };
}

function listed({ events }: Moment, { query }: Asked, at: number): readonly SpecialEvent[] {
  const values = new Map(query);
  const from = values.get("startDate") ?? toDate(at);
  const to = values.get("endDate") ?? addDays(from, 7);
  const first = ({ dates }: SpecialEvent) => dates.filter((date) => date >= from && date <= to).sort()[0];
  const dated = events.flatMap((event) => {
    const date = first(event);
    return date === undefined ? [] : [{ date, event }];
  });
  dated.sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0));
  const { page, limit } = pageOf(query);
  return dated.slice((page - 1) * limit, page * limit).map(({ event }) => event);
}

function hours({ query }: Asked, at: number): readonly object[] {
  const { page, limit } = pageOf(query);
  const start = new Map(query).get("startDate") ?? toDate(at);
  return Array.from({ length: limit }, (_, index) => {
    const date = addDays(start, (page - 1) * limit + index);
    const day = new Date(date).getUTCDay();
    const isLong = day >= 1 && day <= 4;
    return { date, timeOpen: isLong ? "09:00" : "10:00", timeClose: isLong ? "18:00" : "16:00" };
  });
}
