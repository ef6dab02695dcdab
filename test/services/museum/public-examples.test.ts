// What guides and workflows of the public description do with its examples works on the base data as it is: the ids are
// the public ones, the texts are ours.

import { describe, expect } from "vitest";
import { ask, museumData } from "../../support/museum.ts";
import { test } from "../../support/test.ts";

/** In the examples of the public description of version 1.1.1; the first is the example of the path. */
const EVENTS = [
  "dad4bce8-f5cb-4078-a211-995864315e39",
  "6744a0da-4121-49cd-8479-f8cc20526495",
  "f3e0e76e-e4a8-466e-ab9c-ae36c15b8e97",
  "2f14374a-9c65-4ee5-94b7-fba66d893483",
  "6aaa61ba-b2aa-4868-b803-603dbbf7bfdb",
  "602b75e1-5696-4ab8-8c7a-f9e13580f910",
  "3be6453c-03eb-4357-ae5a-984a0e574a54",
  "9d90d29a-2af5-4206-97d9-9ea9ceadcb78",
  "a3c7b2c4-b5fb-4ef7-9322-00a919864957",
  "b92d46b7-4c5d-422b-87a5-287767e26f29",
];
const TICKETS = [
  "a54a57ca-36f8-421b-a6b4-2e8f26858a4c",
  "382c0820-0530-4f4b-99af-13811ad0f17a",
  "b811f723-17b2-44f7-8952-24b03e43d8a9",
];
const [FIRST] = EVENTS;

test.for(EVENTS)("the event %s is read, changed and cancelled", async (eventId, { sandbox }) => {
  const path = `/special-events/${eventId}`;
  const found = await ask(sandbox, `GET ${path}`);
  expect(found).toMatchObject({ status: 200, body: { eventId } });
  const changes = { location: "On the beach.", price: 15 };
  const changed = await ask(sandbox, `PATCH ${path}`, { body: changes });
  expect(changed).toMatchObject({ status: 200, body: { ...found.body, ...changes } });
  expect((await ask(sandbox, `DELETE ${path}`)).status).toBe(204);
  expect(museumData(sandbox).specialEvents.get(eventId)).toBeUndefined();
});

test.for(TICKETS)("the ticket %s has its QR code", async (ticketId, { sandbox }) => {
  const { status, headers } = await ask(sandbox, `GET /tickets/${ticketId}/qr`);
  expect([status, headers.get("content-type")]).toEqual([200, "image/png"]);
  expect(museumData(sandbox).tickets.get(ticketId)).toMatchObject({ ticketId });
});

describe("an example request", () => {
  test.for([
    { ticketType: "general", ticketDate: "2023-09-07" },
    { ticketType: "general", eventId: FIRST, ticketDate: "2023-09-05" },
    { ticketType: "event", eventId: FIRST, ticketDate: "2023-09-05" },
  ])("buys a ticket: %o", async (purchase, { sandbox }) => {
    const bought = await ask(sandbox, "POST /tickets", { body: { ...purchase, email: "todd@example.com" } });
    const { ticketType, ticketDate } = purchase;
    expect(bought).toMatchObject({ status: 201, body: { ticketType, ticketDate } });
    expect(museumData(sandbox).tickets.get(bought.body.ticketId)).toMatchObject({
      email: "todd@example.com",
    });
  });

  test.for([
    "/special-events?startDate=2023-02-23&endDate=2023-04-18&page=2&limit=15",
    "/museum-hours?page=2&limit=15",
  ])("is answered: GET %s", async (path, { sandbox }) => {
    expect((await ask(sandbox, `GET ${path}`)).status).toBe(200);
    expect(sandbox.journal.last).toMatchObject({ status: 200, findings: [] });
  });
});

test("the OpenAPI document shows the examples of the public documentation", async ({ sandbox }) => {
  const { body: document } = await ask(sandbox, "GET /openapi.json");
  const exampleOf = (path: string) => document.paths[path].get.parameters[0].example;
  expect(exampleOf("/special-events/{eventId}")).toBe(FIRST);
  expect(exampleOf("/tickets/{ticketId}/qr")).toBe(TICKETS[0]);
});
