// The pages of the account: the plain fields for a person, links to follow, and nothing that could run or be loaded.

import { createHash } from "node:crypto";
import { describe, expect } from "vitest";
import { accountOperations } from "../../../src/services/account/index.ts";
import { call, exampleOf } from "../../support/account.ts";
import { test, testOfMistakes } from "../../support/test.ts";

const page = { accept: "text/html" };
const EVIL = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp;`;

const shown = Object.entries(accountOperations).filter(([key]) => /^(list|get)/.test(key));

describe.each(shown)("the page of %s", (_key, operation) => {
  test("shows the JSON form, field by field and as JSON text", async ({ sandbox }) => {
    const { line } = exampleOf(sandbox, operation);
    const { text } = await call(sandbox, line, page);
    const { body } = await call(sandbox, line, { accept: "application/json" });
    const [first] = [body].flat();
    for (const [name, value] of Object.entries(first)) {
      expect(text).toContain(name);
      if (value !== null) expect(text).toContain(`>${escaped(String(value))}<`);
    }
    const [, json = ""] = /<pre>([\s\S]*)<\/pre>/.exec(text) ?? [];
    expect(JSON.parse(unescaped(json))).toEqual(body);
  });

  test("links to the resources, and contains no scripts, forms or external content", async ({ sandbox }) => {
    const { line } = exampleOf(sandbox, operation);
    const { text, headers } = await call(sandbox, line, page);
    for (const path of ["/account/consumptions", "/account/pre-sales", "/account/users/me"])
      expect(text).toContain(`href="${path}"`);
    expect(text).not.toMatch(/<(script|link|img|iframe|object|form)\b|\bon\w+=|\bstyle=|https?:/i);

    const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(text) ?? [];
    const hash = createHash("sha256").update(style).digest("base64");
    const policy = headers.get("content-security-policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`style-src 'sha256-${hash}'`);
    expect(policy).not.toContain("unsafe");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });
});

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

function unescaped(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

test("every page shows client input as text, not as markup", async ({ sandbox }) => {
  await call(sandbox, "PUT /users/me", { body: { fullname: EVIL } });
  const { text } = await call(sandbox, "GET /users/me", page);
  expect(text).not.toContain("<script");
  expect(text).not.toContain("<img");
  expect(text).toContain(escaped(EVIL));
});

test("links to other pages escape a filter that contains markup", async ({ sandbox }) => {
  const { status, text } = await call(sandbox, `GET /consumptions?q=${encodeURIComponent(EVIL)}`, page);
  expect(status).toBe(200);
  expect(text).not.toContain("<script");
  expect(text).toMatch(/rel="next" href="\/account\/consumptions\?q=%22%3E%3Cscript/);
});

test("the links between pages lead to every item of a collection", async ({ sandbox }) => {
  const seen: string[] = [];
  for (let path: string | undefined = "/account/consumptions"; path !== undefined; ) {
    const { text } = await call(sandbox, `GET ${path.replace("/account", "")}`, page);
    seen.push(
      ...[...text.matchAll(/<a href="(\/account\/consumptions\/[^"]+)"/g)].map(([, iri]) => iri ?? ""),
    );
    path = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&");
    expect(seen.length).toBeLessThan(100);
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.length).toBe(40);
});

test("a page shows a null field as null", async ({ sandbox }) => {
  await call(sandbox, "PUT /users/me", { body: {} });
  const { text } = await call(sandbox, "GET /users/me", page);
  expect(text).toContain('<dt>fullname</dt><dd><span class="quiet">null</span></dd>');
});

testOfMistakes("an error page contains no text of the request", async ({ sandbox }) => {
  const { status, text } = await call(sandbox, `GET /${encodeURIComponent(EVIL)}`, page);
  expect(status).toBe(404);
  expect(text).not.toContain("alert");
});
