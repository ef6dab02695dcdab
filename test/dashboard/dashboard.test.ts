// The dashboard as it is served: page and files from a fixed table, with the policy that lets a browser do nothing else, and
// readable without its script. What the script then does is in test/browser.

import { readdir, readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { controlOperations } from "../../src/control/table.ts";
import * as deeds from "../../src/dashboard/action.ts";
import { PAGES } from "../../src/dashboard/location.ts";
import { type DataName, READ_PATHS } from "../../src/dashboard/reads.ts";
import { frozenSandbox, type TestSandbox } from "../support/test.ts";

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await frozenSandbox();
});
afterAll(() => sandbox.close());

const FILES = [
  ["/_vitrine/", "text/html"],
  ["/_vitrine", "text/html"],
  ["/_vitrine/locked", "text/html"],
  ["/_vitrine/dashboard.js", "text/javascript"],
  ["/_vitrine/dashboard-frame.js", "text/javascript"],
  ["/_vitrine/dashboard-requests.js", "text/javascript"],
  ["/_vitrine/dashboard.css", "text/css"],
  ["/_vitrine/dashboard.svg", "image/svg+xml"],
] as const;

async function get(path: string, init: RequestInit = {}, from: TestSandbox = sandbox) {
  const response = await from.fetch(path, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe("a browser gets", () => {
  test.each(FILES)("%s as %s, under a policy without any unsafe-*", async (path, media) => {
    const { status, headers } = await get(path);
    expect([status, headers.get("content-type")]).toEqual([200, `${media}; charset=utf-8`]);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy.split("; ")).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ]),
    );
    expect(policy).not.toContain("unsafe");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });

  test("no inline code or styles in the page, and every file from the sandbox", async () => {
    const { text } = await get("/_vitrine/");
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=|javascript:/i);
    const files = [...text.matchAll(/\s(?:src|href)="([^"]*)"/g)].map(([, address = ""]) => address);
    const others = files.filter((address) => !/^(\/_vitrine\/|#page$|http:\/\/localhost\/)/.test(address));
    expect(others).toEqual([]);
  });

  test("a frame of at most 60 kB, pages of 25 kB and a style of 20 kB, whose code turns strings only into text", async () => {
    const sizeOf = (text: string) => Buffer.byteLength(text);
    const names = [".js", "-frame.js", ...Object.keys(PAGES).map((page) => `-${page}.js`)];
    const scripts = await Promise.all(
      names.map(async (name) => (await get(`/_vitrine/dashboard${name}`)).text),
    );
    const [main = "", frame = "", ...pages] = scripts;
    expect(sizeOf(main) + sizeOf(frame)).toBeLessThanOrEqual(60_000);
    for (const page of pages) expect(sizeOf(page)).toBeLessThanOrEqual(25_000);
    expect(sizeOf((await get("/_vitrine/dashboard.css")).text)).toBeLessThanOrEqual(20_000);
    const markup = /insertAdjacent|document\.write|DOMParser|\beval\(|new Function|\brequire\(/;
    expect(scripts.join("\n")).not.toMatch(markup);
  });

  test("the page of a world below the prefix of this world", async () => {
    sandbox.fork("cart");
    const { text } = await get("/~cart/_vitrine/");
    expect(text).toContain("<title>Start · cart · vitrine</title>");
    expect(text).toContain('src="/~cart/_vitrine/dashboard.js"');
    expect(text).toContain("http://localhost/~cart/museum/v1.1");
    expect((await get("/~cart/_vitrine/dashboard.js")).status).toBe(200);
    expect((await get("/~nobody/_vitrine/")).status).toBe(404);
    sandbox.worlds.remove("cart");
  });
});

describe("a page without JavaScript shows", () => {
  test("base URLs and credentials before the first request", async () => {
    const { text } = await get("/_vitrine/");
    expect(text).toContain("http://localhost/account-sandbox");
    for (const { user, password } of sandbox.catalogue.credentials()) {
      expect(text).toContain(user);
      expect(text).toContain(password);
    }
  });

  test("the requests, and the reason for the result of one request", async () => {
    await sandbox.fetch("/museum/v1.1/special-event");
    expect((await get("/_vitrine/")).text).toMatch(/id="exchange-1".*404/s);
    const { text } = await get("/_vitrine/?page=requests&seq=1");
    expect(text).toContain("No operation has this path.");
    expect(text).toContain("GET /museum/v1.1/special-events");
    const none = await get("/_vitrine/?page=requests&filter=status:5xx");
    expect(none.text).toContain("No exchange matches.");
    sandbox.journal.clear();
  });

  test.each([
    ["misbehave", "createPreSaleAction"],
    ["data", "The Night of the Lamps"],
    ["time", "2026-03-01 09:00:00"],
    ["mail", "No mail yet."],
    ["client", "documented statuses received"],
  ])("the content of the page %s", async (page, content) => {
    expect((await get(`/_vitrine/?page=${page}`)).text).toContain(content);
  });

  test("the error in an invalid filter", async () => {
    const { status, text } = await get("/_vitrine/?page=requests&filter=stat:404");
    expect(status).toBe(200);
    expect(text).toContain("Unknown part “stat”.");
  });
});

test.each([
  ...["seq=-1", "seq=x", "other=0", "other=999999999", "page=toString", "tab=constructor"],
  ...["filter=status:0", "filter=%22", "filter=after:-1", "filter=text:%00", `filter=${"x".repeat(5_000)}`],
  ...[
    "constructor/name",
    "__proto__/toString",
    "museum/__proto__",
    "museum/constructor",
    "museum",
    "/",
    "",
  ].map((collection) => `page=data&collection=${collection}`),
  ...["force=x", "page=misbehave&force=__proto__/x", "page=mail&mail=nope", "page=mail&mail=__proto__"],
])("an arbitrary query string still returns a page: %s", async (query) => {
  const before = sandbox.state();
  const { status, text } = await get(`/_vitrine/?page=requests&${query}`);
  expect([status, text.slice(0, 15)]).toEqual([200, "<!DOCTYPE html>"]);
  expect(sandbox.state()).toEqual(before);
});

test("no exchange has the number 0: the page shows the list alone", async () => {
  const { text } = await get("/_vitrine/?page=requests");
  expect((await get("/_vitrine/?page=requests&seq=0")).text).toBe(text);
});

test("hostile input is escaped on every page", async () => {
  const hostile = `"><img src=x onerror=alert(1)>'&`;
  await sandbox.fetch(`/museum/v1.1/${encodeURIComponent(hostile)}`, { headers: { [`x-a`]: hostile } });
  for (const tab of ["why", "request", "response"]) {
    const { text } = await get(
      `/_vitrine/?page=requests&seq=1&tab=${tab}&filter=${encodeURIComponent(hostile)}`,
    );
    expect(text).not.toContain("<img src=x");
    expect(text).toContain("&quot;&gt;&lt;img src=x onerror=alert(1)&gt;");
  }
  sandbox.journal.clear();
});

test("a refused body is shown as it was sent, with the reason from the response", async () => {
  await using own = await frozenSandbox();
  const headers = { ...own.auth.basic(), "content-type": "text/plain" };
  const body = '{"price":9007199254740993,"price":1.10}';
  await own.fetch("/museum/v1.1/special-events", { method: "POST", headers, body });
  await own.fetch("/museum/v1.1/special-events", { method: "POST", headers, body: new Uint8Array([255, 0]) });
  const tab = async (seq: number, name: string) =>
    (await get(`/_vitrine/?page=requests&seq=${seq}&tab=${name}`, {}, own)).text;
  expect(await tab(1, "why")).toContain("The body must be sent as application/json.");
  expect(await tab(1, "request")).toMatch(/9007199254740993,\s+&quot;price&quot;: 1\.10/);
  expect(await tab(2, "request")).toContain("[binary 2 bytes");
  await own.fetch("/museum/v1.1/special-events", {
    method: "POST",
    headers: { "content-length": "7" },
    body,
  });
  expect(await tab(3, "request")).toContain("The service did not read the body: 7 bytes of text/plain");
});

test("a page shows faults, used-up rules, dropped exchanges, and received responses", async () => {
  await using own = await frozenSandbox();
  const show = async (query: string) => (await get(`/_vitrine/?page=${query}`, {}, own)).text;
  for (const fault of ["truncate", "hang"] as const) {
    own.use({ id: fault, limit: { times: 1 }, then: { fault } });
    const init = { headers: own.auth.basic(), signal: AbortSignal.timeout(100) };
    await own.fetch("/museum/v1.1/museum-hours", init).catch(() => {});
  }
  expect(await show("requests")).toMatch(/>hang<((?!>200 cut<).)* ms<.*>200 cut</s);
  const client = await show("client");
  const [, total] = /of (\d+) documented statuses received/.exec(client) ?? [];
  expect(client.match(/class="outcome (un)?met"/g)).toHaveLength(Number(total));
  const misbehave = await show("misbehave");
  expect(misbehave).toMatch(/acted 1 of 1 matched<\/span> · used up.*Use again: truncate/s);
  expect(misbehave).toMatch(/>Misbehave<\/a>/);
  for (let sent = 2; sent < 1_060; sent += 1) await own.museum.createSpecialEvent({ body: {} as never });
  const requests = await show("requests&seq=1060");
  expect(requests).toContain("50 of 1000 are shown. 60 earlier ones are no longer in the journal.");
  expect(requests).toContain("force=museum.createSpecialEvent%2FinvalidInput");
});

test("a lone surrogate in a name breaks no page and no action", async () => {
  const half = "half \ud800";
  await using own = await frozenSandbox();
  own.snapshot(half);
  const { status, text } = await get("/_vitrine/?page=data", {}, own);
  expect([status, text.includes("half ")]).toEqual([200, true]);
  for (const { route } of [
    deeds.restoreSnapshot(half),
    deeds.release(half, 1),
    deeds.clearThrottle(half, "account"),
  ])
    expect(route).toContain("/half%20%EF%BF%BD");
});

describe("the dashboard uses only the control API:", () => {
  const routes = Object.values(controlOperations).map(({ method, path }) => ({
    route: `${method.toUpperCase()} ${path}`,
    pattern: new RegExp(`^${method.toUpperCase()} ${path.replace(/\{\w+\}/g, "[^/]+")}$`),
  }));
  const isRow = (call: string) => routes.some(({ pattern }) => pattern.test(call.replace(/\?.*/, "")));
  const place = { mount: "", world: "main", seq: 1, other: 2 };

  test.each(Object.keys(READ_PATHS))("its read path for %s is an endpoint", (name) => {
    expect(isRow(`GET ${READ_PATHS[name as DataName](place)}`)).toBe(true); // its own key
  });

  test.each(all())("$route and its undo are endpoints", ({ route, test: code, undo = [] }) => {
    const undone = undo === "world" ? ["PUT /worlds/main"] : undo.map((call) => call.route);
    for (const call of [route, ...undone]) expect([call, isRow(call)]).toEqual([call, true]);
    expect(code).toMatch(/^(const \w+ = )?(await )?sandbox\.\w+.*;$/);
  });

  function all(): readonly deeds.DashboardAction[] {
    const clock = { now: "2026-03-01T09:00:00Z", mode: "frozen" } as const;
    const { reset, clearJournal, clearMails, resetScenario: backToPlain } = deeds;
    return [
      ...[reset, clearJournal, clearMails, backToPlain, deeds.freeze(clock), deeds.resume(clock)],
      ...[deeds.removeWorld("w1"), deeds.forkWorld("")],
      ...[deeds.addPreset("leap-day"), deeds.addPreset("slow-network"), deeds.removePreset("slow-network")],
      ...[deeds.addRule({}), deeds.toggleRule("a", true), deeds.moveRule("a", null, "b")],
      ...[deeds.replaceRule("a", {}, {}), deeds.advance("1h", clock), deeds.setClock(clock.now, clock)],
      ...[deeds.release("a", 1), deeds.clearThrottle("ada", "account")],
      ...[deeds.recordUsage({ sent: 1, received: 0 })],
      ...[deeds.takeSnapshot("a", []), deeds.restoreSnapshot("a")],
    ];
  }
});

describe("the dashboard refuses", () => {
  test.each([
    "/_vitrine/dashboard.html",
    "/_vitrine/dashboard.js/x",
    "/_vitrine//",
    "/_vitrine/..%2fdashboard.js",
  ])("%s, which is not one of its files", async (path) => {
    const { status, headers } = await get(path);
    expect([status, headers.get("content-type")]).toEqual([404, "application/problem+json"]);
  });

  test("other methods than GET and HEAD", async () => {
    const { status, headers } = await get("/_vitrine/", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });

  test.each([
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { origin: "https://evil.example" },
  ])("a page of another origin: %j", async (headers) => {
    for (const [path] of FILES) expect((await get(path, { headers })).status).toBe(403);
  });

  test("a foreign host name, as in DNS rebinding", async () => {
    const request = new Request("http://evil.example:4010/_vitrine/");
    expect((await sandbox.answer(request)).status).toBe(403);
  });
});

describe("with a control token", () => {
  const html = { accept: "text/html,application/xhtml+xml" };

  test("a browser is redirected to a page that asks for the token and shows no data, and a program gets 401", async () => {
    const own = await frozenSandbox({ controlToken: "correct-horse" });
    await own.museum.listSpecialEvents();
    const led = await get("/_vitrine/?page=requests&seq=1", { headers: html, redirect: "manual" }, own);
    expect([led.status, led.headers.get("location")]).toEqual([302, "/_vitrine/locked?page=requests&seq=1"]);
    const { status, text } = await get("/_vitrine/locked?page=requests&seq=1", { headers: html }, own);
    expect(status).toBe(200);
    expect(text).toContain("Control token");
    expect(text).not.toMatch(/special-events|Vitrine!2026|museum/);
    expect((await get("/_vitrine/", {}, own)).status).toBe(401);
    expect((await get("/_vitrine/state", { headers: html }, own)).status).toBe(401);
    expect((await get("/_vitrine/locked", { method: "POST" }, own)).status).toBe(401);
    for (const file of [".js", "-frame.js", "-start.js", ".css", ".svg"])
      expect((await get(`/_vitrine/dashboard${file}`, {}, own)).status).toBe(200);
    const known = { headers: { authorization: "Bearer correct-horse" } };
    expect((await get("/_vitrine/?page=start", known, own)).text).toContain("Vitrine!2026");
    await own.close();
  });
});

test("every preset without rules is listed as a stage, with the parts that it sets", async () => {
  const folder = new URL("../../scenarios/", import.meta.url);
  const stages: Record<string, string> = {};
  for (const file of (await readdir(folder)).filter((name) => name.endsWith(".json"))) {
    const scenario = JSON.parse(await readFile(new URL(file, folder), "utf8")) as Record<string, unknown>;
    const sets = ["clock", "settings", "data"].filter((part) => part in scenario);
    if (sets.length > 0) stages[file.replace(".json", "")] = sets.join(", ");
    expect([file, sets.length > 0 && "rules" in scenario]).toEqual([file, false]);
  }
  expect(deeds.STAGES).toEqual(stages);
});

test("reading the dashboard changes no state and adds nothing to the journal", async () => {
  const before = sandbox.state();
  for (const [path] of FILES) {
    await get(path);
    const head = await get(path, { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
  }
  expect(sandbox.state()).toEqual(before);
});
