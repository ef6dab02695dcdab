import { expect, test } from "vitest";
import type { Capsule } from "../../src/journal/capsule.ts";
import { describeCapsule, describeReplay } from "../../src/journal/describe-capsule.ts";
import { toHar } from "../../src/journal/har.ts";
import { redact } from "../../src/journal/redaction.ts";
import { replay } from "../../src/journal/replay.ts";
import { lint } from "../../src/linter/lint.ts";
import { replayCapsule } from "../../src/replay.ts";
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

test("a replay sends every request again at its instant, and finds no difference", async () => {
  const { sandbox, capsule } = await story();
  await sandbox.close();
  const report = await replayCapsule(JSON.parse(JSON.stringify(capsule)));
  expect(report.differences).toEqual([]);
  expect(report).toMatchObject({ ok: true, sent: capsule.journal.length, skipped: [] });
});

test("a replay tells what came back otherwise", async () => {
  const { sandbox, capsule } = await story();
  await sandbox.close();
  const journal = capsule.journal.map((exchange) =>
    exchange.seq === 4 ? { ...exchange, status: 418, responseBody: "[]" } : exchange,
  );
  const report = await replayCapsule({ ...capsule, journal });
  expect(report.ok).toBe(false);
  expect(report.differences).toMatchObject([
    { seq: 4, operation: "account.listPreSales", what: "status", recorded: "418", replayed: "200" },
    { seq: 4, what: "body", recorded: "[]" },
  ]);
  expect(describeReplay(report)).toContain(
    "#4 GET /account/pre-sales 200\n  status was 418, is 200\n  body was [], is ",
  );
  expect(describeReplay(report)).toMatch(/^\d+ requests sent again, 2 differences\.\n/);
  expect(describeReplay({ ...report, sent: 1, differences: report.differences.slice(1) })).toMatch(
    /^1 request sent again, 1 difference\.\n/,
  );
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

test("a capsule that a client gave up on says so, and its replay leaves that request out", async () => {
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
  const report = await replayCapsule(sandbox.capsule());
  expect(describeReplay(report)).toContain("#1 not sent: Its client gave up before anything was done.");
});

test("a replay says what it could not send", async () => {
  await using sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
  await post(sandbox, EVENTS, { ...EVENT, name: "n".repeat(9_000) }, sandbox.auth.basic());
  await sandbox.fetch("/nowhere");
  const report = await replayCapsule(sandbox.capsule());
  expect(report).toMatchObject({ ok: true, sent: 0 });
  expect(report.skipped.map(({ seq }) => seq)).toEqual([1, 2]);
  expect(describeReplay(report)).toContain("#1 not sent: Its body was too long to be kept whole.");
});

test("a world of its own and a lost reply are played again too", async () => {
  await using sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z", seed: 7 });
  const fork = sandbox.fork("cart");
  fork.use({
    when: { operation: "museum.createSpecialEvent" },
    limit: { times: 1 },
    at: "response",
    then: { fault: "reset" },
  });
  const headers = fork.auth.basic();
  await expect(post(fork, EVENTS, EVENT, headers)).rejects.toThrow();
  await post(fork, EVENTS, EVENT, headers);
  const capsule = fork.capsule();
  expect(capsule.journal.map(({ fault, base }) => ({ fault, base }))).toMatchObject([{ fault: "reset" }, {}]);
  expect((await replayCapsule(capsule)).differences).toEqual([]);
});

test("a replay goes back in time where the test did", async () => {
  await using sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
  const hours: unknown[] = [];
  for (const at of ["2026-03-01T09:00:00Z", "2026-03-04T09:00:00Z", "2026-03-02T09:00:00Z"]) {
    sandbox.clock.freeze(at);
    hours.push((await sandbox.museum.getMuseumHours()).body);
  }
  expect(hours[2]).not.toEqual(hours[1]);
  const capsule = sandbox.capsule();
  expect(capsule.journal.map(({ at }) => at.slice(8, 10))).toEqual(["01", "04", "02"]);
  expect((await replayCapsule(capsule)).differences).toEqual([]);
});

test("a replay tells of exchanges that the journal had dropped, and sends none whose path had a secret", async () => {
  await using sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
  await sandbox.museum.getMuseumHours();
  await sandbox.fetch(`${EVENTS}/${jwt(1)}`, { headers: sandbox.auth.basic() });
  const report = await replayCapsule({ ...sandbox.capsule(), evicted: 3 });
  expect(report).toMatchObject({
    ok: true,
    sent: 1,
    skipped: [
      { seq: 0, why: "3 earlier exchanges were dropped by the journal." },
      { seq: 2, why: "Its path contained a secret." },
    ],
  });
});

test("a capsule of the first edition, with its mark of a secret, logs in as it did", async () => {
  await using sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
  await post(sandbox, "/account/login", ADA);
  const text = JSON.stringify(sandbox.capsule());
  expect(text).toContain("[redacted");
  const report = await replayCapsule(JSON.parse(text.replaceAll("[redacted", "[cut")));
  expect(report.differences.filter(({ what }) => what === "status")).toEqual([]);
  expect(report.requests).toMatchObject([{ line: expect.stringContaining(" 200") }]);
});

test("a replay tells another status of an answer that was cut off", async () => {
  await using sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
  sandbox.use({ when: { operation: "museum.getMuseumHours" }, then: { fault: "truncate" } });
  await sandbox.museum.getMuseumHours().catch(() => {});
  const capsule = sandbox.capsule();
  const [exchange] = capsule.journal;
  if (exchange?.sent === undefined) return expect.unreachable("a part of it left");
  expect((await replayCapsule(capsule)).differences).toEqual([]);
  const journal = [{ ...exchange, status: 503 }];
  expect((await replayCapsule({ ...capsule, journal })).differences).toMatchObject([
    { what: "status", recorded: "503", replayed: "200" },
  ]);
});

test("of an answer that never left, a replay compares what was made of it and no more", async () => {
  await using sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
  sandbox.use({ when: { operation: "museum.getMuseumHours" }, at: "response", then: { fault: "reset" } });
  await sandbox.museum.getMuseumHours().catch(() => {});
  const capsule = sandbox.capsule();
  expect(capsule.journal).toMatchObject([{ fault: "reset", made: 200 }]);
  expect((await replayCapsule({ ...capsule, stage: [] })).differences).toMatchObject([
    { what: "fault", recorded: "reset", replayed: "nothing" },
  ]);
});

test("a replay sends no header that held a secret, nor those of the connection", async () => {
  await using sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
  const headers = { "x-api-key": "Sesame!!!", "x-trace": "7", "user-agent": "ours", expect: "nothing" };
  await sandbox.fetch(`${EVENTS}?limit=1`, { headers: { ...headers, ...sandbox.auth.basic() } });
  await using other = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
  await replay(sandbox.capsule(), async () => ({
    fetch: other.fetch,
    clock: other.clock,
    journal: other.journal,
    baseOf: () => "/museum/v1.1",
    authorize: () => other.auth.basic().authorization,
    secrets: [],
  }));
  expect(other.journal.last).toMatchObject({ status: 200, headers: { "x-trace": "7" } });
  for (const name of ["x-api-key", "user-agent", "expect"])
    expect(other.journal.last?.headers).not.toHaveProperty(name);
});

test("what is no capsule is refused, with the place of the mistake", async () => {
  await using sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
  await sandbox.museum.listSpecialEvents();
  const good = JSON.parse(JSON.stringify(sandbox.capsule()));
  const [exchange] = good.journal;
  const wrong: [capsule: unknown, pointer: string][] = [
    [null, ""],
    [{ ...good, format: "har" }, "/format"],
    [{ ...good, seed: "7" }, "/seed"],
    [{ ...good, clock: { ...good.clock, start: "yesterday" } }, "/clock/start"],
    [{ ...good, journal: [1] }, "/journal/0"],
    [{ ...good, journal: [{ ...exchange, headers: { accept: 1 } }] }, "/journal/0/headers/accept"],
    [{ ...good, journal: [{ ...exchange, method: "GET /" }] }, "/journal/0/method"],
  ];
  for (const [capsule, pointer] of wrong)
    await expect(replayCapsule(capsule)).rejects.toMatchObject({ name: "UsageError", place: { pointer } });
  const unknown = { ...good, settings: { museum: { colour: "red" } } };
  await expect(replayCapsule(unknown)).rejects.toMatchObject({ name: "UsageError" });
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

test("a capsule tells how many requests the journal had dropped, and what is none is refused at its place", async () => {
  const { capsule, sandbox } = await story();
  expect(describeCapsule({ ...capsule, evicted: 2 })).toContain(
    "\n2 earlier requests dropped by the journal\n",
  );
  await expect(replayCapsule({ ...capsule, journal: 1 } as never)).rejects.toMatchObject({
    code: "badOption",
    message: expect.stringContaining("Not a replayable capsule: journal must be"),
    place: { pointer: "/journal" },
  });
  await sandbox.close();
});
