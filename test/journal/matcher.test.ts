// Whatever a rule can say, a test can verify: by body, query, header, user, fault, gone and text; in process, over
// `connect` and over plain HTTP, in the same words.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect } from "../../src/connect.ts";
import type { Expectation } from "../../src/journal/verify.ts";
import type { Matcher } from "../../src/rules/matcher.ts";
import type { RemoteControls } from "../../src/sandbox/controls.ts";
import { createSandbox } from "../../src/vitrine.ts";

const EVENT = {
  name: "Lamps",
  location: "Hall 2",
  eventDescription: "Dark",
  dates: ["2026-03-31"],
  price: 1,
};

type Verdict = { readonly ok: boolean; readonly found: number; readonly message: string };
type Asked = {
  count(matcher: Matcher): Promise<number>;
  verify(expectation: Expectation): Promise<Verdict>;
  /** The number of the exchange, or the message of the refusal. */
  waitFor(matcher: Matcher, within: string): Promise<number | string>;
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
  return { ok: response.ok, body: JSON.parse(await response.text()) };
}

const inText = (matcher: Matcher): string => {
  const parts = Object.entries(matcher).map(([part, value]): [string, string] => [
    part,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return String(new URLSearchParams(parts));
};

const journalOf = (journal: {
  count(matcher: Matcher): number | Promise<number>;
  verify(expectation: Expectation): Promise<Verdict>;
  waitFor(matcher: Matcher, options: { within: string }): Promise<{ seq: number }>;
}): Asked => ({
  count: async (matcher) => journal.count(matcher),
  verify: (expectation) => journal.verify(expectation),
  waitFor: (matcher, within) =>
    journal.waitFor(matcher, { within }).then(
      ({ seq }) => seq,
      (error: Error) => error.message,
    ),
});

const WAYS: readonly (readonly [way: string, open: () => Promise<Asked>])[] = [
  ["in process", async () => journalOf(sandbox.journal)],
  ["over connect", async () => journalOf((connect(url) as object as RemoteControls).journal)],
  [
    "over plain HTTP",
    async () => ({
      count: async (matcher) => (await control("GET", `/journal/count?${inText(matcher)}`)).body.count,
      verify: async (expectation) => (await control("POST", "/journal/verify", expectation)).body,
      async waitFor(matcher, within) {
        const { ok, body } = await control("POST", "/journal/wait", { ...matcher, within });
        return ok ? body.seq : body.detail;
      },
    }),
  ],
];

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
    ["text", 1, { text: "LAMPS" }, { operation: CREATE, text: "lantern" }, 'text "lantern" is nowhere in it'],
  ];

describe.each(WAYS)("%s", (_way, open) => {
  test.each(CASES)(
    "by %s: count, verify and wait for one; a failure says what came nearest",
    async (part, seq, right, wrong, told) => {
      const asked = await open();
      expect(await asked.count(right), part).toBe(1);
      for (const times of [1, { min: 1 }, { max: 1 }, { min: 1, max: 2 }])
        expect(await asked.verify({ ...right, times, within: "1ms" })).toMatchObject({ ok: true, found: 1 });
      expect(await asked.waitFor(right, "5s")).toBe(seq);

      expect(await asked.count(wrong)).toBe(0);
      const nearest = `Nearest: #${seq} `;
      const failed = await asked.verify({ ...wrong, times: 1 });
      expect(failed).toMatchObject({ ok: false, found: 0 });
      expect(failed.message).toContain("expected exactly 1, found 0.");
      expect(failed.message).toMatch(
        new RegExp(`${nearest}\\S+ ?\\S*: ${told.replace(/[[\]$]/g, "\\$&")}\\.`),
      );
      const late = await asked.waitFor(wrong, "1ms");
      expect(late).toContain("ended within 1ms");
      expect(late).toContain(nearest);
      expect(late).toContain(told);
    },
  );

  test("twice is not once, and min, max and within say so", async () => {
    const asked = await open();
    const any = { service: "museum" };
    expect((await asked.verify({ ...any, times: 1 })).message).toContain(
      'service "museum": expected exactly 1, found 4.',
    );
    expect((await asked.verify({ ...any, times: { min: 5 }, within: "1ms" })).message).toContain(
      "expected at least 5, found 4.",
    );
    expect((await asked.verify({ ...any, times: { max: 3 } })).message).toContain(
      "expected at most 3, found 4.",
    );
    expect(await asked.verify({ ...any, times: { min: 4, max: 4 } })).toMatchObject({ ok: true });
  });

  test("by status, operators and lists, and by what is absent", async () => {
    const asked = await open();
    expect(await asked.count({ status: { $gte: 200, $lt: 300 }, fault: { $exists: false } })).toBe(2);
    expect(await asked.count({ status: [200, 404], gone: false })).toBe(1);
    expect(await asked.count({ status: { $exists: false } }), "a reset and a client that left").toBe(2);
    expect(await asked.count({ method: ["POST", "DELETE"] })).toBe(2);
    expect(await asked.count({ problem: { $exists: false }, fault: { $exists: false }, gone: false })).toBe(
      2,
    );
    expect(await asked.count({ path: "/special-events*", operation: { $ne: CREATE } })).toBe(2);
    expect(await asked.count({ rule: "use-*" })).toBe(2);
    expect(await asked.count({ user: { $in: ["ada", "eve"] }, accept: { $exists: true } })).toBe(1);
  });

  test("all mistakes are told at once, each with the nearest name", async () => {
    const asked = await open();
    const wrong = { operation: "museum.createSpecialEvnt", body: { $gtt: 1 }, fault: "rest", gone: "yes" };
    const refusal = await asked.waitFor(wrong as object, "1ms");
    expect(refusal).toContain(
      'Unknown operation "museum.createSpecialEvnt". Did you mean "museum.createSpecialEvent"?',
    );
    expect(refusal).toContain('Unknown operator "$gtt". Did you mean "$gt"?');
    expect(refusal).toContain('Unknown fault "rest". Did you mean "reset"?');
    expect(refusal).toContain("gone must be a boolean, not a string.");
  });
});
