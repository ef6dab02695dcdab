// A client whose addresses are hard-wired meets the sandbox instead of the real services, and cannot notice.

import https from "node:https"; // as a whole: msw changes what it holds
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, describe, expect, vi } from "vitest";
import { handlers } from "../../src/testing/msw.ts";
import { test } from "../support/test.ts";

const MUSEUM = "https://api.museum.example/v1.1";
const ACCOUNT = "https://billing.example";
const EVENT = { name: "Lamps", location: "Hall", eventDescription: "Dark", dates: ["2026-03-02"], price: 1 };

const network = setupServer();
beforeAll(() => network.listen({ onUnhandledRequest: "error" }));
afterEach(() => network.resetHandlers());
afterAll(() => network.close());

const json = { accept: "application/json", "content-type": "application/json" };

describe("a client with hard-wired addresses", () => {
  test("writes and reads: method, headers, query and body arrive", async ({ sandbox }) => {
    network.use(...handlers(sandbox, { museum: MUSEUM }));
    const headers = { ...sandbox.auth.basic(), ...json };
    const created = await fetch(`${MUSEUM}/special-events`, {
      method: "POST",
      headers,
      body: JSON.stringify(EVENT),
    });
    expect(created.status).toBe(201);
    const { eventId } = (await created.json()) as { eventId: string };
    expect(sandbox.data.museum.specialEvents.all()).toContainEqual(expect.objectContaining(EVENT));

    const day = "startDate=2026-03-02&endDate=2026-03-02";
    const listed = (await (await fetch(`${MUSEUM}/special-events?${day}`, { headers })).json()) as object[];
    expect(listed).toContainEqual({ ...EVENT, eventId });
    expect(listed.length).toBeLessThan(sandbox.data.museum.specialEvents.all().length);

    const deleted = await fetch(`${MUSEUM}/special-events/${eventId}`, { method: "DELETE", headers });
    expect([deleted.status, await deleted.text()]).toEqual([204, ""]);
    expect(sandbox.journal.list().map(({ operation, status }) => [operation, status])).toEqual([
      ["museum.createSpecialEvent", 201],
      ["museum.listSpecialEvents", 200],
      ["museum.deleteSpecialEvent", 204],
    ]);
  });

  test("follows the Location of the event that it created", async ({ sandbox }) => {
    network.use(...handlers(sandbox, { museum: MUSEUM }));
    const headers = { ...sandbox.auth.basic(), ...json };
    const { headers: told } = await fetch(`${MUSEUM}/special-events`, {
      method: "POST",
      headers,
      body: JSON.stringify(EVENT),
    });
    const found = await fetch(new URL(told.get("location") ?? "", MUSEUM), { headers });
    expect(await found.json()).toMatchObject(EVENT);
  });

  test("logs in to both environments of the account, one URL below the other, and follows IRIs", async ({
    sandbox,
  }) => {
    network.use(...handlers(sandbox, { account: `${ACCOUNT}/`, accountSandbox: `${ACCOUNT}/sandbox` }));
    for (const [base, email, logins] of [
      [ACCOUNT, "ada@example.test", { environment: "account" }],
      [`${ACCOUNT}/sandbox`, "ada@sandbox.example.test", { environment: "accountSandbox" }],
    ] as const) {
      const login = await fetch(`${base}/login`, {
        method: "POST",
        headers: json,
        body: JSON.stringify({ email, password: "Vitrine!2026" }),
      });
      expect(login.status).toBe(200);
      expect(sandbox.journal.list({ operation: "account.login" }).at(-1)).toMatchObject(logins);
      const { token } = (await login.json()) as { token: string };
      const headers = { authorization: `Bearer ${token}`, accept: "application/ld+json" };
      const all = (await (await fetch(`${base}/consumptions`, { headers })).json()) as Linked;
      const [{ "@id": iri } = { "@id": "" }] = all["hydra:member"];
      const one = await fetch(new URL(iri, base), { headers });
      expect(await one.json()).toMatchObject({ "@id": iri });
    }
    const entry = await fetch(ACCOUNT, { headers: { accept: "application/ld+json" } });
    expect(entry.status).toBe(200);
    expect(sandbox.report().failures).toEqual([]);
  });

  test("may join base URL and IRI by hand if the sandbox has separate ports", async ({ sandbox }) => {
    const { close } = await sandbox.listen({ port: 0, ownPorts: true });
    network.use(...handlers(sandbox, { account: ACCOUNT }));
    const headers = { authorization: `Bearer ${sandbox.auth.token()}`, accept: "application/ld+json" };
    const all = (await (await fetch(`${ACCOUNT}/consumptions`, { headers })).json()) as Linked;
    const [{ "@id": iri } = { "@id": "" }] = all["hydra:member"];
    expect(iri).toMatch(/^\/consumptions\//);
    expect(await (await fetch(ACCOUNT + iri, { headers })).json()).toMatchObject({ "@id": iri });
    await close();
  });

  test("that uses node:https gets responses too, whatever Host it sends", async ({ sandbox }) => {
    network.use(...handlers(sandbox, { museum: MUSEUM }));
    const status = await new Promise((resolve, reject) => {
      https
        .get(`${MUSEUM}/special-events`, { headers: sandbox.auth.basic() }, (reply) => {
          reply.resume();
          resolve(reply.statusCode);
        })
        .on("error", reject);
    });
    expect(status).toBe(200);
    expect(sandbox.journal.count({ operation: "museum.listSpecialEvents", status: 200 })).toBe(1);
  });

  test("receives a reset as a network error after the work was done", async ({ sandbox }) => {
    network.use(...handlers(sandbox, { museum: MUSEUM }));
    sandbox.use({
      when: { operation: "museum.createSpecialEvent" },
      at: "response",
      limit: { times: 1 },
      then: { fault: "reset" },
    });
    const before = sandbox.data.museum.specialEvents.all().length;
    const send = () =>
      fetch(`${MUSEUM}/special-events`, {
        method: "POST",
        headers: { ...sandbox.auth.basic(), ...json },
        body: JSON.stringify(EVENT),
      });
    await expect(send()).rejects.toThrow(TypeError);
    expect((await send()).status).toBe(201);
    expect(sandbox.data.museum.specialEvents.all()).toHaveLength(before + 2);
  });

  test("meets a body that breaks off in the middle", async ({ sandbox }) => {
    network.use(...handlers(sandbox, { museum: MUSEUM }));
    sandbox.use({ when: { operation: "museum.listSpecialEvents" }, then: { fault: "truncate" } });
    const reply = await fetch(`${MUSEUM}/special-events`, { headers: sandbox.auth.basic() });
    expect(reply.status).toBe(200);
    await expect(reply.text()).rejects.toThrow();
  });

  test("can give up on a reply that hangs", async ({ sandbox }) => {
    network.use(...handlers(sandbox, { museum: MUSEUM }));
    sandbox.use({ when: { operation: "museum.listSpecialEvents" }, then: { fault: "hang" } });
    const patience = new AbortController();
    const reply = fetch(`${MUSEUM}/special-events`, {
      headers: sandbox.auth.basic(),
      signal: patience.signal,
    });
    await sandbox.journal.waitFor({ fault: "hang", state: "open" });
    patience.abort();
    await expect(reply).rejects.toMatchObject({ name: "AbortError" });
  });

  test("is answered by a world of its own when the sandbox is a fork", async ({ sandbox }) => {
    const world = sandbox.fork("cart");
    network.use(...handlers(world, { museum: MUSEUM }));
    await fetch(`${MUSEUM}/special-events`, { headers: sandbox.auth.basic() });
    expect([world.journal.count(), sandbox.journal.count()]).toEqual([1, 0]);
  });
});

test("other addresses are left to other handlers", async ({ sandbox }) => {
  network.use(
    ...handlers(sandbox, { museum: MUSEUM }),
    http.get("https://api.museum.example/v1.10/special-events", () => HttpResponse.text("another")),
  );
  const other = await fetch("https://api.museum.example/v1.10/special-events");
  expect(await other.text()).toBe("another");
  expect(sandbox.journal.count()).toBe(0);
});

test("a closed sandbox returns an error that says so", async ({ sandbox }) => {
  network.use(...handlers(sandbox, { museum: MUSEUM }));
  await sandbox.close();
  const complained = vi.spyOn(console, "error").mockReturnValue(); // by msw, of what a handler throws
  const reply = await fetch(`${MUSEUM}/special-events`);
  expect(await reply.json()).toMatchObject({ name: "UsageError", message: "This sandbox is closed." });
  expect(complained).toHaveBeenCalled();
  complained.mockRestore();
});

test("an invalid URL or an unknown environment throws immediately", ({ sandbox }) => {
  expect(() => handlers(sandbox, { museum: "/museum" })).toThrow('museum: "/museum" is not an http URL.');
  expect(() => handlers(sandbox, { ["muse" as string]: MUSEUM })).toThrow(
    "muse is not one of museum, account, accountSandbox.",
  );
});

type Linked = { readonly "hydra:member": readonly { readonly "@id": string }[] };
