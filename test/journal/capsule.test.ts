import { expect, test } from "vitest";
import type { Capsule } from "../../src/journal/capsule.ts";
import { checkCapsule, describeCapsule } from "../../src/journal/describe-capsule.ts";
import { toHar } from "../../src/journal/har.ts";
import { redact } from "../../src/journal/redaction.ts";
import { lint } from "../../src/linter/lint.ts";
import { services } from "../../src/services/index.ts";
import { createSandbox } from "../../src/vitrine.ts";

type Sandbox = Awaited<ReturnType<typeof createSandbox>>;

const EVENTS = "/museum/v1.1/special-events";
const EVENT = { name: "Lamps", location: "Hall", eventDescription: "Dark", dates: ["2026-03-02"], price: 1 };
const ADA = { email: "ada@example.test", password: "Vitrine!2026" };

const post = (sandbox: Sandbox, path: string, body: unknown, headers: Record<string, string> = {}) =>
  sandbox.fetch(path, {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

/** A story with logins, writes, refusals, rules, time and a request that met nothing. */
async function story(): Promise<{ capsule: Capsule; sandbox: Sandbox }> {
  const sandbox = await createSandbox({
    clock: "2026-03-01T09:00:00Z",
    seed: 7,
    settings: { account: { tokenLifetime: "2h" } },
    scenario: {
      version: 1,
      data: {
        museum: {
          specialEvents: { replace: [{ eventId: "0b6d1f0e-5d0a-4c57-9a53-6a4f5a2f7c11", ...EVENT }] },
        },
      },
      rules: [
        {
          id: "late",
          when: { operation: "museum.listSpecialEvents", query: { limit: "3" } },
          limit: { times: 1 },
          then: { respond: { status: 503, headers: { "Retry-After": "2" } } },
        },
      ],
    },
  });
  const basic = sandbox.auth.basic("ada", "museum-secret");
  const login = await post(sandbox, "/account/login", ADA);
  const { token } = (await login.json()) as { token: string };
  const bearer = { authorization: `Bearer ${token}`, accept: "application/json" };
  await post(sandbox, "/account/login", { ...ADA, password: "not-the-password" });
  await post(sandbox, "/account/login", ADA);
  await sandbox.fetch("/account/pre-sales", { headers: bearer });
  await sandbox.fetch("/account/users/me/change-password", {
    method: "PUT",
    headers: { ...bearer, "content-type": "application/json" },
    body: JSON.stringify({ password: "Brand-new!77" }),
  });
  await post(sandbox, EVENTS, EVENT, basic);
  await post(sandbox, EVENTS, { ...EVENT, dates: "soon" }, basic);
  await sandbox.fetch(`${EVENTS}?limit=3`, { headers: basic });
  await sandbox.fetch(`${EVENTS}?limit=3`, { headers: basic });
  await sandbox.fetch(`${EVENTS}?limit=3`);
  await sandbox.clock.advance("3h");
  await sandbox.fetch("/account/pre-sales", { headers: bearer });
  await sandbox.fetch("/account/pre-sale", { headers: bearer });
  return { sandbox, capsule: sandbox.capsule() };
}

test("a capsule is plain JSON: where it began, what was sent, what came of it", async () => {
  const { sandbox, capsule } = await story();
  await using _closing = sandbox;
  expect(JSON.parse(JSON.stringify(capsule))).toEqual(capsule);
  expect(capsule).toMatchObject({
    format: "vitrine-capsule-1",
    seed: 7,
    rules: [{ id: "late", acted: 1 }],
    evicted: 0,
  });
  expect(capsule.clock).toEqual({ start: "2026-03-01T09:00:00.000Z", end: "2026-03-01T12:00:00.000Z" });
  expect(capsule.journal).toHaveLength(sandbox.journal.count());
  const created = capsule.changes.filter(({ collection }) => collection === "museum/specialEvents");
  expect(created).toMatchObject([{ kind: "created", after: { name: "Lamps" } }]);
});

test("a capsule tells what was sent, why it was answered so, and what became of the data", async () => {
  await using sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
  sandbox.data.museum.specialEvents.replace([]);
  sandbox.use({
    id: "lost",
    when: { operation: "museum.createSpecialEvent" },
    at: "response",
    limit: { times: 1 },
    then: { fault: "reset" },
  });
  await expect(post(sandbox, EVENTS, EVENT, sandbox.auth.basic())).rejects.toThrow();
  await sandbox.fetch("/museum/v1.1/special-event?page=1", { headers: sandbox.auth.basic() });
  await sandbox.fetch(EVENTS);
  const capsule = sandbox.capsule();
  const [created] = sandbox.data.museum.specialEvents.all();
  const told = describeCapsule({
    ...capsule,
    changes: capsule.changes.filter(({ kind }) => kind === "created"),
  });
  expect(told).toBe(`World main, seed 1, clock from 2026-03-01T09:00:00.000Z to 2026-03-01T09:00:00.000Z.
rule lost acted 1 time
3 requests:
  #1 POST /museum/v1.1/special-events no answer: reset, 201 was made · rule lost
  #2 GET /museum/v1.1/special-event?page=1 404 · pathNotFound · Nearest: museum.listSpecialEvents, GET /museum/v1.1/special-events; one path segment differs: special-event, not special-events
  #3 GET /museum/v1.1/special-events 401 · credentialsRequired
The data changed:
  created museum/specialEvents ${created?.eventId}
`);
});

test("a capsule that a client gave up on says so", async () => {
  await using sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
  sandbox.use({ id: "slow", then: { hold: "gate" } });
  const leaving = new AbortController();
  const left = sandbox.fetch(EVENTS, { headers: sandbox.auth.basic(), signal: leaving.signal });
  await sandbox.gates.arrived("gate");
  leaving.abort();
  await expect(left).rejects.toThrow();
  await sandbox.journal.waitFor({ gone: true });
  const line = "#1 GET /museum/v1.1/special-events no answer: the client gave up · rule slow";
  expect(describeCapsule(sandbox.capsule())).toContain(line);
});

test.for<[change: (capsule: Capsule) => unknown, pointer: string]>([
  [() => null, ""],
  [(capsule) => ({ ...capsule, format: "har" }), "/format"],
  [(capsule) => ({ ...capsule, seed: "7" }), "/seed"],
  [(capsule) => ({ ...capsule, clock: { ...capsule.clock, start: "yesterday" } }), "/clock/start"],
  [(capsule) => ({ ...capsule, journal: 1 }), "/journal"],
  [(capsule) => ({ ...capsule, journal: [1] }), "/journal/0"],
  [(capsule) => ({ ...capsule, journal: [{ ...capsule.journal[0], method: "GET /" }] }), "/journal/0/method"],
])("an invalid capsule is an error with its place: %s %s", async ([change, pointer]) => {
  await using sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
  await sandbox.museum.listSpecialEvents();
  const valid = sandbox.capsule();
  expect(() => checkCapsule(valid)).not.toThrow();
  const error = { name: "UsageError", code: "badOption", place: { pointer } };
  expect(() => checkCapsule(change(valid))).toThrow(expect.objectContaining(error));
});

test("a HAR tells every exchange", async () => {
  const { sandbox } = await story();
  await using _closing = sandbox;
  const { log } = toHar(sandbox.journal.list(), "0.1.0");
  const entries = log["entries"] as {
    request: { url: string; method: string };
    response: { status: number };
  }[];
  expect(entries).toHaveLength(sandbox.journal.count());
  for (const { request } of entries) expect(() => new URL(request.url)).not.toThrow();
  expect(entries[0]).toMatchObject({
    startedDateTime: "2026-03-01T09:00:00.000Z",
    request: {
      method: "POST",
      url: "http://localhost/account/login",
      postData: { mimeType: "application/json" },
    },
    response: { status: 200 },
  });
});

/** A text that occurs nowhere else, in each place where a client or a service may put a secret. */
const canary = (place: number) => `Canary!${place}-q8Zx${place}Kv7`;
const jwt = (place: number) =>
  `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(canary(place)).toString("base64url")}.c2lnbmF0dXJlLW9mLXRoaXM`;

test("a secret stands in no part of the journal, HAR, capsule, findings or diff, wherever it was sent", async () => {
  await using sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z", seed: 7 });
  const seen: unknown[] = [];
  sandbox.journal.subscribe((exchange) => seen.push(exchange));
  sandbox.use({
    when: { operation: "museum.listSpecialEvents" },
    limit: { times: 1 },
    then: {
      respond: {
        status: 200,
        headers: { "Set-Cookie": `sid=${canary(1)}` },
        body: { access_token: canary(2) },
      },
    },
  });
  const json = { "content-type": "application/json", accept: "application/json" };
  const museum = (search: string, headers: Record<string, string> = {}) =>
    sandbox.fetch(`${EVENTS}${search}`, { headers: { ...sandbox.auth.basic("ada", canary(3)), ...headers } });
  const basicSecret = Buffer.from(`ada:${canary(3)}`)
    .toString("base64")
    .replaceAll("=", "");

  await museum(`?api_key=${encodeURIComponent(canary(4))}`);
  await museum(`?access_token=${canary(5)}&echo=${canary(5)}`);
  await museum(`?auth[token]=${canary(6)}`);
  await museum("", { cookie: `session=${canary(7)}; other=${canary(8)}` });
  await museum("", { "x-api-key": canary(9), "proxy-authorization": `Basic ${canary(10)}` });
  await museum("", { "x-auth-token": canary(11), referer: `http://localhost/?token=${canary(12)}` });
  await museum("", { origin: "http://localhost", "x-forwarded-uri": `http://ada:${canary(13)}@localhost/` });
  await sandbox.fetch(`${EVENTS}/${jwt(14)}`, { headers: { authorization: `Bearer ${canary(15)}` } });
  await sandbox.fetch(EVENTS, {
    headers: { authorization: `Digest username="ada", response="${canary(16)}"` },
  });
  const deep = { a: [{ b: { client_secret: canary(17), list: [{ pin: canary(18) }] } }] };
  await post(
    sandbox,
    EVENTS,
    { ...EVENT, ...deep, password: [canary(19)], credentials: { x: canary(20) } },
    sandbox.auth.basic(),
  );
  await sandbox.fetch(EVENTS, {
    method: "POST",
    headers: { ...sandbox.auth.basic(), ...json },
    body: `{"pass\\u0077ord":"${canary(21)}", "name": "broken`,
  });
  await sandbox.fetch(EVENTS, {
    method: "POST",
    headers: { ...sandbox.auth.basic(), ...json },
    body: `password=${canary(22)}&note=${jwt(23)}`,
  });
  const filler = "f".repeat(8_140);
  await sandbox.fetch(EVENTS, {
    method: "POST",
    headers: { ...sandbox.auth.basic(), ...json },
    body: `{"name":"${filler}","token":"${canary(24)}${"t".repeat(400)}"}`,
  });
  const login = await post(sandbox, "/account/login", ADA);
  const { token } = (await login.json()) as { token: string };
  const headers = { ...json, authorization: `Bearer ${token}` };
  const body = JSON.stringify({ password: canary(25) });
  const changed = await sandbox.fetch("/account/users/me/change-password", { method: "PUT", headers, body });
  expect(changed.status).toBe(200);
  await post(sandbox, "/account/login", { email: canary(26), password: canary(26) });
  await sandbox.fetch(`/account/pre-sales/${jwt(27)}`, { headers });
  await sandbox.fetch(`/acount/pre-sales?token=${canary(28)}`, { headers });

  const list = sandbox.journal.list();
  const told = [
    list,
    seen,
    toHar(list, "0"),
    sandbox.capsule(),
    lint(list, services),
    sandbox.report(),
    sandbox.coverage.data(),
  ];
  const text = JSON.stringify(told);
  const secrets = [
    ...Array.from({ length: 28 }, (_, index) => [canary(index + 1), jwt(index + 1)]).flat(),
    ...[token, ADA.password, basicSecret, token.split(".")[1] ?? ""],
  ];
  const leaks = secrets.filter(
    (secret) => text.includes(secret) || text.includes(encodeURIComponent(secret)),
  );
  expect(leaks).toEqual([]);
  expect(text).toContain(redact(token));
  expect(text).toContain(redact(canary(25)));
});

test("a secret that is repeated percent-encoded is redacted there, too, in journal, HAR and capsule", async () => {
  await using sandbox = await createSandbox();
  const secret = "s\u00e9same/ouvre+toi?";
  const encoded = encodeURIComponent(secret);
  const headers = { ...sandbox.auth.basic("ada", secret), referer: `http://localhost/back/${encoded}` };
  await sandbox.fetch(`${EVENTS}/${encoded}?next=${encoded}`, { headers });
  expect(sandbox.journal.last?.path).toContain(redact(encoded));
  const shown = JSON.stringify([sandbox.journal.list(), sandbox.har(), sandbox.capsule()]);
  expect(shown).not.toContain(encoded);
  expect(shown).not.toContain(secret);
});

test("a capsule tells how many requests the journal had dropped", async () => {
  const { capsule, sandbox } = await story();
  await sandbox.close();
  expect(describeCapsule({ ...capsule, evicted: 2 })).toContain(
    "\n2 earlier requests dropped by the journal\n",
  );
});
