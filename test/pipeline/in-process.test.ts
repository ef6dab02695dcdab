import { expect, test } from "vitest";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import { DataCollection } from "../../src/sandbox/data.ts";
import { museum } from "../../src/services/museum/index.ts";

test("fetch takes a path, a URL and a Request, and answers without a port", async () => {
  await using sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
  const headers = sandbox.auth.basic();
  const path = "/museum/v1.1/special-events";
  const replies = [
    await sandbox.fetch(path, { headers }),
    await sandbox.fetch(new URL(path, "http://localhost"), { headers }),
    await sandbox.fetch(new Request(`http://localhost${path}`, { headers })),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(sandbox.journal.count({ operation: "museum.listSpecialEvents", status: 200 })).toBe(3);
});

test("a Request keeps its body, also in a fork", async () => {
  await using sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
  const fork = sandbox.fork();
  const body = {
    name: "Lamps",
    location: "Hall 2",
    eventDescription: "Dark",
    dates: ["2026-03-31"],
    price: 0,
  };
  const created = await fork.fetch(
    new Request("http://localhost/museum/v1.1/special-events", {
      method: "POST",
      headers: { ...fork.auth.basic(), "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
  expect(created.status).toBe(201);
  expect(created.headers.get("location")).toMatch(/^\/~w1\/museum\/v1\.1\/special-events\//);
  expect(sandbox.journal.count()).toBe(0);
});

test("fetch never leaves the process", async () => {
  await using sandbox = await createSandbox();
  await expect(sandbox.fetch("https://museum.example/v1.1/special-events")).rejects.toThrow(
    "sandbox.fetch cannot use the network",
  );
});

test("a closed sandbox refuses every call, and closing again does nothing", async () => {
  const sandbox = await createSandbox();
  await sandbox.close();
  await sandbox.close();
  await expect(sandbox.fetch("/museum/v1.1/special-events")).rejects.toMatchObject({ code: "closed" });
  await expect(sandbox.listen()).rejects.toMatchObject({ code: "closed" });
});

test.each([
  [{ clok: "now" }, 'Unknown option "clok". Did you mean "clock"?'],
  [{ seed: 1.5 }, "seed must be a whole number, not 1.5."],
  [{ settings: { musem: {} } }, 'Did you mean "museum"?'],
  [
    { settings: { museum: { strict: "yes" } } },
    "settings.museum.strict: strict must be a boolean, not a string.",
  ],
  [{ settings: { museum: { validationStatus: 401 } } }, "validationStatus must be 400 or 422, not 401."],
  [{ settings: { museum: { stric: true } } }, 'Did you mean "strict"?'],
  [{ allowedHosts: ["*.example.test"] }, "is not a valid host name"],
  [{ allowedOrigins: ["*"] }, "is not an origin"],
  [{ allowedOrigins: ["https://a*.example.test"] }, "is not an origin"],
  [{ allowedOrigins: ["https://*.*.example.test"] }, "is not an origin"],
  [{ allowedOrigins: ["https://a.test/"] }, "is not an origin"],
  [{ allowedOrigins: ["file://"] }, "is not an origin"],
  [{ worldLimit: -1 }, "worldLimit must be a whole number from 0, not -1."],
  [{ worldIdle: "soon" }, "is not a duration"],
])("the options %j are rejected with a correction", async (options, message) => {
  await expect(createSandbox(options as object)).rejects.toThrow(message);
});

test("a listening sandbox gives the same responses at every URL, also on separate ports", async () => {
  await using sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
  const headers = sandbox.auth.basic();
  const inProcess = await (await sandbox.fetch("/museum/v1.1/special-events", { headers })).text();
  const { url, urls, port, close } = await sandbox.listen({ ownPorts: true });
  expect(url).toBe(`http://localhost:${port}`);
  expect(urls.museum).toMatch(/^http:\/\/localhost:\d+\/v1\.1$/);
  for (const base of [`${url}/museum/v1.1`, urls.museum, `http://127.0.0.1:${port}/museum/v1.1`]) {
    const reply = await fetch(`${base}/special-events`, { headers });
    expect(await reply.text()).toBe(inProcess);
    expect(await (await sandbox.fetch(`${base}/special-events`, { headers })).text()).toBe(inProcess);
  }
  await expect(sandbox.listen()).rejects.toThrow("is already listening");
  await close();
  await expect(fetch(url)).rejects.toThrow();
  expect((await sandbox.fetch("/museum/v1.1/special-events", { headers })).status).toBe(200);
});

test("closing releases a request that waits at a gate with 503", async () => {
  const sandbox = await createSandbox();
  sandbox.use({ when: { operation: "museum.listSpecialEvents" }, then: { hold: "gate" } });
  const held = sandbox.museum.listSpecialEvents();
  await sandbox.gates.arrived("gate");
  await sandbox.close();
  expect((await held).status).toBe(503);
});

test("a second listen at the same time is rejected", async () => {
  await using sandbox = await createSandbox();
  const [first, second] = await Promise.allSettled([sandbox.listen(), sandbox.listen()]);
  expect([first.status, second.status]).toEqual(["fulfilled", "rejected"]);
});

test("a property that every object has, such as constructor, is not a collection", async () => {
  await using sandbox = await createSandbox();
  const [environment] = museum.environments;
  if (environment === undefined) throw new Error("the museum has an environment");
  for (const name of ["constructor", "toString", "__proto__"])
    expect(() => new DataCollection(sandbox.core.world, museum, environment, name)).toThrow(
      `Unknown collection of museum ${JSON.stringify(name)}.`,
    );
});

test("the typed client knows the error body of each service", async () => {
  await using sandbox = await createSandbox();
  const lost = "00000000-0000-4000-8000-000000000000";
  const event = await sandbox.museum.getSpecialEvent({ params: { eventId: lost } });
  const action = await sandbox.account.createPreSaleAction({
    body: { threshold: 1, action_type: "alert_mail", target: "a@b.test", enabled: true, pre_sale_uuid: lost },
  });
  if (event.ok || action.ok) throw new Error("there is neither the event nor the presale");
  expect(event.body.title).toBe("There is no such special event.");
  expect(action.body.violations?.map(({ propertyPath }) => propertyPath)).toEqual(["pre_sale_uuid"]);
  // @ts-expect-error only the museum calls it so
  expect(action.body.errors).toBeUndefined();
});
