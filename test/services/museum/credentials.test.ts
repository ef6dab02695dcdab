// Who may call the museum: HTTP Basic. By default any well-formed pair is good.

import { describe, expect } from "vitest";
import { museum } from "../../../src/services/museum/index.ts";
import { parseBasic } from "../../../src/services/museum/security.ts";
import { exchangeRaw } from "../../runtimes/raw-client.ts";
import { ask } from "../../support/museum.ts";
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
    ["no credentials", "", /HTTP Basic credentials, and the request has none/],
    ["the scheme alone", "Basic", /Nothing follows the scheme Basic/],
    ["no scheme", ADA, /does not begin with the scheme Basic and a space/],
    ["a tab for a space", `Basic\t${ADA}`, /does not begin with the scheme Basic and a space/],
    ["no colon", `Basic ${base64("ada")}`, /decoded credentials have no colon/],
    ["the pair itself", "Basic guide:secret", /not base64: they are not encoded/],
    ["the pair itself, with a comma", "Basic guide:a,b", /not base64: they are not encoded/],
    ["a name for a pair", "Basic MuseumPlaceholderAuth", /not base64: they are a placeholder/],
    ["another placeholder", "Basic <credentials>", /not base64: they are a placeholder/],
    ["a third one", "Basic Dummy", /not base64: they are a placeholder/],
    ["a word that base64 can decode", "Basic placeholder", /have no colon, and are not UTF-8: perhaps/],
    ["no base64", "Basic %%%", /not base64/],
    ["base64 cut short", "Basic QQQQQ", /not base64: .* incomplete/],
    [
      "the alphabet of base64url",
      `Basic ${base64("ada:?>?>").replaceAll("/", "_").replaceAll("+", "-")}`,
      /not base64/,
    ],
    [
      "bytes of ISO-8859-1 without a colon",
      `Basic ${base64([0xe9, 0x78, 0x78])}`,
      /no colon, and are not UTF-8/,
    ],
    ["a line break at its end", `Basic ${base64("ada:secret\n")}`, /end with a line break, as echo adds one/],
    ["a NUL in the user", `Basic ${base64("a\0da:x")}`, /have a control character/],
    ["a line break in the password", `Basic ${base64("ada:x\r\ny")}`, /have a control character/],
    ["two pairs", `Basic ${ADA}, Basic ${ADA}`, /more than one value/],
    ["another scheme", "Bearer abc.def.ghi", /HTTP Basic credentials, not with Bearer/],
    ["a digest", 'Digest realm="museum"', /HTTP Basic credentials, not with Digest/],
    ["a secret for a scheme", "correct horse battery", /does not begin with the scheme Basic/],
  ] as const)("%s gets 401, the challenge and the reason", async ([, authorization, title], { sandbox }) => {
    const refused = await ask(sandbox, "GET /special-events", { headers: { authorization } });
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toBe('Basic realm="museum", charset="UTF-8"');
    expect(refused.headers.get("content-type")).toBe("application/problem+json");
    expect(Object.keys(refused.body)).toEqual(["type", "title"]);
    expect(refused.body.title).toMatch(title);
    expect(refused.text).not.toMatch(/guide|secret|horse|abc|YWRh/); // what was sent stays between the two
    expect(sandbox.journal.last).toMatchObject({
      problem: "credentialsRequired",
      responseBody: refused.text,
    });
    expect(sandbox.journal.last?.user).toBeUndefined();
  });
});

test("credentials are asked for before anything else, on every operation", async ({ sandbox }) => {
  for (const { method, path } of Object.values(museum.operations)) {
    const line = `${method.toUpperCase()} ${path.replace(/\{\w+\}/, "nonsense")}?page=0`;
    const raw = method === "get" || method === "delete" ? {} : { body: "{" };
    const refused = await ask(sandbox, line, { ...raw, headers: { authorization: "" } });
    expect(refused.status, line).toBe(401);
  }
});

test("a trailing space after the pair does no harm", () => {
  expect(parseBasic(`Basic ${ADA} `)).toMatchObject({ user: "ada", password: "secret" });
});

test.for([
  ["p\u00e4sswort", "pa\u0308sswort"],
  ["pa\u0308sswort", "p\u00e4sswort"],
] as const)("the password %j matches in its other Unicode composition", async ([kept, sent]) => {
  const credentials = [{ user: "ada", password: kept }];
  const sandbox = await frozenSandbox({ settings: { museum: { credentials } } });
  const call = (password: string) =>
    ask(sandbox, "GET /special-events", { headers: sandbox.auth.basic("ada", password) });
  expect((await call(sent)).status).toBe(200);
  expect((await call(sent.normalize("NFD").replace("\u0308", ""))).status).toBe(401);
  await sandbox.close();
});

describe("the museum decodes credentials beyond ASCII", () => {
  const pairs = [
    { user: "j\u00fcrgen", password: "p\u00e4ssw\u00f6rd" },
    { user: "s", password: "\u00e9" },
  ];
  test.for([
    ["utf8", undefined],
    ["latin1", undefined],
    ["utf8", pairs],
    ["latin1", pairs],
  ] as const)("sent as %s, with settings.museum.credentials %j", async ([encoding, credentials]) => {
    const sandbox = await frozenSandbox({ settings: { museum: { credentials } } });
    const { port, close } = await sandbox.listen({ port: 0 });
    const send = ({ user, password }: { user: string; password: string }) => {
      const pair = Buffer.from(`${user}:${password}`, encoding).toString("base64");
      const head = [
        "GET /museum/v1.1/special-events HTTP/1.1",
        "Host: localhost",
        `Authorization: Basic ${pair}`,
      ];
      return exchangeRaw(port, [`${head.join("\r\n")}\r\n\r\n`]);
    };
    for (const pair of pairs) {
      expect(await send(pair), pair.user).toMatchObject({ status: 200 });
      expect(sandbox.journal.last?.user).toBe(pair.user);
      const keys = sandbox.journal.last?.findings.map(({ key }) => key);
      expect(keys).toEqual(encoding === "latin1" ? ["credentialsLatin1"] : []);
    }
    const other = await send({ user: "j\u00fcrgen", password: "p\u00e4ssword" });
    expect(other.status).toBe(credentials === undefined ? 200 : 401);
    await close();
    await sandbox.close();
  });
});

test("settings.museum.credentials accepts only the listed pairs", async () => {
  const credentials = [
    { user: "ada", password: "secret" },
    { user: "jos\u00e9", password: "" },
  ];
  const sandbox = await frozenSandbox({ settings: { museum: { credentials } } });
  const call = (user: string, password: string) =>
    ask(sandbox, "GET /special-events", { headers: sandbox.auth.basic(user, password) });
  expect((await call("ada", "secret")).status).toBe(200);
  expect((await call("jose\u0301", "")).status).toBe(200);
  for (const [user, password] of [
    ["ada", "Secret"],
    ["ada", ""],
    ["", ""],
    ["jos\u00e9", "secret"],
    ["bob", "secret"],
  ] as const)
    expect(await call(user, password), `${user}:${password}`).toMatchObject({
      status: 401,
      body: {
        title: expect.stringMatching(/^The user name or the password is wrong: .*museum\.credentials/),
      },
    });
});
