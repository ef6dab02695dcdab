// Opening hours and tickets, the preview groups.

import { inflateSync } from "node:zlib";
import jsQr from "jsqr";
import { PNG } from "pngjs";
import { describe, expect } from "vitest";
import { ask, MUSEUM, museumData } from "../../support/museum.ts";
import { test } from "../../support/test.ts";

const GENERAL = { ticketType: "general", ticketDate: "2026-03-07", email: "todd@example.test" };

/** The compressed part of a picture: what stands in its chunk IDAT. */
function pixelsOf(file: Buffer): Buffer {
  const at = file.indexOf("IDAT");
  return file.subarray(at + 4, at + 4 + file.readUInt32BE(at - 4));
}

describe("opening hours", () => {
  test("are those of consecutive days from today", async ({ sandbox }) => {
    const { status, body } = await ask(sandbox, "GET /museum-hours");
    expect(status).toBe(200);
    expect(body).toHaveLength(10);
    expect(body.slice(0, 2)).toEqual([
      { date: "2026-03-01", timeOpen: "10:00", timeClose: "16:00" },
      { date: "2026-03-02", timeOpen: "09:00", timeClose: "18:00" },
    ]);
  });

  test("go on from page to page, over the leap day and the end of a year", async ({ sandbox }) => {
    const dates = async (query: string): Promise<string[]> =>
      (await ask(sandbox, `GET /museum-hours?${query}`)).body.map(({ date }: { date: string }) => date);
    expect(await dates("startDate=2028-02-28&limit=3")).toEqual(["2028-02-28", "2028-02-29", "2028-03-01"]);
    expect(await dates("startDate=2026-12-30&limit=2&page=2")).toEqual(["2027-01-01", "2027-01-02"]);
    expect((await ask(sandbox, "GET /museum-hours?limit=31")).status).toBe(400);
  });

  test("end on the last day of the calendar", async ({ sandbox }) => {
    const beyond = await ask(sandbox, "GET /museum-hours?startDate=9999-12-31&page=999999999&limit=30");
    expect(beyond).toMatchObject({ status: 200, body: [] });
    expect((await ask(sandbox, "GET /museum-hours?startDate=9999-12-30")).body).toHaveLength(2);
  });
});

describe("a ticket", () => {
  test("for general entry is bought and has a code", async ({ sandbox }) => {
    const { status, body } = await ask(sandbox, "POST /tickets", { body: GENERAL });
    expect(status).toBe(201);
    expect(body).toEqual({
      message: "Museum general entry ticket purchased",
      ticketId: expect.any(String),
      ticketType: "general",
      ticketDate: "2026-03-07",
      confirmationCode: expect.stringMatching(/^ticket-general-[a-z0-9]{6}-[a-z0-9]{5}$/),
    });
    expect(museumData(sandbox).tickets.get(body.ticketId)).toMatchObject({ email: "todd@example.test" });
  });

  test("is found by its id in any case", async ({ sandbox }) => {
    const { ticketId } = (await ask(sandbox, "POST /tickets", { body: GENERAL })).body;
    const code = await ask(sandbox, `GET /tickets/${ticketId.toUpperCase()}/qr`);
    expect([code.status, code.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(code.text).toBe((await ask(sandbox, `GET /tickets/${ticketId}/qr`)).text);
  });

  test("for a special event has the name of the event", async ({ sandbox }) => {
    const [event] = (await ask(sandbox, "GET /special-events")).body;
    const { body } = await ask(sandbox, "POST /tickets", {
      body: { ...GENERAL, ticketType: "event", eventId: event.eventId.toUpperCase() },
    });
    expect(body).toMatchObject({ eventName: event.name, ticketType: "event" });
    expect(museumData(sandbox).tickets.get(body.ticketId)).toMatchObject({ eventId: event.eventId });
  });

  test.for([
    ["a past day", { ticketDate: "2020-01-01" }],
    ["a day on which the event is not held", { ticketType: "event", ticketDate: "2026-12-24" }],
    ["general entry and an event that nobody knows", { eventId: "00000000-0000-4000-8000-000000000000" }],
  ] as const)("for %s is sold", async ([, changed], { sandbox }) => {
    const { eventId } = museumData(sandbox).specialEvents.all()[0] ?? {};
    const { status, body } = await ask(sandbox, "POST /tickets", {
      body: { ...GENERAL, eventId, ...changed },
    });
    expect(status).toBe(201);
    const kept = museumData(sandbox).tickets.get(body.ticketId);
    expect(kept?.["eventId"]).toBe("ticketType" in changed ? eventId : undefined);
  });

  test.for([
    ["no event", { ...GENERAL, ticketType: "event" }, 400, "eventId is required for tickets of type event."],
    [
      "an unknown event",
      { ...GENERAL, ticketType: "event", eventId: "00000000-0000-4000-8000-000000000000" },
      404,
      "There is no such special event.",
    ],
    ["no type", { ...GENERAL, ticketType: undefined }, 400, "ticketType is required."],
    [
      "a type of null",
      { ...GENERAL, ticketType: null },
      400,
      'ticketType must be "event" or "general", not null.',
    ],
    [
      "another type",
      { ...GENERAL, ticketType: "season" },
      400,
      'Unknown ticketType "season". Known: event, general.',
    ],
  ] as const)("for %s is refused and not kept", async ([, body, status, title], { sandbox }) => {
    const before = museumData(sandbox).tickets.all().length;
    expect(await ask(sandbox, "POST /tickets", { body })).toMatchObject({ status, body: { title } });
    expect(museumData(sandbox).tickets.all()).toHaveLength(before);
  });

  const notBoughtBy = [
    "todd",
    "@b.c",
    "a@",
    "a@b",
    "a@b@c.d",
    "a b@c.d",
    ".a@b.c",
    "a.@b.c",
    "a..b@c.d",
    "a@b..c",
    "a@.b.c",
    "a@b.c.",
    "a@-b.c",
    "a@b-.c",
    "ä@b.c",
    "a@b.c\n",
    `a@${"b".repeat(100_000)}!`,
  ];
  test.for(notBoughtBy)("is not sold to %j, which is no e-mail address", async (email, { sandbox }) => {
    const before = museumData(sandbox).tickets.all();
    const refused = await ask(sandbox, "POST /tickets", { body: { ...GENERAL, email } });
    const title = "email must be an e-mail address such as ada@example.test.";
    expect(refused).toMatchObject({ status: 400, body: { type: "urn:museum:problem:invalidInput", title } });
    expect(museumData(sandbox).tickets.all()).toEqual(before);
  });

  test.for(["a@b.c", "A.B+c@x-y.example", "o'neill@museum.example.test", "1@2.3"])(
    "is sold to %s",
    async (email, { sandbox }) => {
      const { status, body } = await ask(sandbox, "POST /tickets", { body: { ...GENERAL, email } });
      expect(status).toBe(201);
      expect(museumData(sandbox).tickets.get(body.ticketId)).toMatchObject({ email });
    },
  );

  test("has a QR code that a phone reads as its confirmation code", async ({ sandbox }) => {
    const { body: ticket } = await ask(sandbox, "POST /tickets", { body: GENERAL });
    const response = await sandbox.fetch(`${MUSEUM}/tickets/${ticket.ticketId}/qr`, {
      headers: sandbox.auth.basic(),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/png");
    const file = Buffer.from(await response.arrayBuffer());
    expect(() => inflateSync(pixelsOf(file))).not.toThrow(); // which looks at the sum, as not every reader does
    const { data, width, height } = PNG.sync.read(file);
    expect(jsQr.default(new Uint8ClampedArray(data), width, height)?.data).toBe(ticket.confirmationCode);
  });

  test("that does not exist has no QR code", async ({ sandbox }) => {
    const refused = await ask(sandbox, "GET /tickets/00000000-0000-4000-8000-000000000000/qr");
    expect(refused).toMatchObject({ status: 404, body: { type: "urn:museum:problem:ticketNotFound" } });
    expect(refused.headers.get("content-type")).toBe("application/problem+json");
    expect((await ask(sandbox, "GET /tickets/1/qr")).status).toBe(400);
  });
});
