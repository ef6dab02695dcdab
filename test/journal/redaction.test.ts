// How a secret is shown, and what is none.

import { expect, test } from "vitest";
import { redact, Secrets } from "../../src/journal/redaction.ts";
import { createSandbox } from "../../src/vitrine.ts";

test("the end of a secret is shown where enough of it stays hidden, and equal ones have equal marks", () => {
  expect(redact("abcdefghijkl")).toMatch(/^\[redacted 12 characters, #[0-9a-f]{8}]$/);
  expect(redact("abcdefghijklm")).toMatch(/^\[redacted 13 characters, …jklm, #[0-9a-f]{8}]$/);
  expect(redact("abcdefghijklm")).toBe(redact("abcdefghijklm"));
  expect(redact("abcdefghijklm")).not.toBe(redact("abcdefghijkln"));
});

test("half a character in a secret harms nobody, and none is cut in half", async () => {
  await using sandbox = await createSandbox();
  const login = { method: "POST", headers: { "content-type": "application/json" } };
  for (const password of ['"\\ud800abcdefgh"', '"twelve signs 😀abc"'])
    await sandbox.fetch("/account/login", {
      ...login,
      body: `{"email":"ada@example.org","password":${password}}`,
    });
  const texts = sandbox.journal.list().map(({ requestText = "" }) => requestText);
  expect(texts).toEqual([
    expect.stringMatching(/"password":"\[redacted 9 characters, #\w+]"/),
    expect.stringMatching(/"password":"\[redacted 18 characters, …😀abc, #\w+\]"/u),
  ]);
  const names = await sandbox.museum.getSpecialEvent({ params: { eventId: "half \ud800" } });
  expect(names.status).toBe(400);
  expect(sandbox.journal.last?.path).toBe("/special-events/half%20%EF%BF%BD");
});

test("in plain data each value under a secret name is hidden, and what tells nothing stays", () => {
  const secrets = new Secrets();
  const given = {
    password: "",
    token: null,
    pin: 1234,
    auth: [true, "Sesame!"],
    count: 5,
    note: "token=Sesame!",
  };
  expect(secrets.value(given)).toEqual({
    password: "",
    token: null,
    pin: redact("1234"),
    auth: [true, redact("Sesame!")],
    count: 5,
    note: `token=${redact("Sesame!")}`,
  });
  expect(secrets.value([undefined, "", 0])).toEqual([null, "", 0]);
  expect(secrets.sweep(["say Sesame!", "1234"])).toEqual([`say ${redact("Sesame!")}`, "1234"]);
});

test("in a body each value under a secret name is hidden, and null, true and an empty text stay", () => {
  const secrets = new Secrets();
  const body = '{"password": null, "token": true, "secret": "", "apiKey": "Sesame!"}';
  expect(secrets.body(body)).toBe(body.replace('"Sesame!"', JSON.stringify(redact("Sesame!"))));
});

test.each([
  '{"password" : "Sesame!"}',
  '{"a": 1, "password"\n\t: "Sesame!"}',
  '{"pass\\u0077ord":"Sesame!"}',
  '{"my \\"token": "Sesame!"}',
  '{"at": "09:00", "list": [{"Client-Secret": "Sesame!"}]}',
])("a secret is found however its name is written: %s", (body) => {
  expect(new Secrets().body(body)).toBe(body.replace("Sesame!", redact("Sesame!")));
});

test.each(['{"at": "09:00", "page": 1}', ':"', "no JSON: token", '{"a":"password"}'])(
  "what only looks like one stays: %s",
  (body) => {
    expect(new Secrets().body(body)).toBe(body);
  },
);

test("a secret of six characters is sought everywhere, a shorter one is not", () => {
  const secrets = new Secrets();
  secrets.value({ password: "abcdef", pin: "vwxyz" });
  expect(secrets.sweep(["/find/abcdef", "/find/vwxyz"])).toEqual([
    `/find/${redact("abcdef")}`,
    "/find/vwxyz",
  ]);
});

test("a secret is found again in each way in which an address, a form or JSON escapes it", () => {
  const secrets = new Secrets();
  secrets.value({ password: 'it\'s (a) "b" c*!' });
  for (const written of [
    'it\'s (a) "b" c*!',
    "it's%20(a)%20%22b%22%20c*!",
    "it%27s%20%28a%29%20%22b%22%20c%2A%21",
    "it%27s+%28a%29+%22b%22+c*%21",
    "it%27s%20%28a%29%20%22b%22%20c%2a%21",
    'it\'s (a) \\"b\\" c*!',
  ])
    expect(secrets.sweep(`/find/${written}`)).toMatch(/^\/find\/\[redacted \d+ characters, #?[^\]]+]$/);
});

test("of basic credentials the name stays, of a query what is no secret", () => {
  const secrets = new Secrets();
  const basic = `Basic ${btoa("ada:one:two")}`;
  expect(secrets.header("authorization", basic)).toBe(`Basic ${redact(btoa("ada:one:two"))}`);
  expect(secrets.sweep(["ada", "one:two", "two"])).toEqual(["ada", redact("one:two"), "two"]);
  expect(secrets.search("?page=2&api_key=Sesame!&token=")).toBe(
    `?page=2&api_key=${redact("Sesame!")}&token=`,
  );
  expect(secrets.search('?token="Open%20Sesame"&page=2')).toBe(`?token=${redact('"Open Sesame"')}&page=2`);
  expect(secrets.search("")).toBe("");
  expect(secrets.header("www-authenticate", "Basic realm")).toBe("Basic realm");
});
