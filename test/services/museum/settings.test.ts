// The switches of the museum, each seen from outside; the defaults are what the other files of this folder show.

import { describe, expect } from "vitest";
import { museum } from "../../../src/services/museum/index.ts";
import { ask, museumData } from "../../support/museum.ts";
import { frozenSandbox, test } from "../../support/test.ts";

const LAMPS = {
  name: "Night of the lamps",
  location: "Hall 2",
  eventDescription: "After dark.",
  dates: ["2026-03-31"],
  price: 12.5,
};
const withMuseum = (settings: object) => frozenSandbox({ settings: { museum: settings } });

test("errorDetail adds the status, the detail and one entry per error", async () => {
  const sandbox = await withMuseum({ errorDetail: true });
  const { body } = await ask(sandbox, "POST /special-events", {
    body: { ...LAMPS, price: "1", dates: ["x"] },
  });
  expect(body).toEqual({
    type: "urn:museum:problem:invalidInput",
    title: "The input is not valid.",
    status: 400,
    detail: "dates[0] must be a calendar date such as 2026-03-31; price must be a number, not a string.",
    errors: [
      { propertyPath: "dates[0]", message: "must be a calendar date such as 2026-03-31" },
      { propertyPath: "price", message: "must be a number, not a string" },
    ],
  });
  const { body: tooMany } = await ask(sandbox, "GET /special-events?limit=31");
  expect(tooMany.errors).toEqual([{ propertyPath: "limit", message: "must be a whole number from 1 to 30" }]);
});

test.for([
  [
    "POST /special-events",
    { body: "{" },
    "malformedBody",
    /^The body cannot be read: it is not valid JSON at/,
    0,
  ],
  [
    "POST /special-events",
    { body: [] },
    "malformedBody",
    /^The body must be a JSON object, not an array\.$/,
    1,
  ],
  [
    "GET /special-events",
    { headers: { authorization: "" } },
    "credentialsRequired",
    /and the request has none/,
    0,
  ],
  ["GET /special-events/0b6d1f0e-5d0a-4c57-9a53-6a4f5a2f7c11", {}, "eventNotFound", undefined, 0],
  ["GET /nowhere", {}, "pathNotFound", undefined, 0],
  ["PUT /special-events", {}, "methodNotAllowed", undefined, 0],
] as const)("errorDetail repeats nothing: %s, %o", async ([line, question, problem, detail, errors]) => {
  const { title, status } = museum.problems[problem] ?? {};
  const type = `urn:museum:problem:${problem}`;
  const refused = await ask(await withMuseum({ errorDetail: true }), line, question);
  expect(refused.body).toEqual({
    type,
    title,
    status,
    ...(detail === undefined ? {} : { detail: expect.stringMatching(detail) }),
    ...(errors === 0 ? {} : { errors: expect.arrayContaining([expect.anything()]) }),
  });
  const plain = await ask(await withMuseum({}), line, question);
  expect(plain.body).toEqual({ type, title: refused.body.detail ?? title });
});

test("validationStatus moves every refusal of input to 422, and nothing else", async () => {
  const sandbox = await withMuseum({ validationStatus: 422 });
  const statuses = await Promise.all([
    ask(sandbox, "POST /special-events", { body: "{" }),
    ask(sandbox, "POST /special-events", { body: {} }),
    ask(sandbox, "GET /special-events?limit=0"),
    ask(sandbox, "GET /special-events/nonsense"),
    ask(sandbox, "GET /nowhere"),
    ask(sandbox, "GET /special-events", { headers: { authorization: "" } }),
  ]);
  expect(statuses.map(({ status }) => status)).toEqual([422, 422, 422, 422, 404, 401]);
});

test("limitAboveMaximum: clamp returns 30 items for any higher limit", async () => {
  const sandbox = await withMuseum({ limitAboveMaximum: "clamp" });
  const query = "startDate=2026-01-01&endDate=2026-12-31";
  await sandbox.museum.createSpecialEvent({ body: LAMPS });
  for (const limit of ["31", "999999999", "9999999999", "9".repeat(400)])
    expect((await ask(sandbox, `GET /special-events?${query}&limit=${limit}`)).body, limit).toHaveLength(30);
  expect((await ask(sandbox, "GET /museum-hours?limit=31")).body).toHaveLength(30);
  expect((await ask(sandbox, "GET /special-events?limit=0")).status).toBe(400);
});

test("strict refuses unknown fields and parameters", async () => {
  const sandbox = await withMuseum({ strict: true });
  expect(await ask(sandbox, "POST /special-events", { body: { ...LAMPS, colour: "red" } })).toMatchObject({
    status: 400,
    body: { title: 'Unknown field "colour". Known: name, location, eventDescription, dates, price.' },
  });
  expect(await ask(sandbox, "GET /special-events?verbose=1")).toMatchObject({
    status: 400,
    body: { title: 'Unknown query parameter "verbose". Known: startDate, endDate, page, limit.' },
  });
  expect((await ask(sandbox, "POST /special-events", { body: LAMPS })).status).toBe(201);
});

test("strictDomain refuses implausible values, on create and on update", async () => {
  const sandbox = await withMuseum({ strictDomain: true });
  const nonsense = { name: " ", location: "", eventDescription: "", dates: ["2026-02-28"], price: 0 };
  const title =
    "name must not be empty; location must not be empty; eventDescription must not be empty; " +
    "dates[0] must not be in the past; price must be more than 0.";
  const refused = await ask(sandbox, "POST /special-events", { body: nonsense });
  expect(refused).toMatchObject({ status: 400, body: { title } });

  const mixed = await ask(sandbox, "POST /special-events", { body: { ...nonsense, location: 7 } });
  expect(mixed.body.title).toBe(
    title.replace("location must not be empty", "location must be a string, not a number"),
  );

  const { body: event } = await ask(sandbox, "POST /special-events", {
    body: { ...LAMPS, dates: ["2026-03-01"] },
  });
  const path = `/special-events/${event.eventId}`;
  expect(await ask(sandbox, `PATCH ${path}`, { body: { dates: [] } })).toMatchObject({
    status: 400,
    body: { title: "dates must name at least one date." },
  });
  expect((await ask(sandbox, `GET ${path}`)).body).toEqual(event);
  expect((await ask(sandbox, `PATCH ${path}`, { body: { price: 1 } })).status).toBe(200);
});

describe("with strictDomain a ticket", () => {
  const dates = ["2026-02-27", "2026-03-04", "2026-03-31"];
  const boxOffice = async (held: readonly string[]) => {
    const sandbox = await withMuseum({ strictDomain: true });
    const event = { eventId: "0b6d1f0e-5d0a-4c57-9a53-6a4f5a2f7c11", ...LAMPS, dates: held };
    museumData(sandbox).specialEvents.replace([event]);
    const buy = (ticketType: string, ticketDate: string, eventId = event.eventId) =>
      ask(sandbox, "POST /tickets", { body: { ticketType, eventId, ticketDate, email: "ada@example.test" } });
    return { sandbox, buy };
  };
  const LEFT = "ticketDate must be a date of the event, of which these are left: 2026-03-04, 2026-03-31.";
  const PAST = "ticketDate must not be in the past (today is 2026-03-01).";

  test.for([
    ["event", "2026-03-05", dates, LEFT],
    ["event", "2026-03-05", ["2026-02-28", "2026-03-01"], LEFT.replace(/: .*/, ": 2026-03-01.")],
    ["event", "2026-02-27", dates, PAST],
    ["event", "2020-01-01", dates, PAST],
    ["general", "2026-02-28", dates, PAST],
    [
      "event",
      "2026-03-05",
      ["2026-02-27"],
      "ticketDate must be a date of the event, which has none from today on.",
    ],
  ] as const)("of type %s for %s is refused: %o", async ([type, date, held, title]) => {
    const { sandbox, buy } = await boxOffice(held);
    const before = museumData(sandbox).tickets.all();
    expect(await buy(type, date)).toMatchObject({ status: 400, body: { title } });
    expect(museumData(sandbox).tickets.all()).toEqual(before);
  });

  test("is sold for a day on which the event is held, and for general entry on any day from today", async () => {
    const { sandbox, buy } = await boxOffice(dates);
    const sold = [
      await buy("event", "2026-03-31"),
      await buy("general", "2026-03-01"),
      await buy("general", "2026-03-05", "00000000-0000-4000-8000-000000000000"),
    ];
    expect(sold.map(({ status }) => status)).toEqual([201, 201, 201]);
    for (const { body } of sold) expect(museumData(sandbox).tickets.get(body.ticketId)).toBeDefined();
    expect((await buy("event", "2026-03-05", "00000000-0000-4000-8000-000000000000")).status).toBe(404);
  });
});

test("preview: false removes everything but the special events", async () => {
  const sandbox = await withMuseum({ preview: false });
  for (const line of ["GET /museum-hours", "POST /tickets", "PUT /tickets", "GET /tickets/x/qr"]) {
    const refused = await ask(sandbox, line);
    expect(refused, line).toMatchObject({ status: 404, body: { type: "urn:museum:problem:pathNotFound" } });
  }
  expect((await ask(sandbox, "GET /special-events")).status).toBe(200);
  const { body: document } = await ask(sandbox, "GET /openapi.json");
  expect(Object.keys(document.paths)).toEqual(["/special-events", "/special-events/{eventId}"]);
});
