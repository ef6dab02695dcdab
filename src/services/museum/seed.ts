// Owns the museum's base data: how it is made with faker, and how its dates follow the clock's today.

import type { Fixture, GenerateOptions } from "../../operation/service.ts";
import { addDays, type CalendarDate, daysBetween } from "../../world/time.ts";
import type { SpecialEvent } from "./schemas.ts";

/** Moves every date by the days between the fixture's anchor and today. */
export function rebase(fixture: Fixture, today: CalendarDate): Fixture {
  const shift = daysBetween(fixture.anchor, today);
  const events = (fixture.collections["specialEvents"] ?? []) as readonly SpecialEvent[]; // checked when the fixture was read
  const specialEvents = events.map((event) => ({
    ...event,
    dates: event.dates.map((date) => addDays(date, shift)),
  }));
  return { anchor: today, collections: { ...fixture.collections, specialEvents } };
}

const KINDS = [
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
const PLACES = [
  "Main hall",
  "Hall 2",
  "Roof terrace",
  "Sculpture garden",
  "Auditorium",
  "Library",
  "Courtyard",
  "Studio B",
];

/** Special events spread from 30 days before to 120 days after the anchor; a third of them in the first week. */
export async function generate({ seed, anchor, counts }: GenerateOptions): Promise<Fixture> {
  const { faker } = await import("@faker-js/faker/locale/en");
  faker.seed(seed);
  const specialEvents = Array.from({ length: counts["specialEvents"] ?? 30 }, (_, index): SpecialEvent => {
    const soon = index % 3 === 0;
    const first = faker.number.int(soon ? { min: 0, max: 7 } : { min: -30, max: 120 });
    const steps = Array.from({ length: faker.number.int({ min: 0, max: 3 }) }, () =>
      faker.number.int({ min: 1, max: 7 }),
    );
    const days = steps.reduce<number[]>((all, step) => [...all, (all.at(-1) ?? first) + step], [first]);
    return {
      eventId: faker.string.uuid(),
      name: `${faker.commerce.productAdjective()} ${faker.animal.type()} ${faker.helpers.arrayElement(KINDS).toLowerCase()}`,
      location: faker.helpers.arrayElement(PLACES),
      eventDescription: `${faker.company.catchPhrase()}, with ${faker.person.fullName()}.`,
      dates: days.map((day) => addDays(anchor, day)),
      price: faker.helpers.arrayElement([0, 5, 7.5, 12, 15, 22.5, 40]),
    };
  });
  return { anchor, collections: { specialEvents } };
}
