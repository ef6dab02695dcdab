// A test can verify what a rule can match: by body, query, header, user, fault, gone and text; in process, over
// `connect` and over plain HTTP, in the same words.

import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../../src/connect.ts";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import type { Matcher } from "../../src/rules/grammar.ts";
import type { RemoteWorld } from "../../src/sandbox/controls.ts";

const EVENT = {
  name: "Lamps",
  location: "Hall 2",
  eventDescription: "Dark",
  dates: ["2026-03-31"],
  price: 1,
};

type Sandbox = Awaited<ReturnType<typeof createSandbox>>;
let sandbox: Sandbox;
let url: string;

beforeAll(async () => {
  sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z", seed: 7 });
  ({ url } = await sandbox.listen({ port: 0 }));
  const { museum } = sandbox.urls;
  const as = (user: string) => ({ ...sandbox.auth.basic(user), "content-type": "application/json" });
  const body = JSON.stringify(EVENT);
  await fetch(`${museum}/special-events`, {
    method: "POST",
    headers: { ...as("ada"), "x-tenant": "blue" },
    body,
  });
  await fetch(`${museum}/special-events?page=2&limit=3`, { headers: as("bob") });
  sandbox.use({ when: { operation: "museum.getMuseumHours" }, then: { fault: "reset" } });
  await fetch(`${museum}/museum-hours`, { headers: as("bob") }).catch(() => {});
  sandbox.use({ when: { method: ["PUT", "DELETE"] }, then: { hold: "slow" } });
  const [event] = sandbox.data.museum.specialEvents.all();
  const leaving = new AbortController();
  const left = fetch(`${museum}/special-events/${event?.eventId}`, {
    method: "DELETE",
    headers: as("bob"),
    signal: leaving.signal,
  });
  await sandbox.gates.arrived("slow");
  leaving.abort();
  await expect(left).rejects.toThrow();
  await sandbox.journal.waitFor({ gone: true });
});
afterAll(() => sandbox.close());

async function control(method: string, path: string, body?: object) {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/_vitrine${path}`, { method, headers, ...sent });
  return { body: JSON.parse(await response.text()) };
}

const inText = (matcher: Matcher): string => {
  const parts = Object.entries(matcher).map(([part, value]): [string, string] => [
    part,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return String(new URLSearchParams(parts));
};

const CREATE = "museum.createSpecialEvent";
/** What matches the exchange `seq` alone, what does not, and how that is told. */
const CASES: readonly (readonly [part: string, seq: number, right: Matcher, wrong: Matcher, told: string])[] =
  [
    [
      "body",
      1,
      { operation: CREATE, body: { price: 1 } },
      { operation: CREATE, body: { price: { $gt: 5 }, name: "Lanterns" } },
      'body.price is 1, not $gt 5; body.name is "Lamps", not "Lanterns"',
    ],
    ["query", 2, { query: { page: 2 } }, { method: "GET", query: { page: 3 } }, 'query page is "2", not 3'],
    [
      "header",
      1,
      { headers: { "X-Tenant": "blue" } },
      { operation: CREATE, headers: { "X-Tenant": "green" } },
      'header X-Tenant is "blue", not "green"',
    ],
    ["user", 1, { user: "ada" }, { operation: CREATE, user: "bob" }, 'user is "ada", not "bob"'],
    [
      "fault",
      3,
      { fault: "reset" },
      { operation: "museum.getMuseumHours", fault: ["empty", "hang"] },
      'fault is "reset", not ["empty","hang"]',
    ],
    ["gone", 4, { gone: true }, { method: "DELETE", gone: false }, "gone is true, not false"],
    ["text", 1, { text: "LAMPS" }, { operation: CREATE, text: "lantern" }, 'text "lantern" does not occur'],
  ];

test.each(CASES)(
  "by %s, in process and over HTTP, and a failure names the nearest exchange",
  async (_part, seq, right, wrong, told) => {
    const { journal } = sandbox;
    const remote = (connect(url) as object as RemoteWorld).journal;
    for (const [matcher, found] of [
      [right, 1],
      [wrong, 0],
    ] as const) {
      const { body } = await control("GET", `/journal/count?${inText(matcher)}`);
      expect([journal.count(matcher), await remote.count(matcher), body.count]).toEqual([
        found,
        found,
        found,
      ]);
    }
    expect((await journal.waitFor(right)).seq).toBe(seq);
    const failed = await journal.verify({ ...wrong, times: 1 });
    expect(failed).toMatchObject({ ok: false, found: 0 });
    expect(failed.message).toMatch(
      new RegExp(`found 0\\. .*Nearest: #${seq} \\S+ ?\\S*: ${told.replace(/[[\]$]/g, "\\$&")}\\.`, "s"),
    );
    expect(await remote.verify({ ...wrong, times: 1 })).toEqual(failed);
    expect((await control("POST", "/journal/verify", { ...wrong, times: 1 })).body).toEqual(failed);
    const late = await control("POST", "/journal/wait", { ...wrong, within: "1ms" });
    expect(late.body.detail).toContain(told);
  },
);

test("by status, operators and lists, and by absent fields", () => {
  const count = (matcher: Matcher) => sandbox.journal.count(matcher);
  expect(count({ status: { $gte: 200, $lt: 300 }, fault: { $exists: false } })).toBe(2);
  expect(count({ status: [200, 404], gone: false })).toBe(1);
  expect(count({ status: { $exists: false } }), "a reset and a client that left").toBe(2);
  expect(count({ method: ["POST", "DELETE"] })).toBe(2);
  expect(count({ problem: { $exists: false }, fault: { $exists: false }, gone: false })).toBe(2);
  expect(count({ path: "/special-events*", operation: { $ne: CREATE } })).toBe(2);
  expect(count({ rule: "use-*" })).toBe(2);
  expect(count({ user: { $in: ["ada", "eve"] }, accept: { $exists: true } })).toBe(1);
});
