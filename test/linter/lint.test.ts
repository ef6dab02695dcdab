import { expect, test } from "vitest";
import type { RecordedExchange } from "../../src/journal/recorded-exchange.ts";
import { type LintFinding, lint, lintRules } from "../../src/linter/lint.ts";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import { account } from "../../src/services/account/index.ts";
import { services } from "../../src/services/index.ts";

type Sandbox = Awaited<ReturnType<typeof createSandbox>>;
type Story = (client: Client) => Promise<unknown>;
type Client = {
  readonly sandbox: Sandbox;
  readonly call: (line: string, init?: RequestInit) => Promise<Response>;
};

const ADA = { email: "ada@example.test", password: "Vitrine!2026" };
const CONTABILITA = { email: "contabilita@example.test", password: "Fattura#2026" };
const JSON_BODY = { "content-type": "application/json", accept: "application/json" };
const EVENTS = "/museum/v1.1/special-events";
const EVENT = { name: "Lamps", location: "Hall", eventDescription: "Dark", dates: ["2026-03-02"], price: 1 };

/** What the linter reports for a client that lives a story on a frozen clock. */
async function habits(story: Story): Promise<LintFinding[]> {
  await using sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z", seed: 7 });
  const call = (line: string, init: RequestInit = {}): Promise<Response> => {
    const [method = "", path = ""] = line.split(" ");
    const museum = path.startsWith("/museum") ? sandbox.auth.basic("ada") : {};
    const body = init.body === undefined ? {} : JSON_BODY;
    return sandbox.fetch(path, { ...init, method, headers: { ...museum, ...body, ...init.headers } });
  };
  await story({ sandbox, call });
  return lint(sandbox.journal.list(), services);
}

const settings = (onRepeat: string) => account.settings.parse({ login: { onRepeat } });

const login = (client: Client, who: object): Promise<Response> =>
  client.call("POST /account/login", { body: JSON.stringify(who) });
const bearer = (token: string, accept = "application/json") => ({
  headers: { authorization: `Bearer ${token}`, accept },
});
const eventIds = ({ sandbox }: Client) =>
  sandbox.data.museum.specialEvents.all().map(({ eventId }) => eventId);

const stories: Readonly<Record<string, { readonly shows: Story; readonly misses: Story }>> = {
  loginTooOften: {
    shows: async (client) => {
      await login(client, ADA);
      await login(client, ADA);
    },
    misses: async (client) => {
      await login(client, ADA);
      await login(client, CONTABILITA);
      await client.sandbox.clock.advance("24h");
      await login(client, ADA);
    },
  },
  expiredTokenReused: {
    shows: async ({ sandbox, call }) => {
      const token = sandbox.auth.token({ kind: "expired" });
      await call("GET /account/consumptions", bearer(token));
      await call("GET /account/pre-sales", bearer(token));
    },
    misses: async ({ sandbox, call }) => {
      await call("GET /account/consumptions", bearer(sandbox.auth.token({ kind: "expired" })));
      await call("GET /account/consumptions", bearer(sandbox.auth.token()));
    },
  },
  tokenKeptPastExp: {
    shows: async (client) => {
      client.sandbox.core.changeSettings({ account: settings("same-token") });
      await login(client, ADA);
      await client.sandbox.clock.advance("23h");
      const { token } = (await (await login(client, ADA)).json()) as { token: string };
      await client.sandbox.clock.advance("2h");
      await client.call("GET /account/pre-sales", bearer(token));
    },
    misses: async (client) => {
      const { token } = (await (await login(client, ADA)).json()) as { token: string };
      await client.call("GET /account/pre-sales", bearer(token));
      await client.call("GET /account/pre-sales", bearer(client.sandbox.auth.token({ kind: "expired" })));
      client.sandbox.use({ when: { operation: "account.listPreSales" }, then: { problem: "tokenExpired" } });
      await client.call("GET /account/pre-sales", bearer(token));
    },
  },
  credentialsUnready: {
    shows: async ({ call }) => call(`GET ${EVENTS}`, { headers: { authorization: "Basic guide:secret" } }),
    misses: async ({ sandbox, call }) => {
      const pair = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
      for (const authorization of [
        pair("guide:secret"),
        pair("undefinedly:x"),
        "Basic %%%",
        "Basic",
        "Digest x",
      ])
        await call(`GET ${EVENTS}`, { headers: { authorization } });
      await call("GET /account/pre-sales", bearer(sandbox.auth.token()));
      await call("GET /account/pre-sales", bearer(sandbox.auth.token({ kind: "malformed" })));
      await call("GET /account/pre-sales", { headers: { accept: "application/json" } });
    },
  },
  retryAfterIgnored: {
    shows: async (client) => {
      await login(client, ADA);
      await login(client, ADA);
      await client.sandbox.clock.advance("23h");
      await login(client, ADA);
    },
    misses: async (client) => {
      await login(client, ADA);
      await login(client, ADA);
      await client.sandbox.clock.advance("24h");
      await login(client, ADA);
    },
  },
  refusalRepeated: {
    shows: async ({ call }) => {
      for (const _ of [1, 2])
        await call(`POST ${EVENTS}`, { body: JSON.stringify({ ...EVENT, dates: "soon" }) });
    },
    misses: async ({ call }) => {
      await call(`POST ${EVENTS}`, { body: JSON.stringify({ ...EVENT, dates: "soon" }) });
      await call(`POST ${EVENTS}`, { body: JSON.stringify(EVENT) });
    },
  },
  pagingIgnored: {
    shows: async ({ call }) => call(`GET ${EVENTS}?limit=2`),
    misses: async ({ call }) => {
      await call(`GET ${EVENTS}?limit=2`);
      await call(`GET ${EVENTS}?limit=2&page=2`);
      await call(`GET ${EVENTS}?limit=2&page=3&startDate=2031-01-01`);
      for (let page = 3; page < 30; page += 1) await call(`GET ${EVENTS}?limit=2&page=${page}`);
    },
  },
  pagingByHand: {
    shows: async ({ sandbox, call }) => {
      const ada = bearer(sandbox.auth.token(), "application/ld+json");
      await call("GET /account/consumptions?year[]=2025&year[]=2024&year[]=2023&year[]=2022", ada);
      await call("GET /account/consumptions?page=2", ada);
    },
    misses: async ({ sandbox, call }) => {
      const ada = bearer(sandbox.auth.token(), "application/ld+json");
      const first = await call("GET /account/consumptions", ada);
      const { "hydra:view": view } = (await first.json()) as { "hydra:view": { "hydra:next": string } };
      await call(`GET ${view["hydra:next"]}`, ada);
    },
  },
  itemByItem: {
    shows: async (client) => {
      await client.call(`GET ${EVENTS}`);
      for (const id of eventIds(client).slice(0, 5)) await client.call(`GET ${EVENTS}/${id}`);
    },
    misses: async (client) => {
      for (const id of eventIds(client).slice(0, 5)) await client.call(`GET ${EVENTS}/${id}`);
      await client.call(`GET ${EVENTS}`);
      for (const id of eventIds(client).slice(0, 4)) await client.call(`GET ${EVENTS}/${id}`);
    },
  },
  acceptUnclear: {
    shows: async ({ sandbox, call }) =>
      call("GET /account/pre-sales", bearer(sandbox.auth.token(), "application/json, text/plain, */*")),
    misses: async ({ sandbox, call }) => {
      await call("GET /account/pre-sales", bearer(sandbox.auth.token(), "application/json"));
      await call(`GET ${EVENTS}`, { headers: { accept: "*/*" } });
    },
  },
  contentTypeWrong: {
    shows: async ({ call }) =>
      call(`POST ${EVENTS}`, { body: JSON.stringify(EVENT), headers: { "content-type": "text/plain" } }),
    misses: async ({ call }) =>
      call(`POST ${EVENTS}`, {
        body: JSON.stringify(EVENT),
        headers: { "content-type": "application/json; charset=utf-8" },
      }),
  },
  unknownInput: {
    shows: async ({ call }) => call(`GET ${EVENTS}?pageSize=5`),
    misses: async ({ call }) => call(`GET ${EVENTS}?limit=5`),
  },
  credentialsInQuery: {
    shows: async ({ call }) => call(`GET ${EVENTS}?access_token=abcdef123456`),
    misses: async ({ call }) => call(`GET ${EVENTS}?page=1`),
  },
  wrongServiceToken: {
    shows: async (client) => {
      const { token } = (await (await login(client, ADA)).json()) as { token: string };
      await client.call("GET /account-sandbox/pre-sales", bearer(token));
    },
    misses: async (client) => {
      const { token } = (await (await login(client, ADA)).json()) as { token: string };
      await client.call("GET /account/pre-sales", bearer(token));
    },
  },
  doubleEncodedId: {
    shows: async ({ call }) => call(`GET ${EVENTS}/${encodeURIComponent(encodeURIComponent("a b"))}`),
    misses: async ({ call }) => call(`GET ${EVENTS}/${encodeURIComponent("a b")}`),
  },
};

test.each(Object.entries(stories))("%s is found in a client with this habit", async (rule, { shows }) => {
  const findings = (await habits(shows)).filter((finding) => finding.rule === rule);
  expect(findings).toHaveLength(1);
  expect(findings[0]?.exchanges.length).toBeGreaterThan(0);
  expect(findings[0]?.advice).toMatch(/^[A-Z].*[.)"]$/);
});

test.each(Object.entries(stories))("%s is not found in a similar client", async (rule, { misses }) => {
  expect((await habits(misses)).filter((finding) => finding.rule === rule)).toEqual([]);
});

/** Exchanges with the museum in this order, one second apart unless they give a time. */
function journal(...parts: readonly Partial<RecordedExchange>[]): RecordedExchange[] {
  return parts.map((part, index) => ({
    ...{ seq: index + 1, world: "main", at: new Date(index * 100).toISOString(), method: "GET" },
    ...{ service: "museum", environment: "museum", operation: "museum.listSpecialEvents" },
    ...{
      origin: "http://localhost",
      base: "/museum/v1.1",
      path: "/special-events",
      search: "",
      user: "ada",
    },
    ...{ state: "ended" as const, params: {}, query: {}, headers: {}, status: 200, responseHeaders: {} },
    ...{ rules: [], findings: [], changes: [] },
    ...part,
  }));
}
const found = (rule: string, exchanges: readonly RecordedExchange[]): (readonly number[])[] =>
  lint(exchanges, services)
    .filter((finding) => finding.rule === rule)
    .map((finding) => finding.exchanges);
const at = (seconds: number) => ({ at: new Date(seconds * 1_000).toISOString() });

test.each([
  ["GET /account/pre-sales", "Bearer undefined", "placeholder"],
  ["GET /account/pre-sales", "Bearer <token>", "placeholder"],
  ["GET /account/pre-sales", "Bearer $TOKEN", "placeholder"],
  ["GET /account/pre-sales", "Bearer YOUR_TOKEN", "placeholder"],
  ["GET /account/pre-sales", "Bearer [object Object]", "placeholder"],
  [`GET ${EVENTS}`, "Basic <credentials>", "placeholder"],
  [`GET ${EVENTS}`, "Basic {{basic}}", "placeholder"],
  [`GET ${EVENTS}`, `Basic ${Buffer.from("undefined:undefined").toString("base64")}`, "placeholder"],
  [`GET ${EVENTS}`, "Basic guide:secret-word", "unencoded"],
  [`GET ${EVENTS}`, "guide:secret-word", "unencoded"],
])(
  "%s with Authorization: %s is credentialsUnready, and the finding does not show the value",
  async (line, authorization, kind) => {
    let noted: unknown;
    const findings = await habits(async ({ sandbox, call }) => {
      const { status } = await call(line, { headers: { authorization, accept: "application/json" } });
      noted = [status, sandbox.journal.count({ finding: "credentials*" })];
    });
    const [finding] = findings.filter(({ rule }) => rule === "credentialsUnready");
    expect(finding).toMatchObject({ severity: "error", exchanges: [1] });
    expect(finding?.advice).toMatch(kind === "placeholder" ? /variable is not set/ : /Base64/);
    expect(JSON.stringify(findings)).not.toContain("secret-word");
    // The museum takes any pair, that of a template as well.
    expect(noted).toEqual(/dW5k/.test(authorization) ? [200, 0] : [401, 1]);
  },
);

test("retryStorm is four failures in a row without pauses", () => {
  const failing = { status: 503 };
  expect(found("retryStorm", journal(failing, failing, { fault: "reset" }, failing))).toEqual([[1, 2, 3, 4]]);
});

test("three failures, growing pauses, or successes between them are no retryStorm", () => {
  const failing = { status: 503 };
  expect(found("retryStorm", journal(failing, failing, failing))).toEqual([]);
  const paused = [0, 1, 3, 7].map((seconds) => ({ ...failing, ...at(seconds) }));
  expect(found("retryStorm", journal(...paused))).toEqual([]);
  const onTheWall = [0, 1, 3, 7].map((seconds) => ({ ...failing, ...at(0), startedMs: seconds * 1_000 }));
  expect(found("retryStorm", journal(...onTheWall))).toEqual([]);
  expect(found("retryStorm", journal(failing, failing, {}, failing, failing))).toEqual([]);
});

const create = { method: "POST", operation: "museum.createSpecialEvent", requestText: "{}" };

test("writeRetriedUnchecked is a POST sent again after its reply was lost", () => {
  const lost = { ...create, status: 201, fault: "reset" };
  expect(found("writeRetriedUnchecked", journal(lost, create))).toEqual([[1, 2]]);
  expect(found("writeRetriedUnchecked", journal({ ...create, status: 500 }, create))).toEqual([[1, 2]]);
});

test("a read in between, a clear refusal, or another body is no writeRetriedUnchecked", () => {
  const lost = { ...create, status: 201, fault: "reset" };
  expect(found("writeRetriedUnchecked", journal(lost, {}, create))).toEqual([]);
  expect(found("writeRetriedUnchecked", journal({ ...create, status: 400 }, create))).toEqual([]);
  expect(found("writeRetriedUnchecked", journal({ ...create, status: 503 }, create))).toEqual([]);
  expect(found("writeRetriedUnchecked", journal(lost, { ...create, requestText: "[]" }))).toEqual([]);
});

test("repeatedAtOnce is the same write right after its reply was lost on a connection, as Java's own client sends it", () => {
  const headers = { host: "localhost:4010", "user-agent": "Java/17" };
  const lost = { ...create, headers, fault: "reset", startedMs: 0, durationMs: 5 };
  const again = { ...create, headers, startedMs: 100 };
  expect(found("repeatedAtOnce", journal(lost, again))).toEqual([[1, 2]]);
  expect(found("repeatedAtOnce", journal({ ...lost, fault: "empty" }, again))).toEqual([[1, 2]]);
  for (const other of [
    journal(lost, { ...again, startedMs: 2_000 }), // it has waited
    journal(lost, { ...again, headers: { ...headers, "x-attempt": "2" } }),
    journal(lost, {}, again), // it has looked
    journal({ ...lost, fault: "truncate" }, again),
    journal({ ...lost, headers: {} }, { ...again, headers: {} }), // in process there is no library between
    journal({ ...lost, method: "GET" }, { ...again, method: "GET" }), // harms nobody
  ])
    expect(found("repeatedAtOnce", other)).toEqual([]);
});

test("a client may wait for Retry-After, in seconds or as a date, on either clock", () => {
  const refused = (value: string) => ({
    ...at(0),
    status: 503,
    responseHeaders: { "retry-after": value },
    startedMs: 0,
  });
  expect(found("retryAfterIgnored", journal(refused("2"), { ...at(1), startedMs: 1_000 }))).toEqual([[1, 2]]);
  expect(found("retryAfterIgnored", journal(refused("Thu, 01 Jan 1970 00:00:02 GMT"), at(1)))).toEqual([
    [1, 2],
  ]);
  expect(found("retryAfterIgnored", journal(refused("2"), { ...at(2) }))).toEqual([]);
  expect(found("retryAfterIgnored", journal(refused("2"), { ...at(0), startedMs: 2_000 }))).toEqual([]);
  expect(
    found("retryAfterIgnored", journal(refused("2"), { ...at(1), operation: "museum.getMuseumHours" })),
  ).toEqual([]);
  expect(found("retryAfterIgnored", journal(refused("2"), { ...at(1), user: "bob" }))).toEqual([]);
});

test("reads of several pages of one collection are one finding, however many there are", () => {
  const query = { limit: "2" };
  const page = { query, responseBody: "[1,2]" };
  expect(found("pagingIgnored", journal(page, page, page))).toEqual([[1, 2, 3]]);
  const second = { query: { ...query, page: "2" }, responseBody: "[3]" };
  expect(found("pagingIgnored", journal(page, page, second))).toEqual([]);
});

test("a 4xx that is repeated after a write to the same resource is no refusalRepeated", () => {
  const gone = { status: 404, operation: "museum.getSpecialEvent", path: "/special-events/1" };
  const change = { collection: "museum/specialEvents", key: "1", kind: "created" } as const;
  expect(found("refusalRepeated", journal(gone, {}, gone))).toEqual([[1, 3]]);
  expect(found("refusalRepeated", journal(gone, { ...create, changes: [change] }, gone))).toEqual([]);
});

test("every rule has a story or a test here, and a client without bad habits has no findings", async () => {
  const told = [...Object.keys(stories), "retryStorm", "writeRetriedUnchecked", "repeatedAtOnce"].sort();
  expect(lintRules.map(({ key }) => key).sort()).toEqual(told);
  const good = await habits(async (client) => {
    const { token } = (await (await login(client, ADA)).json()) as { token: string };
    await client.call("GET /account/pre-sales", bearer(token));
    await client.call("GET /account/users/me", bearer(token));
    await client.call(`POST ${EVENTS}`, { body: JSON.stringify(EVENT) });
  });
  expect(good).toEqual([]);
});

test("a client that builds the next link itself is not blamed if the page with the link was lost", async () => {
  const findings = await habits(async ({ sandbox, call }) => {
    const when = { operation: "account.listConsumptions" };
    sandbox.use({ when, at: "response", limit: { times: 1 }, then: { fault: "reset" } });
    const asked = bearer(sandbox.auth.token(), "application/ld+json");
    await expect(call("GET /account/consumptions", asked)).rejects.toThrow("fetch failed");
    expect(sandbox.journal.last).not.toHaveProperty("nextPage");
    await call("GET /account/consumptions?page=02", asked);
  });
  expect(findings.map(({ rule }) => rule)).not.toContain("pagingByHand");
});
