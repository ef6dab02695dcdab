// What each verb sends when the sandbox is in another process, and how its answer and its refusal are read.

import { describe, expect, test } from "vitest";
import { createRemoteControls } from "../../src/control/remote.ts";
import { UsageError } from "../../src/errors/usage-error.ts";
import type { RemoteWorld } from "../../src/sandbox/controls.ts";
import { services } from "../../src/services/index.ts";

type Answer = { readonly status?: number; readonly body?: unknown };

const JSON_TYPE = { headers: { "content-type": "application/json" } };
const endless = () => new Response(new ReadableStream(), JSON_TYPE);

/** Controls of a world whose sandbox answers as told, and what it was sent. */
function remote(answer: Answer | (() => Response) = {}, world = "main", token?: string) {
  const sent: string[] = [];
  const authorizations: (string | null)[] = [];
  const controls = createRemoteControls({
    origin: "http://sandbox.test",
    world,
    token,
    services,
    wall: { now: () => 0, pause: () => (answer === endless ? Promise.resolve() : new Promise(() => {})) },
    at: (id) => ({ id }) as RemoteWorld,
    async fetch(url, init) {
      authorizations.push(new Headers(init.headers).get("authorization"));
      const line = `${init.method} ${url.replace("http://sandbox.test", "")}`;
      sent.push(init.body === undefined ? line : `${line} ${init.body}`);
      if (typeof answer === "function") return answer();
      const { status = 200, body = {} } = answer;
      const isBodied = status !== 204;
      return isBodied ? Response.json(body, { status }) : new Response(null, { status });
    },
  });
  return { controls, sent, authorizations };
}

const NOTHING = { status: 204 };
describe("each method sends one request", () => {
  test.each<[line: string, call: (controls: RemoteWorld) => unknown, answer?: Answer]>([
    [
      "GET /_vitrine/clock",
      ({ clock }) => clock.now(),
      { body: { at: "2026-03-01T09:00:00Z", mode: "frozen" } },
    ],
    ['POST /_vitrine/clock/advance {"by":"24h"}', ({ clock }) => clock.advance("24h")],
    ['PUT /_vitrine/clock {"mode":"frozen"}', ({ clock }) => clock.freeze()],
    [
      'PUT /_vitrine/clock {"at":"2026-03-01","rebase":true,"mode":"frozen"}',
      ({ clock }) => clock.freeze("2026-03-01", { rebase: true }),
    ],
    ['PUT /_vitrine/clock {"at":"2026-03-01"}', ({ clock }) => clock.set("2026-03-01")],
    ['PUT /_vitrine/clock {"mode":"ticking"}', ({ clock }) => clock.resume()],
    ["POST /_vitrine/reset {}", (controls) => controls.reset(), NOTHING],
    [
      'POST /_vitrine/snapshots {"name":"a b"}',
      (controls) => controls.snapshot("a b"),
      { status: 201, body: { id: "a b" } },
    ],
    ["POST /_vitrine/snapshots/a%20b/restore {}", (controls) => controls.restore("a b"), NOTHING],
    ["POST /_vitrine/snapshots/a%2Fb/restore {}", (controls) => controls.restore({ id: "a/b" }), NOTHING],
    ["GET /_vitrine/snapshots/s1/diff", ({ snapshots }) => snapshots.diff("s1")],
    ["DELETE /_vitrine/snapshots/s1", ({ snapshots }) => snapshots.remove("s1"), NOTHING],
    [
      "GET /_vitrine/journal?status=404&limit=2",
      ({ journal }) => journal.list({ status: 404 }, { limit: 2 }),
      { body: [] },
    ],
    [
      "GET /_vitrine/journal/count?user=ada",
      ({ journal }) => journal.count({ user: "ada" }),
      { body: { count: 3 } },
    ],
    ["DELETE /_vitrine/journal", ({ journal }) => journal.clear(), NOTHING],
    ["GET /_vitrine/journal/7", ({ journal }) => journal.get(7)],
    ["DELETE /_vitrine/worlds/w1", ({ worlds }) => worlds.remove("w1"), NOTHING],
    [
      'PUT /_vitrine/worlds/w1?replace=true {"from":"main"}',
      ({ worlds }) => worlds.put("w1", { from: "main" }, { replace: true }),
      { status: 201, body: { id: "w1" } },
    ],
    [
      'PUT /_vitrine/worlds/w1?replace=false {"from":"main"}',
      ({ worlds }) => worlds.put("w1", { from: "main" }),
      { status: 201, body: { id: "w1" } },
    ],
    [
      "DELETE /_vitrine/throttle/ada%40example.test?environment=sandbox",
      ({ auth }) => auth.clearThrottle("ada@example.test", "sandbox"),
      NOTHING,
    ],
    ["DELETE /_vitrine/throttle/ada", ({ auth }) => auth.clearThrottle("ada"), NOTHING],
    ["GET /_vitrine/jwks/account", ({ auth }) => auth.keys()],
    [
      'POST /_vitrine/tokens {"kind":"expired"}',
      ({ auth }) => auth.token({ kind: "expired" }),
      { status: 201, body: { token: "t" } },
    ],
    ['POST /_vitrine/usage {"sent":10}', ({ usage }) => usage.record({ sent: 10 })],
    ["GET /_vitrine/mailbox?to=ada", ({ mailbox }) => mailbox.messages({ to: "ada" }), { body: [] }],
    [
      'POST /_vitrine/mailbox/wait {"to":"ada","within":"5s"}',
      ({ mailbox }) => mailbox.waitFor({ to: "ada" }, { within: "5s" }),
    ],
    ["DELETE /_vitrine/mailbox", ({ mailbox }) => mailbox.clear(), NOTHING],
    [
      "GET /_vitrine/data/museum/specialEvents",
      ({ data }) => data["museum"]?.["specialEvents"]?.all(),
      { body: [] },
    ],
    [
      'PATCH /_vitrine/data/account/preSales {"upsert":[]}',
      ({ data }) => data["account"]?.["preSales"]?.upsert([]),
      { body: [] },
    ],
    [
      'PATCH /_vitrine/data/account/preSales {"remove":["x"]}',
      ({ data }) => data["account"]?.["preSales"]?.remove(["x"]),
      { body: [] },
    ],
    [
      "PUT /_vitrine/data/museum/tickets []",
      ({ data }) => data["museum"]?.["tickets"]?.replace([]),
      { body: [] },
    ],
  ])("%s", async (line, call, answer) => {
    const { controls, sent } = remote(answer);
    await call(controls);
    expect(sent).toEqual([line]);
  });

  test("in another world with its prefix, and with the token if there is one", async () => {
    const { controls, sent, authorizations } = remote(NOTHING, "w1", "sesame");
    await controls.reset();
    expect(sent).toEqual(["POST /~w1/_vitrine/reset {}"]);
    expect(authorizations).toEqual(["Bearer sesame"]);
    expect([controls.id, controls.urls]).toEqual([
      "w1",
      {
        museum: "http://sandbox.test/~w1/museum/v1.1",
        account: "http://sandbox.test/~w1/account",
        accountSandbox: "http://sandbox.test/~w1/account-sandbox",
        control: "http://sandbox.test/~w1/_vitrine",
      },
    ]);
    await controls.close();
    expect(sent.at(-1)).toBe("DELETE /~w1/_vitrine/worlds/w1");
    const main = remote();
    await main.controls.close();
    expect([main.sent, main.authorizations]).toEqual([[], []]);
  });
});

describe("a response", () => {
  test("is converted to the value that the method returns in process", async () => {
    const at = { body: { at: "2026-03-01T09:00:00Z", mode: "frozen" } };
    expect(await remote(at).controls.clock.now()).toBe(Date.parse("2026-03-01T09:00:00Z"));
    expect(await remote(at).controls.clock.advance("1h")).toBeUndefined();
    expect(await remote({ body: { token: "t" } }).controls.auth.token()).toBe("t");
    expect(await remote({ body: { count: 3 } }).controls.journal.count({})).toBe(3);
    expect(await remote({ body: { id: "w2" } }).controls.fork()).toEqual({ id: "w2" });
    const events = [{ eventId: "1" }, { eventId: "2" }];
    const { data } = remote({ body: events }).controls;
    expect(await data["museum"]?.["specialEvents"]?.get("2")).toEqual({ eventId: "2" });
    expect(await data["museum"]?.["specialEvents"]?.get("3")).toBeUndefined();
  });

  test.each<[answer: Answer, code: string, message: string]>([
    [{ status: 404, body: { code: "unknownName", detail: "No rule." } }, "unknownName", "No rule."],
    [
      { status: 400, body: { code: "badData", detail: "Wrong.", pointer: "/upsert/0" } },
      "badData",
      "Wrong. (at /upsert/0)",
    ],
    [
      { status: 400, body: { code: "badData", detail: "Wrong. (at /a)", pointer: "/a" } },
      "badData",
      "Wrong. (at /a)",
    ],
  ])("with the error %j throws the same error as in process", async (answer, code, message) => {
    const refused = remote(answer).controls.rules.remove("x");
    await expect(refused).rejects.toBeInstanceOf(UsageError);
    await expect(refused).rejects.toMatchObject({ code, message });
  });
});

const HTML = { headers: { "content-type": "text/html" } };
test.for<[what: string, reply: () => Response]>([
  ["200 text/html", () => new Response("<html>", HTML)],
  ["502 text/html", () => new Response("<html>", { ...HTML, status: 502 })],
  ["200 application/json", () => Response.json(null)],
  ["200 application/json", () => Response.json([])],
  ["404 application/json", () => Response.json({ error: "none" }, { status: 404 })],
  ["200 application/json", () => new Response('{"half":', JSON_TYPE)],
  ["200 application/json", endless],
  ["200 no type", () => new Response()],
])("a reply of another server, %s, is an error that names the URL", async ([what, reply]) => {
  const { controls } = remote(reply);
  const message = `http://sandbox.test/_vitrine/state answered ${what}. Expected a JSON object from the control API of a sandbox, within 10 s. Check the URL.`;
  await expect(controls.state()).rejects.toMatchObject({ name: "UsageError", message });
  await expect(controls.reset()).rejects.toThrow("Expected no body");
  if (what !== "200 application/json")
    await expect(controls.rules.list()).rejects.toThrow("Expected a JSON array");
});

test("controls can be awaited and printed, and reject unknown methods", async () => {
  const { controls, sent } = remote();
  expect(await controls).toBe(controls);
  expect(JSON.stringify(controls)).toContain('"id":"main"');
  expect(["clock", "id", "then", "toJSON"].map((name) => name in controls)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const { cloc } = controls as unknown as { cloc: { now(): Promise<unknown> } };
  await expect(cloc.now()).rejects.toThrow('Unknown method "cloc.now". Did you mean "clock.now"');
  expect(sent).toEqual([]);
});
