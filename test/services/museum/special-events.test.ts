// The life of a special event as a client lives it: created, read, changed, cancelled.

import { describe, expect } from "vitest";
import { ask, museumData } from "../../support/museum.ts";
import { test, testOfMistakes } from "../../support/test.ts";

const LAMPS = {
  name: "Night of the lamps",
  location: "Hall 2",
  eventDescription: "After dark, with tea.",
  dates: ["2026-03-31", "2026-04-02"],
  price: 12.5,
};
const NOBODY = "00000000-0000-4000-8000-000000000000";

describe("a special event", () => {
  test("is created with an id of the service's own and found under its Location", async ({ sandbox }) => {
    const created = await ask(sandbox, "POST /special-events", { body: LAMPS });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({ eventId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/), ...LAMPS });
    expect(created.headers.get("location")).toBe(`/museum/v1.1/special-events/${created.body.eventId}`);

    const found = await ask(sandbox, `GET /special-events/${created.body.eventId}`);
    expect(found.status).toBe(200);
    expect(found.body).toEqual(created.body);
    expect(sandbox.journal.last?.changes).toEqual([]);
  });

  test("keeps the fields that a PATCH omits", async ({ sandbox }) => {
    const { body: event } = await ask(sandbox, "POST /special-events", { body: LAMPS });
    const updated = await ask(sandbox, `PATCH /special-events/${event.eventId}`, {
      body: { price: 0, dates: ["2026-05-01"] },
    });
    expect(updated.status).toBe(200);
    expect(updated.body).toEqual({ ...event, price: 0, dates: ["2026-05-01"] });
    expect((await ask(sandbox, `GET /special-events/${event.eventId}`)).body).toEqual(updated.body);
  });

  test("is unchanged by an empty PATCH", async ({ sandbox }) => {
    const { body: event } = await ask(sandbox, "POST /special-events", { body: LAMPS });
    const updated = await ask(sandbox, `PATCH /special-events/${event.eventId}`, { body: {} });
    expect(updated).toMatchObject({ status: 200, body: event });
  });

  test("is gone after its cancellation, for every operation", async ({ sandbox }) => {
    const { body: event } = await ask(sandbox, "POST /special-events", { body: LAMPS });
    const path = `/special-events/${event.eventId}`;
    const deleted = await ask(sandbox, `DELETE ${path}`);
    expect(deleted).toMatchObject({ status: 204, text: "" });
    expect(deleted.headers.has("content-type")).toBe(false);

    for (const [method, body] of [["GET"], ["DELETE"], ["PATCH", { price: 1 }]] as const) {
      const gone = await ask(sandbox, `${method} ${path}`, { body });
      expect(gone.status).toBe(404);
      expect(gone.headers.get("content-type")).toBe("application/problem+json");
      expect(gone.body).toEqual({
        type: "urn:museum:problem:eventNotFound",
        title: "There is no such special event.",
      });
    }
    const { text } = await ask(sandbox, "GET /special-events?startDate=2026-03-31&limit=30");
    expect(text).not.toContain(event.eventId);
  });

  test("is found by its id in upper and lower case", async ({ sandbox }) => {
    const { body: event } = await ask(sandbox, "POST /special-events", { body: LAMPS });
    const path = `/special-events/${event.eventId.toUpperCase()}`;
    expect((await ask(sandbox, `GET ${path}`)).body).toEqual(event);
    expect((await ask(sandbox, `PATCH ${path}`, { body: { price: 1 } })).body.eventId).toBe(event.eventId);
    expect((await ask(sandbox, `DELETE ${path}`)).status).toBe(204);
  });

  test("from a scenario with ids in capitals is found in upper and lower case", async ({ sandbox }) => {
    const eventId = "ABCDEF00-1234-4ABC-8DEF-1234567890AB";
    const replace = [{ eventId, ...LAMPS }];
    await sandbox.scenario({ version: 1, data: { museum: { specialEvents: { replace } } } });
    const { specialEvents, tickets } = museumData(sandbox);
    for (const id of [eventId, eventId.toLowerCase()]) {
      const found = await ask(sandbox, `GET /special-events/${id}`);
      expect(found).toMatchObject({ status: 200, body: LAMPS });
      expect((await ask(sandbox, "GET /special-events?startDate=2026-03-31")).body).toEqual([found.body]);
      expect((await ask(sandbox, `PATCH /special-events/${id}`, { body: { price: 12.5 } })).status).toBe(200);
      const purchase = { ticketDate: "2026-03-31", email: "ada@example.test", ticketType: "event" };
      const bought = await ask(sandbox, "POST /tickets", { body: { ...purchase, eventId: id } });
      expect(bought).toMatchObject({ status: 201, body: { eventName: LAMPS.name } });
      expect(tickets.get(bought.body.ticketId)).toMatchObject({ eventId: found.body.eventId });
      expect([specialEvents.get(id), specialEvents.all().length]).toEqual([found.body, 1]);
      expect((await ask(sandbox, `DELETE /special-events/${id}`)).status).toBe(204);
      specialEvents.upsert(replace);
    }
  });

  testOfMistakes("is found at a path with needless percent-escapes", async ({ sandbox }) => {
    const { body: event } = await ask(sandbox, "POST /special%2Devents", { body: LAMPS });
    const path = `/special-events/${event.eventId}`;
    for (const same of [
      `/special%2devents/${event.eventId}`,
      `/special-events/${event.eventId.replaceAll("-", "%2D")}`,
      `/%73pecial-event%73/${event.eventId}`,
    ]) {
      expect(await ask(sandbox, `GET ${same}`)).toMatchObject({ status: 200, body: event });
      expect(sandbox.journal.last).toMatchObject({ path, operation: "museum.getSpecialEvent" });
    }
    const { status } = await sandbox.fetch("/museum/v1%2E1/special-events", {
      headers: sandbox.auth.basic(),
    });
    expect(status).toBe(200);
    for (const other of ["/special-events%2F", "/special%252Devents"])
      expect((await ask(sandbox, `GET ${other}`)).status).toBe(404);
  });

  test("that does not exist returns 404 for any body", async ({ sandbox }) => {
    expect((await ask(sandbox, `PATCH /special-events/${NOBODY}`, { body: "{" })).status).toBe(404);
    expect((await ask(sandbox, `PATCH /special-events/${NOBODY}`, { body: {} })).status).toBe(404);
  });

  test("takes any date, text and price that has the right type", async ({ sandbox }) => {
    const odd = {
      name: "",
      location: " ",
      eventDescription: "🎶 Ünïcode \u0000 \ud800",
      dates: [],
      price: -3,
    };
    const created = await ask(sandbox, "POST /special-events", { body: odd });
    expect(created).toMatchObject({ status: 201, body: odd });
    const past = await ask(sandbox, "POST /special-events", { body: { ...LAMPS, dates: ["1999-12-31"] } });
    expect(past).toMatchObject({ status: 201, body: { dates: ["1999-12-31"] } });
  });

  test.for([0, 1, 0.1, 1e21, 12.345, 9007199254740991, -0.5, 3.4028235e38])(
    "gives the price %d back as it came",
    async (price, { sandbox }) => {
      const { body } = await ask(sandbox, "POST /special-events", { body: { ...LAMPS, price } });
      expect(body.price).toBe(price);
    },
  );

  test.for([
    "9007199254740992",
    "9007199254740994",
    "100000000000000000000",
    "1180591620717411303424",
    "90759988695035700",
    "1e22",
    "1E23",
    "10e20",
    "100e-2",
    "12.500000000000000000000",
    "0.10000000000000001",
    "0.1000000000000000055511151231257827021181583404541015625",
    "5e-324",
    "0.0e999999",
    "-0",
  ])("keeps the price %s, a number that a double holds", async (price, { sandbox }) => {
    const raw = JSON.stringify(LAMPS).replace("12.5", price);
    const { status, body } = await ask(sandbox, "POST /special-events", { body: raw });
    expect([status, body.price]).toEqual([201, Number(price) + 0]);
    expect((await ask(sandbox, `GET /special-events/${body.eventId}`)).body.price).toBe(Number(price) + 0);
  });

  test.for([
    ['"orderId": 4634343214213523454', "orderId"],
    ['"dsid": 990000000262240065.25', "dsid"],
    ['"order": { "lines": [{ "id": 174322306148984899 }, 1e400] }', "order"],
    ['"price": 9007199254740993, "orderId": 1e400', "orderId"],
    ['"dates": [[9007199254740993]], "orderId": 1e400', "orderId"],
  ] as const)(
    "ignores the unknown field in %s, like any unknown field",
    async ([extra, name], { sandbox }) => {
      const raw = JSON.stringify(LAMPS).replace("{", `{${extra},`);
      const created = await ask(sandbox, "POST /special-events", { body: raw });
      expect(created).toMatchObject({ status: 201, body: LAMPS });
      expect(created.body).not.toHaveProperty(name);
      expect(sandbox.journal.last).toMatchObject({ requestText: raw, findings: [{ key: "unknownField" }] });
    },
  );

  test("ignores unknown fields and parameters, and the journal reports them", async ({ sandbox }) => {
    const sent = { ...LAMPS, eventId: NOBODY, colour: "red" };
    const { status, body } = await ask(sandbox, "POST /special-events?verbose=1", { body: sent });
    expect(status).toBe(201);
    expect(body.eventId).not.toBe(NOBODY);
    expect(body).not.toHaveProperty("colour");
    expect(sandbox.journal.last?.findings.map(({ key }) => key)).toEqual([
      "unknownQuery",
      "unknownField",
      "unknownField",
    ]);
    const { body: patched } = await ask(sandbox, `PATCH /special-events/${body.eventId}`, {
      body: { eventId: NOBODY },
    });
    expect(patched).toEqual(body);
  });

  testOfMistakes("forbids sniffing and framing in every response", async ({ sandbox }) => {
    const { body: event } = await ask(sandbox, "POST /special-events", { body: LAMPS });
    const { ticketId } = museumData(sandbox).tickets.all()[0] ?? {};
    const statuses: number[] = [];
    for (const line of [
      "GET /special-events",
      `GET /tickets/${ticketId}/qr`,
      `DELETE /special-events/${event.eventId}`,
      "GET /special-events?page=0",
      `GET /special-events/${NOBODY}`,
      "GET /nowhere",
      "PUT /special-events",
    ]) {
      const { status, headers } = await ask(sandbox, line);
      statuses.push(status);
      expect(headers.get("x-content-type-options"), line).toBe("nosniff");
      expect(headers.get("x-frame-options"), line).toBe("deny");
      expect(sandbox.journal.last?.responseHeaders).toMatchObject({ "x-frame-options": "deny" });
    }
    expect(statuses).toEqual([200, 200, 204, 400, 404, 404, 405]);
  });
});
