import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSandbox } from "../../src/open/create-sandbox.ts";

type Sandbox = Awaited<ReturnType<typeof createSandbox>>;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
});
afterAll(() => sandbox.close());

async function call(method: string, path: string, body?: unknown) {
  const response = await sandbox.fetch(`/_vitrine${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

describe("the control API answers as its page says", () => {
  test("ready", async () => {
    expect(await call("GET", "/ready")).toMatchObject({ status: 200, body: { ready: true } });
    const head = await sandbox.fetch("/_vitrine/ready", { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "14", ""]);
  });

  test("worlds", async () => {
    const made = await call("POST", "/worlds", { name: "one" });
    expect(made).toMatchObject({
      status: 201,
      body: {
        id: "one",
        urls: {
          museum: "http://localhost/~one/museum/v1.1",
          account: "http://localhost/~one/account",
          accountSandbox: "http://localhost/~one/account-sandbox",
          control: "http://localhost/~one/_vitrine",
        },
      },
    });
    expect(made.headers.get("location")).toBe("/_vitrine/worlds/one");
    expect((await call("POST", "/worlds", { name: "one" })).status).toBe(409);
    expect((await call("GET", "/worlds")).body.map(({ id }: { id: string }) => id)).toEqual(["main", "one"]);
    expect((await call("DELETE", "/worlds/one")).status).toBe(204);
    expect((await call("DELETE", "/worlds/one")).status).toBe(404);
    expect((await call("DELETE", "/worlds/main")).status).toBe(400);
  });

  test("urls use the host that the client called", async () => {
    const request = new Request("http://127.0.0.1:4010/_vitrine/worlds", { headers: {} });
    const [main] = JSON.parse(await (await sandbox.answer(request)).text());
    expect(main.urls.museum).toBe("http://127.0.0.1:4010/museum/v1.1");
  });

  test("events, and ends the stream of a slow reader after 2 MiB", async () => {
    await using other = await createSandbox();
    const stream = await other.fetch("/_vitrine/events");
    other.use({
      when: { operation: "museum.getMuseumHours" },
      then: { respond: { status: 200, body: "x".repeat(8_192) } },
    });
    for (let sent = 0; sent < 300; sent += 1) await other.museum.getMuseumHours();
    const text = await stream.text(); // ends by itself
    expect(text.length).toBeLessThanOrEqual(2 * 1_048_576);
    expect(text.match(/^event: exchange$/gm)?.length).toBeGreaterThan(100);
    expect(other.journal.count()).toBe(300);
  });

  test("events, until the reader cancels, and an empty HEAD of them", async () => {
    const { body } = await sandbox.fetch("/_vitrine/events");
    await body?.cancel();
    const head = await sandbox.fetch("/_vitrine/events", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });
});

describe("the control API refuses", () => {
  test.each([
    ["POST", "/worlds", '{"name":"a","name":"b"}', 400, "/name"],
    ["POST", "/worlds", '{"__proto__":{"name":"a"}}', 400, "/__proto__"],
    ["POST", "/rules", '{"then":{"constructor":{"prototype":{}}}}', 400, "/then/constructor/prototype"],
    [
      "POST",
      "/rules",
      '{"when":{"operation":"museum.listEvents"},"then":{"problem":"x"}}',
      400,
      "/when/operation",
    ],
    ["POST", "/worlds", '{"nam":"a"}', 400, "/nam"],
    ["POST", "/worlds", '{"name":', 400, undefined],
    ["POST", "/clock/advance", '{"by":[24]}', 400, "/by"],
    ["POST", "/clock/advance", '{"by":"1 day"}', 400, undefined],
    ["PUT", "/clock", '{"at":"2026-02-30T00:00:00Z"}', 400, undefined],
    ["PUT", "/clock", '{"mode":"paused"}', 400, "/mode"],
    ["PUT", "/clock", "{}", 400, undefined],
    ["PUT", "/scenario", '{"name":"../scenarios/museum-empty"}', 400, "/name"],
    ["PUT", "/scenario", '{"name":"museum-emtpy"}', 400, "/name"],
    ["PUT", "/scenario", '{"name":["museum-empty","museum-emtpy"]}', 400, "/name/1"],
    ["PUT", "/scenario", '["museum-empty","./a.json"]', 400, "/1"],
    ["PUT", "/scenario", '["museum-empty",1]', 400, "/1"],
    ["PUT", "/scenario", '{"file":"/etc/passwd","text":"{}"}', 400, "/file"],
    ["PUT", "/scenario", '{"version":1,"extends":["/etc/passwd"]}', 400, "/extends/0"],
    ["PUT", "/data/museum/specialEvents", '[{"name":1}]', 400, "/0/eventId"],
    ["PATCH", "/data/museum/specialEvents", '{"upsert":[{"name":1}]}', 400, "/upsert/0/eventId"],
    ["PATCH", "/data/museum/specialEvents", '{"remove":["none"]}', 400, "/remove/0"],
    ["PUT", "/data/museum/constructor", "[]", 404, undefined],
    ["POST", "/tokens", '{"kind":"golden"}', 400, "/kind"],
    ["POST", "/tokens", '{"user":"nobody"}', 400, "/user"],
    ["POST", "/usage", '{"environment":"moon"}', 400, "/environment"],
    ["GET", "/jwks/moon", undefined, 404, undefined],
    ["GET", "/journal?operation=museum.listEvents", undefined, 400, "/operation"],
    ["GET", "/journal?status=often", undefined, 400, "/status"],
    ["POST", "/usage", '{"sent":-1}', 400, "/sent"],
    ["POST", "/journal/verify", '{"operation":"museum.listEvents"}', 400, "/operation"],
    ["POST", "/snapshots/none/restore", "{}", 404, undefined],
    ["GET", "/nothing", undefined, 404, undefined],
    ["PATCH", "/clock", "{}", 405, undefined],
  ])("%s %s %s", async (method, path, body, status, pointer) => {
    const { digest } = sandbox.state();
    const reply = await call(method, path, body);
    expect(reply.headers.get("content-type")).toBe("application/problem+json");
    expect({ status: reply.status, pointer: reply.body.pointer }).toEqual({ status, pointer });
    expect(reply.body).toMatchObject({
      type: expect.stringMatching(/^urn:vitrine:/),
      title: expect.any(String),
    });
    expect(sandbox.state().digest).toBe(digest);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test.each([
    ["PUT", "/clock", {}, "body needs at, mode, or both."],
    ["PUT", "/clock", { mode: "paused" }, 'Unknown mode "paused". Known: frozen, ticking.'],
    [
      "POST",
      "/clock/advance",
      { buy: "1h" },
      'by is required. Unknown field "buy". Did you mean "by"? Known: by.',
    ],
    [
      "POST",
      "/journal/verify",
      { operation: "museum.listSpecialEvents", min: 2 },
      'The field "min" belongs in "times".',
    ],
    ["POST", "/journal/verify", { times: "often" }, "times must be a number or an object, not a string."],
    ["POST", "/journal/verify", { times: { least: 1 } }, 'Unknown field "least". Known: min, max.'],
    ["PUT", "/scenario", ["museum-empty", 1], "body[1] must be a string or an object, not a number."],
    [
      "PUT",
      "/data/museum/specialEvents",
      [{ eventId: "0b6d1f0e-5d0a-4c57-9a53-6a4f5a2f7c11", name: 1 }],
      "museum.specialEvents: name must be a string, not a number. (at /0/name)",
    ],
  ] as const)("%s %s %j with a specific message", async (method, path, body, detail) => {
    expect(await call(method, path, body)).toMatchObject({ status: 400, body: { detail } });
  });
});
