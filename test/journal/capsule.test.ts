import { expect, test } from "vitest";
import type { Capsule } from "../../src/journal/capsule.ts";
import { assertCapsule, describeCapsule } from "../../src/journal/describe-capsule.ts";
import { toHar } from "../../src/journal/har.ts";
import { createSandbox } from "../../src/open/create-sandbox.ts";

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

test("a capsule is plain JSON with the start state, the requests and the changes", async () => {
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

test("the printed capsule shows each request, the reason of its response, and the changes", async () => {
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
rule lost applied 1 time
3 requests:
  #1 POST /museum/v1.1/special-events no response: reset, 201 was lost · rule lost
  #2 GET /museum/v1.1/special-event?page=1 404 · pathNotFound · Nearest: museum.listSpecialEvents, GET /museum/v1.1/special-events; one path segment differs: special-event, not special-events
  #3 GET /museum/v1.1/special-events 401 · credentialsRequired
The data changed:
  created museum/specialEvents ${created?.eventId}
`);
});

test("the printed capsule says if a client gave up", async () => {
  await using sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
  sandbox.use({ id: "slow", then: { hold: "gate" } });
  const leaving = new AbortController();
  const left = sandbox.fetch(EVENTS, { headers: sandbox.auth.basic(), signal: leaving.signal });
  await sandbox.gates.arrived("gate");
  leaving.abort();
  await expect(left).rejects.toThrow();
  await sandbox.journal.waitFor({ gone: true });
  const line = "#1 GET /museum/v1.1/special-events no response: the client gave up · rule slow";
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
  expect(() => assertCapsule(valid)).not.toThrow();
  const error = { name: "UsageError", code: "badOption", place: { pointer } };
  expect(() => assertCapsule(change(valid))).toThrow(expect.objectContaining(error));
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
    _vitrine: { at: "2026-03-01T09:00:00.000Z" },
    request: {
      method: "POST",
      url: "http://localhost/account/login",
      postData: { mimeType: "application/json" },
    },
    response: { status: 200 },
  });
});

test("a capsule tells how many requests the journal had dropped", async () => {
  const { capsule, sandbox } = await story();
  await sandbox.close();
  expect(describeCapsule({ ...capsule, evicted: 2 })).toContain(
    "\n2 earlier requests dropped by the journal\n",
  );
});
