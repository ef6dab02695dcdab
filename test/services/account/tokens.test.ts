import { createPublicKey, sign as signBytes } from "node:crypto";
import { calculateJwkThumbprint, createLocalJWKSet, jwtVerify } from "jose";
import { describe, expect, vi } from "vitest";
import { toPrivateKey } from "../../../src/runtimes/node/platform.ts";
import { AccountSettings } from "../../../src/services/account/settings.ts";
import { TOKEN_KINDS, type TokenKind } from "../../../src/services/account/test-tokens.ts";
import { buildJwks, verifyToken } from "../../../src/services/account/tokens.ts";
import { deriveMaterial, getKey } from "../../../src/world/keys.ts";
import { ADA, ask, COMPANY, DISABLED } from "../../support/account.ts";
import { frozenSandbox, NOW, type TestSandbox, test } from "../../support/test.ts";

const settings = AccountSettings.parse({});
const at = Date.parse(NOW) / 1000;
const good = {
  iat: at,
  exp: at + 86_400,
  roles: { "api.example.test": ["ROLE_WRITER"] },
  username: ADA.email,
  uid: 101,
};

const callWith = (sandbox: TestSandbox, authorization?: string, headers = {}) =>
  ask(sandbox, "GET /users/me", {
    user: null,
    headers: { ...(authorization === undefined ? {} : { authorization }), ...headers },
  });

const base64url = (text: string | Buffer): string => Buffer.from(text).toString("base64url");

/** A token with the given header and payload, signed with the right key. */
function forge(
  { core: { world } }: TestSandbox,
  payload: unknown,
  header: unknown = { typ: "JWT", alg: "RS256" },
): string {
  const [head, body] = [header, payload].map((part) =>
    typeof part === "string" || part instanceof Buffer ? part : JSON.stringify(part),
  );
  const signed = `${base64url(head ?? "")}.${base64url(body ?? "")}`;
  const signature = signBytes(
    "sha256",
    Buffer.from(signed),
    toPrivateKey(deriveMaterial(world, "account", "RS256")),
  );
  return `${signed}.${signature.toString("base64url")}`;
}

test("auth.token returns the same token at the same time, and signs a new one later", async ({ sandbox }) => {
  const sign = vi.spyOn(getKey(sandbox.core.world, "account", "RS256"), "sign");
  await sandbox.clock.advance("123s"); // to when no other test has asked
  const token = sandbox.auth.token();
  expect(sandbox.auth.token()).toBe(token);
  expect(sandbox.auth.token({ user: COMPANY.email })).not.toBe(token);
  expect(sign).toHaveBeenCalledTimes(2);
  await sandbox.clock.advance("1s");
  expect(sandbox.auth.token()).not.toBe(token);
  expect(sign).toHaveBeenCalledTimes(3);
  sign.mockRestore();
});

const INVALID = '{"code":401,"message":"Invalid JWT Token"}';
const refusals: Record<Exclude<TokenKind, "valid">, [status: number, message: string]> = {
  expired: [401, "Expired JWT Token"],
  "not-yet-valid": [401, "Invalid JWT Token"],
  "bad-signature": [401, "Invalid JWT Token"],
  "alg-none": [401, "Invalid JWT Token"],
  "wrong-key": [401, "Invalid JWT Token"],
  "other-environment": [401, "Invalid JWT Token"],
  "missing-claim": [401, 'Unable to find key "username" in the token payload.'],
  "wrong-roles": [403, "Access Denied."],
  malformed: [401, "Invalid JWT Token"],
  huge: [401, "Invalid JWT Token"],
};

test.for(TOKEN_KINDS)("a token of the kind %s gets its own response", async (kind, { sandbox }) => {
  const reply = await callWith(sandbox, `Bearer ${sandbox.auth.token({ kind })}`);
  if (kind === "valid") return expect(reply.status).toBe(200);
  const [status, message] = refusals[kind];
  expect(reply.status).toBe(status);
  expect(reply.body.message ?? reply.body.detail).toBe(message);
  expect(sandbox.journal.last?.changes).toEqual([]);
});

test.for(["application/ld+json", "application/json", "text/html", "application/xml", "*/*"])(
  "a refused token looks the same to a client that accepts %s",
  async (accept, { sandbox }) => {
    const reply = await callWith(sandbox, `Bearer ${sandbox.auth.token({ kind: "bad-signature" })}`, {
      accept,
    });
    expect(reply).toMatchObject({ status: 401, text: INVALID });
    expect(reply.headers.get("content-type")).toBe("application/json");
    expect(reply.headers.get("www-authenticate")).toBe("Bearer");
  },
);

describe("the header", () => {
  test("the scheme matches in upper and lower case", async ({ sandbox }) => {
    const token = sandbox.auth.token();
    for (const scheme of ["Bearer", "bearer", "BEARER"])
      expect((await callWith(sandbox, `${scheme} ${token}`)).status).toBe(200);
  });

  test("a missing or malformed header returns 401 as if there were no token", async ({ sandbox }) => {
    const token = sandbox.auth.token();
    for (const header of [
      undefined,
      "Bearer",
      token,
      `Basic ${token}`,
      `Bearer  ${token}`,
      `Bearer ${token} x`,
    ]) {
      const reply = await callWith(sandbox, header);
      expect(reply).toMatchObject({ status: 401, text: '{"code":401,"message":"JWT Token not found"}' });
    }
    const inQuery = await ask(sandbox, `GET /users/me?bearer=${token}`, { user: null });
    expect(inQuery.body.message).toBe("JWT Token not found");
  });
});

describe("a token whose payload or header was forged is refused despite a valid signature:", () => {
  test.for([
    ["null", null],
    ["a text", '"ada"'],
    ["an array", []],
    ["a number", 7],
    ["no JSON", "not json"],
    ["no exp", { ...good, exp: undefined }],
    ["exp as a text", { ...good, exp: String(good.exp) }],
    ["exp null", { ...good, exp: null }],
    ["exp beyond all numbers", JSON.stringify(good).replace(/"exp":\d+/, '"exp":1e400')],
    ["exp as a fraction", { ...good, exp: good.exp + 0.5 }],
    ["no UTF-8", Buffer.from(JSON.stringify({ ...good, note: "\u00ff" }), "latin1")],
    ["behind a byte order mark", `\ufeff${JSON.stringify(good)}`],
    ["no iat", { ...good, iat: undefined }],
    ["iat a second ahead", { ...good, iat: at + 1 }],
    ["nbf a second ahead", { ...good, nbf: at + 1 }],
    ["no uid", { ...good, uid: undefined }],
    ["no roles", { ...good, roles: undefined }],
    ["roles as a list", { ...good, roles: ["ROLE_WRITER"] }],
  ] as const)("%s", async ([, payload], { sandbox }) => {
    const reply = await callWith(sandbox, `Bearer ${forge(sandbox, payload)}`);
    expect(reply).toMatchObject({ status: 401, text: INVALID });
  });

  test.for([
    { typ: "JWT", alg: "none" },
    { typ: "JWT", alg: "None" },
    { typ: "JWT", alg: "HS256" },
    { typ: "JWT", alg: "RS512" },
    { typ: "JWT", alg: ["RS256"] },
    { typ: "JWT" },
    { typ: "JWT", alg: "RS256", crit: ["exp"] },
    [],
  ])("the header %o", async (header, { sandbox }) => {
    const reply = await callWith(sandbox, `Bearer ${forge(sandbox, good, header)}`);
    expect(reply).toMatchObject({ status: 401, text: INVALID });
  });

  test("an nbf that is not a number, whatever else is invalid", async ({ sandbox }) => {
    const { username: _left, ...nameless } = good;
    for (const nbf of [null, "soon", `${at}`]) {
      const reply = await callWith(sandbox, `Bearer ${forge(sandbox, { ...nameless, nbf })}`);
      expect(reply).toMatchObject({ status: 401, text: INVALID });
    }
  });

  test("except if the header only names a key, which is ignored", async ({ sandbox }) => {
    const { keys } = buildJwks(sandbox.core.world, "accountSandbox", settings);
    const header = { typ: "JWT", alg: "RS256", kid: "../../key", jwk: keys[0], jku: "http://example.test/" };
    expect((await callWith(sandbox, `Bearer ${forge(sandbox, good, header)}`)).status).toBe(200);
  });

  test("an HS256 token signed with the public key is refused", async ({ sandbox }) => {
    const pem = createPublicKey(toPrivateKey(deriveMaterial(sandbox.core.world, "account", "RS256"))).export({
      type: "spki",
      format: "pem",
    });
    const { default: jwt } = await import("jsonwebtoken");
    const { createSecretKey } = await import("node:crypto");
    const token = jwt.sign(good, createSecretKey(Buffer.from(String(pem))), { algorithm: "HS256" });
    expect(await callWith(sandbox, `Bearer ${token}`)).toMatchObject({ status: 401, text: INVALID });
  });
});

test("a token is refused after a change of any character or of its encoding", ({ sandbox }) => {
  const token = sandbox.auth.token();
  const now = sandbox.clock.now();
  const accepted = (text: string) =>
    !("kind" in verifyToken(text, sandbox.core.world, "account", settings, now));
  expect(accepted(token)).toBe(true);
  for (let index = 0; index < token.length; index += 1) {
    const other = token[index] === "A" ? "B" : "A";
    expect(accepted(token.slice(0, index) + other + token.slice(index + 1)), `at ${index}`).toBe(false);
  }
  for (const text of [
    `${token}=`,
    `${token}==`,
    `${token}\n`,
    ` ${token}`,
    `${token}.`,
    `${token}.x`,
    "",
    "..",
  ])
    expect(accepted(text), JSON.stringify(text)).toBe(false);
});

test("a token expires in the second of its exp claim", async ({ sandbox }) => {
  const headers = { authorization: `Bearer ${sandbox.auth.token()}` };
  const call = async () => (await ask(sandbox, "GET /users/me", { user: null, headers })).status;
  sandbox.clock.freeze("2026-03-02T08:59:59.999Z");
  expect(await call()).toBe(200);
  sandbox.clock.freeze("2026-03-02T09:00:00Z");
  expect(await call()).toBe(401);
  sandbox.clock.freeze("2026-03-01T08:59:59Z");
  expect(await call(), "the clock is before its issue").toBe(401);
});

test("an expired token with a bad signature is reported as expired", async ({ sandbox }) => {
  const expired = forge(sandbox, { ...good, iat: at - 10, exp: at });
  const reply = await callWith(sandbox, `Bearer ${expired.slice(0, -8)}AAAAAAAA`);
  expect(reply.body.message).toBe("Expired JWT Token");
});

test("a token is refused if its user was removed, disabled or has another uid now", async ({ sandbox }) => {
  const refused = '{"code":401,"message":"Invalid credentials."}';
  const ofDisabled = sandbox.auth.token({ user: DISABLED.email });
  expect(await callWith(sandbox, `Bearer ${ofDisabled}`)).toMatchObject({ status: 401, text: refused });
  const asOther = forge(sandbox, { ...good, uid: 102 });
  expect(await callWith(sandbox, `Bearer ${asOther}`)).toMatchObject({ status: 401, text: refused });
  const token = sandbox.auth.token({ user: COMPANY.email });
  sandbox.data.account.identities.remove([COMPANY.email]);
  expect(await callWith(sandbox, `Bearer ${token}`)).toMatchObject({ status: 401, text: refused });
});

describe("the origin of a token", () => {
  test("production and sandbox refuse each other's tokens", async ({ sandbox }) => {
    const production = sandbox.auth.token();
    const there = await ask(sandbox, "GET /users/me", {
      environment: "accountSandbox",
      user: null,
      headers: { authorization: `Bearer ${production}` },
    });
    expect(there).toMatchObject({ status: 401, text: INVALID });
    const own = sandbox.auth.token({ environment: "accountSandbox" });
    expect(await callWith(sandbox, `Bearer ${own}`)).toMatchObject({ status: 401, text: INVALID });
  });

  test("another seed or world refuses the token, and the same seed creates the same token", async ({
    sandbox,
  }) => {
    const token = sandbox.auth.token();
    const twin = await frozenSandbox();
    const stranger = await frozenSandbox({ seed: 8 });
    const fork = sandbox.fork("elsewhere");
    expect(twin.auth.token()).toBe(token);
    expect((await callWith(twin, `Bearer ${token}`)).status).toBe(200);
    expect(await callWith(stranger, `Bearer ${token}`)).toMatchObject({ status: 401, text: INVALID });
    const inFork = await fork.fetch(`${fork.urls["account"]}/users/me`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(inFork.status).toBe(401);
    expect((await fork.account.getUser({ params: { id: "me" } })).status).toBe(200);
  });
});

test.for(["RS256", "ES256"] as const)(
  "another library verifies a %s token by the JWKS document",
  async (algorithm) => {
    const sandbox = await frozenSandbox({ settings: { account: { algorithm } } });
    const { authorization } = await sandbox.auth.login(ADA);
    const token = authorization.slice("Bearer ".length);
    const document = buildJwks(sandbox.core.world, "account", { algorithm });
    // The document is the one of RFC 7517; its type is only wider.
    const keySet = createLocalJWKSet(document as Parameters<typeof createLocalJWKSet>[0]);
    const { payload, protectedHeader } = await jwtVerify(token, keySet, { currentDate: new Date(NOW) });
    expect(protectedHeader).toEqual({ typ: "JWT", alg: algorithm });
    const [key = {}] = document.keys;
    expect(key["kid"]).toBe(await calculateJwkThumbprint(key));
    expect(payload).toEqual(good);
    const other = buildJwks(sandbox.core.world, "accountSandbox", { algorithm });
    const otherSet = createLocalJWKSet(other as Parameters<typeof createLocalJWKSet>[0]);
    await expect(jwtVerify(token, otherSet, { currentDate: new Date(NOW) })).rejects.toThrow("signature");
    expect(JSON.stringify(document)).not.toContain('"d"');
  },
);

test.for(["RS256", "HS256", "ES256"] as const)(
  "the algorithm %s creates and accepts its own tokens, and refuses those of other algorithms",
  async (algorithm) => {
    const sandbox = await frozenSandbox({ settings: { account: { algorithm, tokenLifetime: "90s" } } });
    const token = sandbox.auth.token();
    expect((await callWith(sandbox, `Bearer ${token}`)).status).toBe(200);
    for (const kind of TOKEN_KINDS.filter((one) => one !== "valid")) {
      const reply = await callWith(sandbox, `Bearer ${sandbox.auth.token({ kind })}`);
      expect(reply.status, kind).toBe(refusals[kind][0]);
    }
    const others = (["RS256", "HS256", "ES256"] as const).filter((one) => one !== algorithm);
    for (const other of others) {
      const elsewhere = await frozenSandbox({ settings: { account: { algorithm: other } } });
      expect((await callWith(elsewhere, `Bearer ${token}`)).status, other).toBe(401);
    }
    await sandbox.clock.advance("90s");
    expect((await callWith(sandbox, `Bearer ${token}`)).body.message).toBe("Expired JWT Token");
  },
);

test("the typed client knows that a caller may be refused with 403", async ({ sandbox }) => {
  const headers = { authorization: `Bearer ${sandbox.auth.token({ kind: "wrong-roles" })}` };
  const reply = await sandbox.account.getUser({ params: { id: "me" }, headers });
  if (reply.ok) throw new Error("not refused");
  const status: 401 | 403 | 404 | 406 = reply.status;
  expect(status).toBe(403);
  const login = await sandbox.account.login({ body: { email: ADA.email, password: "wrong" } });
  // @ts-expect-error a login asks for no token, so it has no 403
  expect(login.status === 403).toBe(false);
});

test.for([
  ["account", "account"],
  ["production", "account"],
  ["accountSandbox", "accountSandbox"],
  ["sandbox", "accountSandbox"],
] as const)("an environment may be called %s", async ([environment, key], { sandbox }) => {
  expect(sandbox.auth.token({ environment })).toBe(sandbox.auth.token({ environment: key }));
  expect(sandbox.auth.keys(environment)).toEqual(sandbox.auth.keys(key));
  await sandbox.auth.login({ environment });
  expect(sandbox.journal.last).toMatchObject({ operation: "account.login", environment: key, status: 200 });
});

test("an unknown user, kind or environment throws an error with the nearest name", ({ sandbox }) => {
  expect(() => sandbox.auth.token({ user: "adda@example.test" })).toThrow(/Did you mean "ada@example.test"/);
  // @ts-expect-error no such kind
  expect(() => sandbox.auth.token({ kind: "expird" })).toThrow(/Did you mean "expired"/);
  // @ts-expect-error no such environment
  expect(() => sandbox.auth.token({ environment: "acount" })).toThrow(/Did you mean "account"/);
});
