// What a remote verb sends if its arguments need encoding, and how it reads a refusal. What verbs do over HTTP:
// controls-over-http.test.ts.

import { describe, expect, onTestFinished, test, vi } from "vitest";
import { remoteControls } from "../../src/control/remote.ts";
import type { RemoteControls } from "../../src/sandbox/controls.ts";
import { services } from "../../src/services/index.ts";
import { UsageError } from "../../src/world/usage-error.ts";

type Answer = { readonly status?: number; readonly body?: unknown };

/** Controls of a world whose sandbox answers as told, and what it was sent. */
function remote(answer: Answer | (() => Response) = {}, world = "main", token?: string) {
  const sent: string[] = [];
  const authorizations: (string | null)[] = [];
  const controls = remoteControls({
    origin: "http://sandbox.test",
    world,
    token,
    services,
    at: (id) => ({ id }) as RemoteControls,
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
describe("a verb is one call", () => {
  test.each<[line: string, call: (controls: RemoteControls) => unknown, answer?: Answer]>([
    [
      'PUT /_vitrine/clock {"at":"2026-03-01","rebase":true,"mode":"frozen"}',
      ({ clock }) => clock.freeze("2026-03-01", { rebase: true }),
    ],
    ["POST /_vitrine/snapshots/a%20b/restore {}", (controls) => controls.restore("a b"), NOTHING],
    ["POST /_vitrine/snapshots/a%2Fb/restore {}", (controls) => controls.restore({ id: "a/b" }), NOTHING],
    [
      "GET /_vitrine/journal?status=404&limit=2",
      ({ journal }) => journal.list({ status: 404 }, { limit: 2 }),
      { body: [] },
    ],
    [
      "DELETE /_vitrine/throttle/ada%40example.test?environment=sandbox",
      ({ auth }) => auth.clearThrottle("ada@example.test", "sandbox"),
      NOTHING,
    ],
    [
      'POST /_vitrine/mailbox/wait {"to":"ada","within":"5s"}',
      ({ mailbox }) => mailbox.waitFor({ to: "ada" }, { within: "5s" }),
    ],
  ])("%s", async (line, call, answer) => {
    const { controls, sent } = remote(answer);
    await call(controls);
    expect(sent).toEqual([line]);
  });

  test("in another world under its prefix, with the token where there is one", async () => {
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

describe("an answer", () => {
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
  ])("that refuses, %j, is the error that the verb throws in process", async (answer, code, message) => {
    const refused = remote(answer).controls.rules.remove("x");
    await expect(refused).rejects.toBeInstanceOf(UsageError);
    await expect(refused).rejects.toMatchObject({ code, message });
  });
});

const HTML = { headers: { "content-type": "text/html" } };
const JSON_TYPE = { headers: { "content-type": "application/json" } };
test.for<[what: string, reply: () => Response]>([
  ["200 text/html", () => new Response("<html>", HTML)],
  ["502 text/html", () => new Response("<html>", { ...HTML, status: 502 })],
  ["200 application/json", () => Response.json(null)],
  ["200 application/json", () => Response.json([])],
  ["404 application/json", () => Response.json({ error: "none" }, { status: 404 })],
  ["200 application/json", () => new Response('{"half":', JSON_TYPE)],
  ["200 application/json", () => new Response(new ReadableStream(), JSON_TYPE)], // without an end
  ["200 no body", () => new Response()],
])("a reply of another server, %s, is an error that names the URL", async ([what, reply]) => {
  const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
    const late = new AbortController();
    setImmediate(() => late.abort());
    return late.signal;
  });
  onTestFinished(() => timeout.mockRestore());
  const { controls } = remote(reply);
  const message = `http://sandbox.test/_vitrine/state answered ${what}. Expected a JSON object from the control API of a sandbox, within 10 s. Check the URL.`;
  await expect(controls.state()).rejects.toMatchObject({ name: "UsageError", message });
  await expect(controls.reset()).rejects.toThrow("Expected no body");
  if (what !== "200 application/json")
    await expect(controls.rules.list()).rejects.toThrow("Expected a JSON array");
});

test("controls can be awaited and shown, and know what is no verb", async () => {
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
  await expect(cloc.now()).rejects.toThrow('Unknown verb "cloc.now". Did you mean "clock.now"');
  expect(sent).toEqual([]);
});
