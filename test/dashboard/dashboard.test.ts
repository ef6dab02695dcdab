// The dashboard as it is served: page and files from a fixed table, with the policy that lets a browser do nothing else.
// What the script then does is in test/browser.

import { Script } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { page } from "../../src/dashboard/page.ts";
import { frozenSandbox, type TestSandbox } from "../support/test.ts";

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await frozenSandbox();
});
afterAll(() => sandbox.close());

const FILES = [
  ["/_vitrine/", "text/html"],
  ["/_vitrine", "text/html"],
  ["/_vitrine/dashboard.js", "text/javascript"],
  ["/_vitrine/dashboard.css", "text/css"],
  ["/_vitrine/dashboard.svg", "image/svg+xml"],
] as const;

async function get(path: string, init: RequestInit = {}) {
  const response = await sandbox.fetch(path, init);
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
      ]),
    );
    expect(policy).not.toContain("unsafe");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });

  test("no code and no style within the page, and every file from beside it", async () => {
    const { text } = await get("/_vitrine/");
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=|javascript:/i);
    const addresses = [...text.matchAll(/\s(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
    expect(new Set(addresses)).toEqual(
      new Set(["/_vitrine/dashboard.svg", "/_vitrine/dashboard.css", "/_vitrine/dashboard.js", "#journal"]),
    );
  });

  test("under the prefix of a world, that world's page", async () => {
    const { id } = sandbox.fork("cart");
    const { text } = await get("/~cart/_vitrine/");
    expect(text).toContain(`data-base="/~cart/_vitrine" data-world="${id}"`);
    expect(text).toContain('src="/~cart/_vitrine/dashboard.js"');
    expect((await get("/~cart/_vitrine/dashboard.js")).status).toBe(200);
    expect((await get("/~nobody/_vitrine/")).status).toBe(404);
  });

  test("every preset and every collection to choose from", async () => {
    const { text } = await get("/_vitrine/");
    expect(text).toContain('<option value="login-refused">login-refused: Nobody can log in</option>');
    expect(text).toContain("<option>museum/specialEvents</option>");
    expect(text).toContain("<option>accountSandbox/preSales</option>");
  });

  test("a script that a browser can read, and that makes nothing of text but text", async () => {
    const { text } = await get("/_vitrine/dashboard.js");
    expect(() => new Script(text)).not.toThrow();
    expect(text).not.toMatch(
      /innerHTML|outerHTML|insertAdjacent|document\.write|DOMParser|eval\(|new Function/,
    );
    expect(text).not.toMatch(/\bimport\b|\brequire\(|__vi/);
  });
});

test("whatever a page is made of is escaped", () => {
  const hostile = `"><img src=x onerror=alert(1)>'&`;
  const text = page(hostile, {
    id: hostile,
    data: { [hostile]: { [hostile]: sandbox.data.museum.specialEvents } },
    catalogue: { ...sandbox.catalogue, presets: () => [{ name: hostile, title: hostile }] },
  });
  expect(text).not.toContain("<img src=x");
  expect(text).toContain("&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&#39;&amp;");
});

describe("the dashboard refuses", () => {
  test.each([
    "/_vitrine/dashboard.html",
    "/_vitrine/dashboard.js/x",
    "/_vitrine//",
    "/_vitrine/..%2fdashboard.js",
  ])("%s, which is not in its table", async (path) => {
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

  test("a rebound name", async () => {
    const request = new Request("http://evil.example:4010/_vitrine/");
    expect((await sandbox.answer(request)).status).toBe(403);
  });
});

test("looking changes nothing and stands in no journal", async () => {
  const before = sandbox.state();
  for (const [path] of FILES) {
    await get(path);
    const head = await get(path, { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
  }
  expect(sandbox.state()).toEqual(before);
});
