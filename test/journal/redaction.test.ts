// How a secret is shown, and what is none.

import { expect, test } from "vitest";
import { redact, Secrets } from "../../src/journal/redaction.ts";

test("the end of a secret is shown where enough of it stays hidden, and equal ones have equal marks", () => {
  expect(redact("abcdefghijkl")).toMatch(/^\[redacted 12 characters, #[0-9a-f]{8}]$/);
  expect(redact("abcdefghijklm")).toMatch(/^\[redacted 13 characters, …jklm, #[0-9a-f]{8}]$/);
  expect(redact("abcdefghijklm")).toBe(redact("abcdefghijklm"));
  expect(redact("abcdefghijklm")).not.toBe(redact("abcdefghijkln"));
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

test("a secret of six characters is sought everywhere, a shorter one is not", () => {
  const secrets = new Secrets();
  secrets.value({ password: "abcdef", pin: "vwxyz" });
  expect(secrets.sweep(["/find/abcdef", "/find/vwxyz"])).toEqual([
    `/find/${redact("abcdef")}`,
    "/find/vwxyz",
  ]);
});

test("of basic credentials the name stays, of a query what is no secret", () => {
  const secrets = new Secrets();
  const basic = `Basic ${btoa("ada:one:two")}`;
  expect(secrets.header("authorization", basic)).toBe(`Basic ${redact(btoa("ada:one:two"))}`);
  expect(secrets.sweep(["ada", "one:two", "two"])).toEqual(["ada", redact("one:two"), "two"]);
  expect(secrets.search("?page=2&api_key=Sesame!&token=")).toBe(
    `?page=2&api_key=${redact("Sesame!")}&token=`,
  );
  expect(secrets.search("")).toBe("");
  expect(secrets.header("www-authenticate", "Basic realm")).toBe("Basic realm");
});
