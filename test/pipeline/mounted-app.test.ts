// The sandbox as a part of another Hono app: what its reader follows from there.

import { Hono } from "hono";
import { describe, expect } from "vitest";
import { frozenSandbox, test, testOfMistakes } from "../support/test.ts";

const LD_JSON = { accept: "application/ld+json" };
const HTML = { accept: "text/html" };
const ANY = { accept: "*/*" };

/** Every link of an answer: IRIs of JSON-LD and Hydra, headers, hrefs of pages, servers of OpenAPI. */
async function linksOf(response: Response): Promise<readonly string[]> {
  const text = await response.text();
  const found = [
    ...text.matchAll(/"(\/[\w~./?=&%[\]-]*|http:\/\/localhost[^"#]*)#?[^"]*"/g),
    ...text.matchAll(/href="([^"]+)"/g),
  ].map(([, link = ""]) => link);
  const headers = ["location", "content-location"].flatMap((name) => response.headers.get(name) ?? []);
  const linked = [
    ...(response.headers.get("link") ?? "").matchAll(/<([^>]+)>; rel="[^"]*apiDocumentation"/g),
  ];
  return [...found, ...headers, ...linked.map(([, link = ""]) => link)];
}

async function jsonOf(response: Response | Promise<Response>): Promise<Record<string, unknown>> {
  return (await (await response).json()) as Record<string, unknown>; // every answer here is an object
}

describe("mounted under a prefix", () => {
  for (const [name, prefix] of [
    ["the main world", "/mock"],
    ["a world of its own", "/mock/~cart"],
  ] as const)
    test(`every link from ${name} leads somewhere below the prefix`, async ({ sandbox }) => {
      const world = prefix === "/mock" ? sandbox : sandbox.fork("cart");
      const outer = new Hono().route("/mock", sandbox.app);
      const headers = { authorization: `Bearer ${world.auth.token()}` };
      const waiting = [
        `${prefix}/account/`,
        `${prefix}/account/docs.html`,
        `${prefix}/account/consumptions?page=1`,
      ];
      const seen = new Set<string>();
      for (const path of waiting) {
        if (seen.has(path)) continue;
        seen.add(path);
        for (const accept of /\.\w+$|\/contexts\//.test(path) ? [ANY] : [LD_JSON, HTML]) {
          const response = await outer.request(path, { headers: { ...headers, ...accept } });
          expect([path, response.status]).toEqual([path, 200]);
          for (const link of await linksOf(response)) {
            const { origin, pathname, search } = new URL(link, `http://localhost${path}`);
            if (origin !== "http://localhost" || /\/(errors|validation_errors)\//.test(pathname)) continue;
            expect(pathname.startsWith(`${prefix}/account`), `${path} links to ${link}`).toBe(true);
            if (!pathname.includes("{")) waiting.push(pathname + search);
          }
        }
      }
      expect(seen.size).toBeGreaterThan(20);
    });

  test("a created event has its Location below the prefix, and is in the store and the journal", async ({
    sandbox,
  }) => {
    const outer = new Hono().route("/mock", sandbox.app);
    const created = await outer.request("/mock/museum/v1.1/special-events", {
      method: "POST",
      headers: { ...sandbox.auth.basic(), "content-type": "application/json" },
      body: JSON.stringify({
        name: "Lamps",
        location: "Hall 2",
        eventDescription: "Dark",
        dates: ["2026-03-31"],
        price: 5,
      }),
    });
    const location = created.headers.get("location") ?? "";
    expect(created.status).toBe(201);
    expect(location).toMatch(/^\/mock\/museum\/v1\.1\/special-events\//);
    const read = await outer.request(location, { headers: sandbox.auth.basic() });
    expect(await read.json()).toEqual(
      sandbox.data.museum.specialEvents.get(location.split("/").at(-1) ?? ""),
    );
    expect(sandbox.journal.last).toMatchObject({
      base: "/mock/museum/v1.1",
      operation: "museum.getSpecialEvent",
    });
  });

  test("the OpenAPI document names the server by the prefix", async ({ sandbox }) => {
    const outer = new Hono().route("/mock", sandbox.app);
    const document = await jsonOf(outer.request("/mock/account/openapi.json"));
    expect(document["servers"]).toMatchObject([{ url: "http://localhost/mock/account" }]);
  });

  testOfMistakes("an unknown path gets a near miss", async ({ sandbox }) => {
    const outer = new Hono().route("/mock", sandbox.app);
    const response = await outer.request("/mock/museum/v1.1/special-event");
    expect(response.status).toBe(404);
    expect(response.headers.get("x-vitrine-near-miss")).toContain("museum.listSpecialEvents");
  });

  test("a wire fault is refused, since the connection is the other app's", async ({ sandbox }) => {
    sandbox.use({ when: { operation: "museum.listSpecialEvents" }, then: { fault: "reset" } });
    const outer = new Hono().route("/mock", sandbox.app);
    const response = await outer.request("/mock/museum/v1.1/special-events", {
      headers: sandbox.auth.basic(),
    });
    expect(response.status).toBe(501);
    expect((await jsonOf(response))["detail"]).toContain(
      "The fault reset is not supported inside another app",
    );
    expect(sandbox.journal.last).toMatchObject({ status: 501, rules: [{ outcome: "applied" }] });
    expect(sandbox.journal.last).not.toHaveProperty("fault");
  });

  test("the control API requires a token, and returns URLs below the prefix", async ({ sandbox }) => {
    const closed = new Hono().route("/mock", sandbox.app);
    const refused = await closed.request("/mock/_vitrine/state");
    expect(refused.status).toBe(403);
    expect((await jsonOf(refused))["detail"]).toContain("controlToken");
    await using open = await frozenSandbox({ controlToken: "let-me-in" });
    const outer = new Hono().route("/mock", open.app);
    const call = { method: "POST", headers: { "content-type": "application/json" }, body: '{"name":"cart"}' };
    expect((await outer.request("/mock/_vitrine/worlds", call)).status).toBe(401);
    const headers = { ...call.headers, authorization: "Bearer let-me-in" };
    const made = await outer.request("/mock/_vitrine/worlds", { ...call, headers });
    expect((await jsonOf(made))["urls"]).toMatchObject({ museum: "http://localhost/mock/~cart/museum/v1.1" });
    expect(made.headers.get("location")).toBe("/mock/_vitrine/worlds/cart");
  });

  test("a closed sandbox returns 503", async () => {
    const sandbox = await frozenSandbox();
    const outer = new Hono().route("/mock", sandbox.app);
    await sandbox.close();
    const response = await outer.request("/mock/museum/v1.1/special-events");
    expect([response.status, response.headers.get("content-type")]).toEqual([
      503,
      "application/problem+json",
    ]);
  });
});
