// Which values are secrets, and how they are shown.

import { describe, expect, test } from "vitest";
import { connect } from "../../src/connect.ts";
import { toHar } from "../../src/journal/har.ts";
import { Redactor } from "../../src/journal/redaction.ts";
import { frozenSandbox } from "../support/test.ts";

const EVENTS = "/museum/v1.1/special-events";
const json = (body: unknown) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

test("equal secrets have equal marks, also in later exchanges, with numbers by first appearance", async () => {
  await using sandbox = await frozenSandbox();
  for (const password of ["4821", "sunshine1", "4821"])
    await sandbox.fetch(EVENTS, { headers: sandbox.auth.basic("ada", password) });
  const marks = sandbox.journal.list().map(({ headers }) => headers["authorization"]);
  expect(marks).toEqual(["Basic [redacted #1]", "Basic [redacted #2]", "Basic [redacted #1]"]);
  sandbox.journal.clear();
  await sandbox.fetch(EVENTS, { headers: sandbox.auth.basic("ada", "sunshine1") });
  expect(sandbox.journal.last?.headers["authorization"]).toBe("Basic [redacted #1]");
});

test("a response body stays as sent if the password is a part of its words, and HAR sizes agree with it", async () => {
  await using sandbox = await frozenSandbox();
  const body = { name: "Our secret", location: "secret", eventDescription: "-", dates: [], price: 1 };
  const headers = { ...sandbox.auth.basic("guide", "secret"), "content-type": "application/json" };
  const response = await sandbox.fetch(EVENTS, { method: "POST", headers, body: JSON.stringify(body) });
  const sent = await response.text();
  const recorded = sandbox.journal.last?.responseBody ?? "";
  expect(sent).toContain('"location":"secret"');
  expect(recorded).toBe(sent.replace('"location":"secret"', '"location":"[redacted #2]"'));
  expect(recorded).toContain('"name":"Our secret"');
  await sandbox.fetch(EVENTS, { headers });
  const [, list] = toHar(sandbox.journal.list(), "0").log["entries"] as readonly {
    readonly response: { readonly content: { readonly size: number; readonly text: string } };
  }[];
  expect(Buffer.byteLength(list?.response.content.text ?? "")).toBe(list?.response.content.size);
});

test("secrets in a body are redacted by member name, despite escapes and malformed JSON, but null and true stay", () => {
  for (const [body, shown = body.replace("Sesame!", "[redacted #1]")] of [
    ['{"password": null, "token": true, "secret": "", "apiKey": "Sesame!"}'],
    ['{"pin": 1234, "count": 1234}', '{"pin": "[redacted #1]", "count": "[redacted #1]"}'],
    ['{"auth": [true, "Sesame!"]}'],
    ['{"password" \n\t: "Sesame!"}'],
    ['{"pass\\u0077ord":"Sesame!"}'],
    ['{"my \\"token": "Sesame!"}'],
    ['{"at": "09:00", "list": [{"Client-Secret": "Sesame!"}]}'],
    ['{"secret": "Sesame!", "cut'],
    ["password=Sesame!&note=kept"],
    ['{"at": "09:00", "page": 1}', '{"at": "09:00", "page": 1}'],
    [':"', ':"'],
    ["no JSON: token", "no JSON: token"],
    ['{"a":"password"}', '{"a":"password"}'],
  ] as const)
    expect(new Redactor().body(body)).toBe(shown);
});

test("a challenge, and text that contains a short password, stay unchanged", async () => {
  await using sandbox = await frozenSandbox();
  sandbox.use({ when: { headers: { "x-client": "a" } }, then: { pass: true } });
  await sandbox.fetch(EVENTS, { headers: { ...sandbox.auth.basic("ada", "x"), "x-client": "b" } });
  expect(sandbox.journal.last?.rules).toMatchObject([{ why: 'header x-client is "b", not "a"' }]);
  await sandbox.fetch(EVENTS);
  const challenge = 'Basic realm="museum", charset="UTF-8"';
  expect(sandbox.journal.last?.responseHeaders["www-authenticate"]).toBe(challenge);
});

test("an empty header is no secret", () => {
  const secrets = new Redactor();
  expect([secrets.header("authorization", ""), secrets.path("/a/"), secrets.text("")]).toEqual([
    "",
    "/a/",
    "",
  ]);
});

test("a lone surrogate in a secret or a path causes no error", async () => {
  await using sandbox = await frozenSandbox();
  const headers = { "content-type": "application/json" };
  const body = '{"email":"ada@example.org","password":"\\ud800abcdefgh"}';
  await sandbox.fetch("/account/login", { method: "POST", headers, body });
  expect(sandbox.journal.last?.requestText).toContain('"password":"[redacted #1]"');
  await sandbox.museum.getSpecialEvent({ params: { eventId: "half \ud800" } });
  expect(sandbox.journal.last?.path).toBe("/special-events/half%20%EF%BF%BD");
});

describe("thirty planted secrets", () => {
  const canary = (name: string) => `Canary-${name.replace(/\W/g, "")}-7kQ`;
  const HEADERS = [
    ...["x-api-key", "x-auth-token", "cookie", "proxy-authorization", "x-session-id", "x-client-secret"],
    ...["x-access-key", "x-jwt", "signature", "x-credential"],
  ];
  const FIELDS = [
    ...["password", "passphrase", "access_token", "client_secret", "apiKey", "pin", "cvv", "cardNumber"],
    ...["privateKey", "sessionId"],
  ];

  test("appear in no journal, log, event, HAR, capsule, report, document or page", async () => {
    await using sandbox = await frozenSandbox();
    const seen: unknown[] = [];
    sandbox.journal.subscribeSummaries((exchange) => seen.push(exchange));
    sandbox.journal.subscribe((exchange) => seen.push(exchange));
    sandbox.use({ id: "never", when: { query: { page: 9 } }, then: { pass: true } });
    for (const name of HEADERS)
      await sandbox.fetch(EVENTS, { headers: { ...sandbox.auth.basic(), [name]: canary(name) } });
    for (const name of FIELDS) {
      await sandbox.fetch(EVENTS, json({ name: "Lamps", deep: [{ [name]: canary(name) }] }));
      await sandbox.fetch(`${EVENTS}?${name}=${canary(name)}&page=9`);
    }
    for (const index of [1, 2]) {
      const headers = { authorization: `Bearer ${canary(`bearer${index}`)}` };
      await sandbox.fetch("/account/users/me", { headers });
    }
    for (const index of [1, 2, 3]) {
      const authorization = `Basic ${btoa(`ada:${canary(`basic${index}`)}`)}`;
      await sandbox.fetch(EVENTS, { headers: { authorization, "x-forwarded": authorization } });
    }
    const login = "/account/login";
    for (const index of [1, 2, 3, 4, 5]) {
      const password = canary(`password${index}`);
      await sandbox.fetch(`${EVENTS}/${password}?again=${password}`, {
        headers: sandbox.auth.basic("ada", password),
      });
      await sandbox.fetch(login, json({ email: "ada@example.test", password, note: password }));
    }
    const { url } = await sandbox.listen({ port: 0 });
    const pages = ["/_vitrine/", "/_vitrine/requests", "/_vitrine/openapi.json", "/museum/v1.1/openapi.json"];
    const served = await Promise.all(pages.map(async (page) => (await fetch(url + page)).text()));
    const { issues = [] } = await sandbox.journal
      .verify({ operation: "account.login", body: { password: "other" } })
      .then((found) => ({ issues: [found] }));
    const shown = [
      seen,
      served,
      sandbox.journal.list(),
      sandbox.har(),
      sandbox.capsule(),
      sandbox.report(),
      issues,
    ];
    const text = JSON.stringify([
      ...shown,
      sandbox.lint(),
      sandbox.coverage.data(),
      await connect(url).journal.list(),
    ]);
    const names = [...HEADERS, ...FIELDS, "bearer1", "bearer2", "basic1", "basic2", "basic3"];
    const secrets = [...names, ...[1, 2, 3, 4, 5].map((index) => `password${index}`)].map(canary);
    const encoded = [1, 2, 3].map((index) => btoa(`ada:${canary(`basic${index}`)}`));
    expect(sandbox.journal.count()).toBeGreaterThan(40);
    expect([...secrets, ...encoded].filter((secret) => text.includes(secret))).toEqual([]);
  });
});
