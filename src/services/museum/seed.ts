/** Generates base data of the museum with faker, and shifts the dates of base data, so that they are relative to today. */

import type { Faker } from "@faker-js/faker";
import type { Fixture, GenerateOptions } from "../../operation/service.ts";
import { addDays, type CalendarDate, countDays } from "../../world/time.ts";
import type { SpecialEvent, StoredTicket } from "./schemas.ts";
import { describeTicket } from "./state.ts";

/** Moves all dates by the number of days from the fixture's anchor to today. */
export function rebase(fixture: Fixture, today: CalendarDate): Fixture {
  const shift = countDays(fixture.anchor, today);
  // Safe casts: fixtures are validated when they are read.
  const events = (fixture.collections["specialEvents"] ?? []) as readonly SpecialEvent[];
  const sold = (fixture.collections["tickets"] ?? []) as readonly StoredTicket[];
  const move = (date: CalendarDate) => addDays(date, shift);
  const specialEvents = events.map((event) => ({ ...event, dates: event.dates.map(move) }));
  const tickets = sold.map((ticket) => ({ ...ticket, ticketDate: move(ticket.ticketDate) }));
  return { anchor: today, collections: { specialEvents, tickets } };
}

const EVENT_KINDS = [
  "Night",
  "Workshop",
  "Concert",
  "Lecture",
  "Tour",
  "Exhibition",
  "Tasting",
  "Debate",
  "Parade",
  "Reading",
];
const EVENT_LOCATIONS = [
  "Main hall",
  "Hall 2",
  "Roof terrace",
  "Sculpture garden",
  "Auditorium",
  "Library",
  "Courtyard",
  "Studio B",
];

const MIN_DAY = -30;
const MAX_DAY = 120;
const WINDOW_DAYS = 7;

/** Generates events and tickets. Every third event starts within 7 days, the list's default range. The first event has two dates in it. */
export async function generate({ seed, anchor, counts }: GenerateOptions): Promise<Fixture> {
  const { faker } = await import("@faker-js/faker/locale/en");
  faker.seed(seed);
  const specialEvents = Array.from({ length: counts["specialEvents"] ?? 30 }, (_, index): SpecialEvent => {
    const second = { min: 1, max: WINDOW_DAYS };
    const days = index === 0 ? [0, faker.number.int(second)] : generateDays(faker, index);
    return {
      eventId: faker.string.uuid(),
      name: `${faker.commerce.productAdjective()} ${faker.animal.type()} ${faker.helpers.arrayElement(EVENT_KINDS).toLowerCase()}`,
      location: faker.helpers.arrayElement(EVENT_LOCATIONS),
      eventDescription: `${faker.company.catchPhrase()}, with ${faker.person.fullName()}.`,
      dates: days.map((day) => addDays(anchor, day)),
      price: faker.helpers.arrayElement([0, 5, 7.5, 12, 15, 22.5, 40]),
    };
  });
  const buy = (event?: SpecialEvent): StoredTicket => {
    const ticketType = event === undefined ? "general" : "event";
    return {
      message: describeTicket(ticketType),
      ...(event === undefined ? {} : { eventName: event.name, eventId: event.eventId }),
      ticketId: faker.string.uuid(),
      ticketType,
      ticketDate: event?.dates[0] ?? anchor,
      confirmationCode: `ticket-${ticketType}-${generateCode(faker, 6)}-${generateCode(faker, 5)}`,
      email: faker.internet.exampleEmail().toLowerCase(),
    };
  };
  return { anchor, collections: { specialEvents, tickets: [buy(), ...specialEvents.slice(0, 1).map(buy)] } };
}

/** Returns the days of an event, as ascending offsets from the anchor. Every third event starts within 7 days. */
function generateDays(faker: Faker, index: number): readonly number[] {
  const soon = index % 3 === 0;
  const first = faker.number.int(soon ? { min: 0, max: WINDOW_DAYS } : { min: MIN_DAY, max: MAX_DAY });
  const days = [first];
  for (let more = faker.number.int({ min: 0, max: 3 }); more > 0; more -= 1)
    days.push((days.at(-1) ?? first) + faker.number.int({ min: 1, max: 7 }));
  return days.filter((day) => day <= MAX_DAY);
}

function generateCode(faker: Faker, length: number): string {
  return faker.string.alphanumeric({ length, casing: "lower" });
}
