// Who may call the museum: HTTP Basic, read strictly. By default any well-formed pair is good.

import { describe, expect } from "vitest";
import { museum } from "../../../src/services/museum/index.ts";
import { parseBasic } from "../../../src/services/museum/security.ts";
import { ask } from "../../support/ask.ts";
import { frozenSandbox, test } from "../../support/test.ts";

const base64 = (value: string | readonly number[]) => Buffer.from(value as string).toString("base64");
const ADA = base64("ada:secret");

describe("a call with", () => {
  test.for([
    ["the scheme in lower case", `basic ${ADA}`, "ada"],
    ["the scheme in capitals", `BASIC ${ADA}`, "ada"],
    ["two spaces", `Basic  ${ADA}`, "ada"],
    ["colons in the password", `Basic ${base64("ada:a:b:c")}`, "ada"],
    ["an empty pair", "Basic Og==", ""],
    ["an empty user", `Basic ${base64(":secret")}`, ""],
    ["no padding", `Basic ${base64("ada:secre").replace(/=+$/, "")}`, "ada"],
    ["letters beyond ASCII", `Basic ${base64("ādá:pässwörd")}`, "ādá"],
    ["letters composed in another way", `Basic ${base64("a\u0301:x")}`, "\u00e1"],
    ["a password of eight thousand bytes", `Basic ${base64(`ada:${"x".repeat(8000)}`)}`, "ada"],
  ] as const)("%s is let in", async ([, authorization, user], { sandbox }) => {
    const { status } = await ask(sandbox, "GET /special-events", { headers: { authorization } });
    expect(status).toBe(200);
    expect(sandbox.journal.last?.user).toBe(user);
  });

  test.for([
    ["no credentials", ""],
    ["the scheme alone", "Basic"],
    ["no scheme", ADA],
    ["a tab for a space", `Basic\t${ADA}`],
    ["no colon", `Basic ${base64("ada")}`],
    ["no base64", "Basic %%%"],
    ["base64 cut short", "Basic QQQQQ"],
    ["the alphabet of base64url", `Basic ${base64("ada:?>?>").replaceAll("/", "_").replaceAll("+", "-")}`],
    ["bytes of ISO-8859-1", `Basic ${base64([0xe9, 0x3a, 0x78])}`],
    ["a NUL in the user", `Basic ${base64("a\0da:x")}`],
    ["a line break in the password", `Basic ${base64("ada:x\r\ny")}`],
    ["two pairs", `Basic ${ADA}, Basic ${ADA}`],
    ["another scheme", "Bearer abc.def.ghi"],
    ["a digest", 'Digest username="ada"'],
  ] as const)("%s is 401 with the challenge", async ([, authorization], { sandbox }) => {
    const refused = await ask(sandbox, "GET /special-events", { headers: { authorization } });
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toBe('Basic realm="museum", charset="UTF-8"');
    expect(refused.headers.get("content-type")).toBe("application/problem+json");
    expect(Object.keys(refused.body)).toEqual(["type", "title"]);
    expect(sandbox.journal.last?.user).toBeUndefined();
  });
});

test("credentials are asked for before anything else, on every operation", async ({ sandbox }) => {
  for (const { method, path } of Object.values(museum.operations)) {
    const line = `${method.toUpperCase()} ${path.replace(/\{\w+\}/, "nonsense")}?page=0`;
    const raw = method === "get" || method === "delete" ? {} : { raw: "{" };
    const refused = await ask(sandbox, line, { ...raw, headers: { authorization: "" } });
    expect(refused.status, line).toBe(401);
  }
});

test("a trailing space after the pair does no harm", () => {
  expect(parseBasic(`Basic ${ADA} `)).toEqual({ user: "ada", password: "secret" });
});

test("with settings.museum.credentials only those pairs are good", async () => {
  const credentials = [
    { user: "ada", password: "secret" },
    { user: "jos\u00e9", password: "" },
  ];
  const sandbox = await frozenSandbox({ settings: { museum: { credentials } } });
  const statusOf = async (user: string, password: string) =>
    (await ask(sandbox, "GET /special-events", { headers: sandbox.auth.basic(user, password) })).status;
  expect(await statusOf("ada", "secret")).toBe(200);
  expect(await statusOf("jose\u0301", "")).toBe(200);
  for (const [user, password] of [
    ["ada", "Secret"],
    ["ada", ""],
    ["", ""],
    ["jos\u00e9", "secret"],
    ["bob", "secret"],
  ] as const)
    expect(await statusOf(user, password), `${user}:${password}`).toBe(401);
});
