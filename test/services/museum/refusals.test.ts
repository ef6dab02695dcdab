// What the museum refuses: always problem+json with exactly `type` and `title`, and never a change of its data.

import fc from "fast-check";
import { describe, expect } from "vitest";
import { ask, MUSEUM, museumData } from "../../support/museum.ts";
import { test, testOfMistakes } from "../../support/test.ts";

const LAMPS = {
  name: "Night of the lamps",
  location: "Hall 2",
  eventDescription: "After dark.",
  dates: ["2026-03-31"],
  price: 12.5,
};
const text = (price: string) => JSON.stringify(LAMPS).replace("12.5", price);
const latin1 = new Uint8Array([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d]);
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

describe("a body", () => {
  test.for([
    ["nothing", "", /the body is empty/],
    ["blanks", "  \n", /the body is empty/],
    ["half of it", '{"name": "x",', /not valid JSON/],
    ["something after it", `${text("1")} {}`, /not valid JSON/],
    ["a comment", `// hi\n${text("1")}`, /not valid JSON at line 1, column 1/],
    ["NaN", text("NaN"), /not valid JSON/],
    ["thousands of open brackets", "[".repeat(200_000), /nested deeper than 64 levels/],
    ["two hundred levels", nested(200), /nested deeper than 64 levels/],
    ["five thousand levels", nested(5000), /nested deeper than 64 levels/],
    ["bytes that are no UTF-8", latin1, /not valid UTF-8/],
    ["null", "null", /^The body must be a JSON object, not null\.$/],
    ["an array", "[]", /^The body must be a JSON object, not an array\.$/],
    ["a string", '"x"', /^The body must be a JSON object, not a string\.$/],
    ["a number", "1", /^The body must be a JSON object, not a number\.$/],
    ["a number that no double holds", "9007199254740993", /^The body must be a JSON object, not a number\.$/],
  ] as const)("of %s returns 400 with the reason", async ([, raw, title], { sandbox }) => {
    const before = museumData(sandbox).specialEvents.all();
    const refused = await ask(sandbox, "POST /special-events", { body: raw });
    expect(refused.status).toBe(400);
    expect(refused.headers.get("content-type")).toBe("application/problem+json");
    expect(refused.body).toEqual({
      type: "urn:museum:problem:malformedBody",
      title: expect.stringMatching(title),
    });
    expect(museumData(sandbox).specialEvents.all()).toEqual(before);
  });

  test.for([
    [
      "no fields",
      {},
      "name is required; location is required; eventDescription is required; dates is required; price is required.",
    ],
    ["a number for a name", { ...LAMPS, name: 7 }, "name must be a string, not a number."],
    ["null for a name", { ...LAMPS, name: null }, "name must be a string, not null."],
    ["a text for a price", { ...LAMPS, price: "12" }, "price must be a number, not a string."],
    ["null for a price", { ...LAMPS, price: null }, "price must be a number, not null."],
    [
      "a price beyond the range of a float",
      { ...LAMPS, price: 1e300 },
      "price must be at most 3.4028235677973362e+38, not 1e+300.",
    ],
    [
      "a price as far below",
      { ...LAMPS, price: -3.5e38 },
      "price must be at least -3.4028235677973362e+38, not -3.5e+38.",
    ],
    ["one date alone", { ...LAMPS, dates: "2026-03-31" }, "dates must be an array, not a string."],
    [
      "a day that does not exist",
      { ...LAMPS, dates: ["2026-03-31", "2026-02-30"] },
      "dates[1] must be a calendar date such as 2026-03-31.",
    ],
    [
      "an instant for a date",
      { ...LAMPS, dates: ["2026-03-31T00:00:00Z"] },
      "dates[0] must be a calendar date such as 2026-03-31.",
    ],
    ["a date of null", { ...LAMPS, dates: [null] }, "dates[0] must be a string, not null."],
  ] as const)("with %s returns 400 with the reason", async ([, body, title], { sandbox }) => {
    const before = museumData(sandbox).specialEvents.all();
    const refused = await ask(sandbox, "POST /special-events", { body });
    expect(refused).toMatchObject({ status: 400, body: { type: "urn:museum:problem:invalidInput", title } });
    expect(museumData(sandbox).specialEvents.all()).toEqual(before);
    expect(sandbox.journal.last).toMatchObject({ problem: "invalidInput", changes: [] });
  });

  test.for([
    "9007199254740993",
    "4634343214213523454",
    "-12345678901234567890",
    "590295810358705651710",
    "1e400",
    "-1e400",
    `1${"0".repeat(400)}`,
  ])("with the price %s, which no double holds, is 400 that says so", async (price, { sandbox }) => {
    const before = museumData(sandbox).specialEvents.all();
    const refused = await ask(sandbox, "POST /special-events", { body: text(price) });
    const shown = price.length > 24 ? `${price.slice(0, 24)}…` : price;
    const title = `price must be a number that a 64-bit float can represent, not ${shown}.`;
    expect(refused).toMatchObject({ status: 400, body: { type: "urn:museum:problem:invalidInput", title } });
    expect(museumData(sandbox).specialEvents.all()).toEqual(before);
    expect(sandbox.journal.last).toMatchObject({ problem: "invalidInput", requestText: text(price) });
    if (Number.isFinite(Number(price)))
      expect(sandbox.journal.count({ status: 400, body: { price: Number(price) } })).toBe(1);
  });

  test("with a huge number in a string or date field gets the expected type", async ({ sandbox }) => {
    const raw = text("1").replace('"Hall 2"', "9007199254740993").replace('"2026-03-31"', "9007199254740993");
    const refused = await ask(sandbox, "POST /special-events", { body: raw });
    expect(refused.body.title).toBe(
      "location must be a string, not a number; dates[0] must be a string, not a number.",
    );
  });

  test.for([
    ["another media type", { "content-type": "text/plain" }],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }],
    ["two media types", { "content-type": "application/json, text/plain" }],
    ["an encoding", { "content-encoding": "gzip" }, /"gzip" is not supported/],
  ] as const)("sent as %s returns 400", async ([, headers, title = /./], { sandbox }) => {
    const refused = await ask(sandbox, "POST /special-events", { body: LAMPS, headers });
    expect(refused).toMatchObject({ status: 400, body: { type: "urn:museum:problem:malformedBody" } });
    expect(refused.body.title).toMatch(title);
  });

  test("may begin with a byte order mark, declare utf-8, and repeat a key, whose last value counts", async ({
    sandbox,
  }) => {
    const raw = `\ufeff${text("1").replace("{", '{"name": "first", ')}`;
    const headers = { "content-type": "Application/JSON; charset=UTF-8" };
    const created = await ask(sandbox, "POST /special-events", { body: raw, headers });
    expect(created).toMatchObject({ status: 201, body: { name: LAMPS.name } });
  });
});

describe("a query", () => {
  test.for([
    [
      "page=0&limit=31&startDate=x",
      "startDate must be a calendar date such as 2026-03-31; page must be a whole number from 1; limit must be a whole number from 1 to 30.",
    ],
    [
      "limit=31&startDate=2026-03-05&endDate=2026-03-04",
      "endDate must not be before startDate (2026-03-05); limit must be a whole number from 1 to 30.",
    ],
    ["startDate=x&endDate=2020-01-01", "startDate must be a calendar date such as 2026-03-31."],
    ["limit=0", "limit must be a whole number from 1 to 30."],
    ["limit=-1", "limit must be a whole number from 1 to 30."],
    ["limit=31", "limit must be a whole number from 1 to 30."],
    ["limit=9999999999", "limit must be a whole number from 1 to 30."],
    ["limit=1.5", "limit must be a whole number from 1 to 30."],
    ["limit=ten", "limit must be a whole number from 1 to 30."],
    ["limit=", "limit must be a whole number from 1 to 30."],
    ["limit=1e1", "limit must be a whole number from 1 to 30."],
    ["page=0", "page must be a whole number from 1."],
    ["page=-1", "page must be a whole number from 1."],
    ["page=1&page=2", "page must be sent once."],
    ["startDate=2026-03-01&startDate=2026-03-01", "startDate must be sent once."],
    ["startDate=2026-02-30", "startDate must be a calendar date such as 2026-03-31."],
    ["endDate=tomorrow", "endDate must be a calendar date such as 2026-03-31."],
    ["startDate=2026-03-02&endDate=2026-03-01", "endDate must not be before startDate (2026-03-02)."],
    ["endDate=2026-02-28", "endDate must not be before startDate (2026-03-01)."],
    ["page=0&limit=99x", "page must be a whole number from 1; limit must be a whole number from 1 to 30."],
    ["%E0%A4%A=1", 'The query parameter "%E0%A4%A" is not valid percent-encoding.'],
    ["startDate=%E0%A4%A", 'The query parameter "startDate" is not valid percent-encoding.'],
  ] as const)("of %s returns 400 that names the invalid parameters", async ([query, title], { sandbox }) => {
    const refused = await ask(sandbox, `GET /special-events?${query}`);
    expect(refused).toMatchObject({ status: 400, body: { type: "urn:museum:problem:invalidInput", title } });
  });

  test("of names such as __proto__ is treated as unknown parameters", async ({ sandbox }) => {
    const { status } = await ask(sandbox, "GET /special-events?__proto__=x&constructor=y&limit%5B%5D=99");
    expect(status).toBe(200);
    expect(sandbox.journal.last?.findings).toHaveLength(3);
  });
});

describe("a path", () => {
  testOfMistakes.for([
    "nonsense",
    "1",
    "0b6d1f0e-5d0a-4c57-9a53-6a4f5a2f7c1",
    "0b6d1f0e5d0a4c579a536a4f5a2f7c11",
    "%2F",
  ])("with the id %s is 400", async (id, { sandbox }) => {
    const refused = await ask(sandbox, `GET /special-events/${id}`);
    expect(refused).toMatchObject({ status: 400, body: { title: "eventId must be a UUID." } });
  });

  testOfMistakes.for([
    ["%", "The path is not valid percent-encoding."],
    ["%E0%A4%A", "The path is not valid percent-encoding."],
    ["%ff%fe", "The path is not valid percent-encoding."],
    ["%00", "The path has a NUL character (%00) in its eventId."],
    ["a%00b", "The path has a NUL character (%00) in its eventId."],
  ] as const)("with the escape %s is 400 that says why", async ([id, title], { sandbox }) => {
    expect(await ask(sandbox, `GET /special-events/${id}`)).toMatchObject({
      status: 400,
      body: { type: "urn:museum:problem:invalidInput", title },
    });
    expect(sandbox.journal.last).toMatchObject({ problem: "invalidInput", status: 400 });
  });

  testOfMistakes.for([
    "",
    "/",
    "/special-event",
    "/special-events/",
    "/special-events/x/y",
    "/SPECIAL-EVENTS",
  ])("%s does not exist and returns 404", async (path, { sandbox }) => {
    const refused = await ask(sandbox, `GET ${path}`);
    expect(refused.headers.get("content-type")).toBe("application/problem+json");
    expect(refused).toMatchObject({ status: 404, body: { type: "urn:museum:problem:pathNotFound" } });
  });

  testOfMistakes.for([
    ["PUT /special-events", "POST, GET, HEAD, OPTIONS"],
    ["DELETE /special-events", "POST, GET, HEAD, OPTIONS"],
    ["POST /special-events/0b6d1f0e-5d0a-4c57-9a53-6a4f5a2f7c11", "GET, PATCH, DELETE, HEAD, OPTIONS"],
    ["PROPFIND /special-events", "POST, GET, HEAD, OPTIONS"],
    ["GET /tickets", "POST, OPTIONS"],
    ["POST /openapi.json", "GET, HEAD, OPTIONS"],
  ] as const)("returns 405 to %s, with the allowed methods", async ([line, allow], { sandbox }) => {
    const refused = await ask(sandbox, line);
    expect(refused).toMatchObject({ status: 405, body: { type: "urn:museum:problem:methodNotAllowed" } });
    expect(refused.headers.get("allow")).toBe(allow);
    expect(sandbox.journal.last).toMatchObject({ status: 405, responseHeaders: { allow } });
    const [, path] = line.split(" ");
    const options = await ask(sandbox, `OPTIONS ${path}`);
    expect([options.status, options.headers.get("allow")]).toEqual([204, allow]);
    const head = await sandbox.fetch(MUSEUM + path, { method: "HEAD", headers: sandbox.auth.basic() });
    expect(head.status === 405).toBe(!allow.includes("HEAD"));
  });
});

describe("arbitrary input", () => {
  const LINES = ["GET /special-events", "POST /special-events", "GET /museum-hours", "POST /tickets"];
  const KEYS = [
    "startDate",
    "endDate",
    "page",
    "limit",
    "price",
    "dates",
    "eventId",
    "ticketType",
    "__proto__",
  ];
  const field = fc.oneof(fc.constantFrom(...KEYS), fc.string());
  const value = fc.oneof(fc.string(), fc.integer().map(String), fc.constant("2026-03-01"));
  const body = fc
    .oneof(fc.dictionary(field, fc.jsonValue()), fc.jsonValue())
    .map((one) => JSON.stringify(one));

  test("in a query or a body is accepted or refused, but never causes a 5xx", async ({ sandbox }) => {
    const pairs = fc.array(fc.tuple(field, value));
    const property = fc.asyncProperty(fc.constantFrom(...LINES), pairs, body, async (line, query, sent) => {
      const given = line.startsWith("POST") ? { body: sent } : {};
      const { status } = await ask(sandbox, `${line}?${new URLSearchParams(query)}`, given);
      expect([200, 201, 400, 404]).toContain(status);
    });
    await fc.assert(property, { seed: 1, numRuns: 120 });
  });
});

describe("a body is read", () => {
  const EVENT = { name: "A", location: "B", eventDescription: "C", dates: ["2026-03-02"], price: 1 };

  test("with the Content-Encoding identity", async ({ sandbox }) => {
    const headers = { "content-encoding": "Identity" };
    const { status, body } = await ask(sandbox, "POST /special-events", { body: EVENT, headers });
    expect(status).toBe(201);
    expect(museumData(sandbox).specialEvents.get(body.eventId)).toMatchObject(EVENT);
  });

  test.for([
    ["of exactly 1 MiB", 0, 201],
    ["but not with one byte more", 1, 413],
  ] as const)("%s", async ([, more, expected], { sandbox }) => {
    const before = museumData(sandbox).specialEvents.all().length;
    const bare = JSON.stringify({ ...EVENT, name: "" });
    const raw = JSON.stringify({ ...EVENT, name: "x".repeat(2 ** 20 - bare.length + more) });
    const headers = { "content-type": "application/json", "content-length": String(raw.length) };
    const { status } = await ask(sandbox, "POST /special-events", { body: raw, headers });
    expect(status).toBe(expected);
    expect(museumData(sandbox).specialEvents.all()).toHaveLength(before + (expected === 201 ? 1 : 0));
  });
});
