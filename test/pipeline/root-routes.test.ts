// What browsers and people ask the sandbox for on their way to it is nobody's mistake: it is answered on the common port,
// and no verification fails for it.

import { describe, expect } from "vitest";
import { test, testOfMistakes } from "../support/test.ts";

const PERSON = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
const UNASKED = [
  "/favicon.ico",
  "/robots.txt",
  "/apple-touch-icon.png",
  "/apple-touch-icon-120x120-precomposed.png",
  "/.well-known/appspecific/com.chrome.devtools.json",
];

describe("on the port that all services share", () => {
  test("a browser at / is redirected to the dashboard of the world in the URL", async ({ sandbox }) => {
    const { url } = await sandbox.listen();
    sandbox.fork("cart");
    for (const [path, end] of [
      ["/", "/_vitrine/"],
      ["/~cart/", "/~cart/_vitrine/"],
      ["/~cart", "/~cart/_vitrine/"],
    ] as const) {
      const reply = await fetch(url + path, { headers: PERSON });
      expect([reply.status, reply.redirected, reply.url]).toEqual([200, true, url + end]);
      expect(await reply.text()).toContain(" · vitrine</title>");
      const head = await fetch(url + path, { headers: PERSON, method: "HEAD", redirect: "manual" });
      expect([head.status, head.headers.get("location")]).toEqual([302, end]);
    }
    expect(sandbox.journal.count()).toBe(0);
  });

  testOfMistakes("a program at / gets the URLs, and another method returns 404", async ({ sandbox }) => {
    const { url, urls } = await sandbox.listen();
    const reply = await fetch(`${url}/`);
    expect(reply.status).toBe(200);
    expect(reply.headers.get("vary")).toContain("Accept");
    expect(await reply.json()).toEqual({ dashboard: "/_vitrine/", urls });
    expect(sandbox.report()).toMatchObject({ ok: true });

    expect((await fetch(`${url}/`, { method: "POST" })).status).toBe(404);
    expect(sandbox.report().failures).toEqual([expect.stringContaining("POST / matches no operation.")]);
  });

  test.for(UNASKED)("%s does not count as a request of the client", async (path, { sandbox }) => {
    const { url } = await sandbox.listen();
    const met = await Promise.all(
      ["GET", "HEAD"].map(async (method) => (await fetch(url + path, { method })).status),
    );
    const expected = ["/favicon.ico", "/robots.txt"].includes(path) ? 200 : 404;
    expect(met).toEqual([expected, expected]);
    expect(sandbox.journal.count()).toBe(0);
    expect(sandbox.verify().failures).toEqual([]);
  });

  test("/favicon.ico leads to the dashboard's icon, and /robots.txt denies robots", async ({ sandbox }) => {
    const icon = await sandbox.fetch("/favicon.ico");
    expect([icon.status, icon.headers.get("location")]).toEqual([302, "/_vitrine/dashboard.svg"]);
    expect((await sandbox.fetch("/_vitrine/dashboard.svg")).headers.get("content-type")).toContain("svg");
    expect(await (await sandbox.fetch("/robots.txt")).text()).toBe("User-agent: *\nDisallow: /\n");
  });

  testOfMistakes("an unknown root path returns 404 with the base paths", async ({ sandbox }) => {
    for (const path of ["/favicon.icon", "/special-events", "/robots.txt/"]) {
      const reply = await sandbox.fetch(path);
      expect(reply.status, path).toBe(404);
      expect(await reply.text()).toContain(
        "Base paths: /museum/v1.1, /account, /account-sandbox, /_vitrine.",
      );
    }
    expect(sandbox.report().failures).toHaveLength(3);
  });

  test("a person whose world has ended gets a link to the main world", async ({ sandbox }) => {
    await sandbox.fork("cart").close();
    const reply = await sandbox.fetch("/~cart/_vitrine/", { headers: PERSON });
    expect(reply.status).toBe(404);
    expect(reply.headers.get("content-type")).toContain("text/html");
    expect(await reply.text()).toContain('<a href="/_vitrine/">To the main world</a>');
    const program = await sandbox.fetch("/~cart/_vitrine/state");
    expect(program.headers.get("content-type")).toBe("application/problem+json");
  });
});

test("/ redirects to the dashboard inside another app", async ({ sandbox }) => {
  const reply = await sandbox.app.request("/", { headers: PERSON });
  expect([reply.status, reply.headers.get("location")]).toEqual([302, "/_vitrine/"]);
});

testOfMistakes(
  "a path that browsers request by themselves returns 404 on a service's own port, but fails no verification",
  async ({ sandbox }) => {
    const { urls } = await sandbox.listen({ ownPorts: true });
    for (const path of UNASKED) expect((await fetch(urls.museum + path)).status, path).toBe(404);
    expect(sandbox.journal.count({ status: 404 })).toBe(UNASKED.length);
    expect(sandbox.report()).toMatchObject({ ok: true });
    expect((await fetch(`${urls.museum}/`, { headers: PERSON })).status).toBe(404);
    expect(sandbox.report().failures).toHaveLength(1);
  },
);
