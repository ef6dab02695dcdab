import { describe, expect, onTestFinished, vi } from "vitest";
import { ADA, ask, COMPANY, DISABLED, SANDBOX_ADA } from "../../support/account.ts";
import { frozenSandbox, NOW, type TestSandbox, test, testOfMistakes } from "../../support/test.ts";

const logIn = (sandbox: TestSandbox, body: string, headers = {}) =>
  ask(sandbox, "POST /login", { body, headers, user: null });
const asAda = JSON.stringify(ADA);

test("a login returns only a token, and the token authorizes requests", async ({ sandbox }) => {
  const reply = await logIn(sandbox, asAda);
  expect(reply.status).toBe(200);
  expect(reply.headers.get("content-type")).toBe("application/json");
  expect(Object.keys(reply.body)).toEqual(["token"]);
  const me = await ask(sandbox, "GET /users/me", {
    user: null,
    headers: { authorization: `Bearer ${reply.body.token}` },
  });
  expect(me).toMatchObject({ status: 200, body: { email: ADA.email } });
  expect(sandbox.journal.last).toMatchObject({ operation: "account.getUser", user: ADA.email });
});

test("a token says who it is for, and lives 24 hours of the sandbox's clock", async ({ sandbox }) => {
  const { body } = await logIn(sandbox, asAda);
  const [header, payload] = body.token
    .split(".")
    .map((part: string) => Buffer.from(part, "base64url").toString());
  expect(header).toBe('{"typ":"JWT","alg":"RS256"}');
  const iat = Date.parse(NOW) / 1000;
  expect(payload).toBe(
    `{"iat":${iat},"exp":${iat + 86_400},"roles":{"api.example.test":["ROLE_WRITER"]},"username":"ada@example.test","uid":101}`,
  );
});

test("the journal contains neither the password nor the token", async ({ sandbox }) => {
  const { body } = await logIn(sandbox, asAda);
  await ask(sandbox, "PUT /users/me/change-password", { body: { password: "Neu&gut 2027" } });
  const journal = JSON.stringify(sandbox.journal.list());
  for (const secret of [ADA.password, "Neu&gut 2027", body.token, body.token.split(".")[2]])
    expect(journal).not.toContain(secret);
  expect(sandbox.journal.last?.changes).toMatchObject([{ collection: "account/identities" }]);
});

test("the e-mail address is compared without regard to case", async ({ sandbox }) => {
  expect((await logIn(sandbox, JSON.stringify({ ...ADA, email: "ADA@Example.Test" }))).status).toBe(200);
});

test("e-mail address and password match in any Unicode composition", async ({ sandbox }) => {
  const [first] = sandbox.data.account.identities.all();
  const [name, password] = ["josé@example.test", "Pässwort!27"];
  sandbox.data.account.identities.upsert([
    { ...first, name, password, uid: 999 } as NonNullable<typeof first>,
  ]);
  const apart = JSON.stringify({ email: name, password }).normalize("NFD");
  const reply = await logIn(sandbox, apart);
  expect(reply.status).toBe(200);
  expect(sandbox.journal.last).toMatchObject({ operation: "account.login", user: name });
  expect((await logIn(sandbox, JSON.stringify({ email: name, password }))).status).toBe(429);
});

test("a wrong password, an unknown and a disabled user cannot be told apart", async ({ sandbox }) => {
  const tries = [
    { ...ADA, password: "wrong" },
    { ...ADA, password: "" },
    { email: "nobody@example.test", password: ADA.password },
    { email: "", password: "" },
    { email: `${"a".repeat(4_096)}@example.test`, password: "x" },
    DISABLED,
  ];
  for (const credentials of tries) {
    const reply = await logIn(sandbox, JSON.stringify(credentials));
    expect(reply).toMatchObject({ status: 401, text: '{"code":401,"message":"Invalid credentials."}' });
    expect(reply.headers.get("www-authenticate")).toBe("Bearer");
  }
  expect(sandbox.journal.count({ problem: "badCredentials" })).toBe(tries.length);
});

test.for([
  "",
  "{",
  "[]",
  '"ada"',
  "null",
  "{}",
  '{"email":"ada@example.test"}',
  '{"email":["ada@example.test"],"password":"x"}',
  '{"email":"ada@example.test","password":null}',
])("a login body that is not the two texts is a bad request: %s", async (raw, { sandbox }) => {
  const reply = await logIn(sandbox, raw);
  expect(reply.status).toBe(400);
  expect(reply.headers.get("content-type")).toBe("application/json");
  expect(reply.body).toEqual({
    type: "https://tools.ietf.org/html/rfc2616#section-10",
    title: "An error occurred",
    status: 400,
    detail: "Bad Request",
  });
});

test.for([
  ["application/json; charset=utf-8", 200],
  ["application/ld+json", 200],
  ["application/x-json", 200],
  ["text/plain", 404],
  ["text/json", 404],
  ["text/html", 404],
  ["", 404],
  ["application/x-www-form-urlencoded", 404],
] as const)("a login with the content type %s returns %i", async ([type, status], { sandbox }) => {
  expect((await logIn(sandbox, asAda, { "content-type": type })).status).toBe(status);
});

testOfMistakes("a login accepts only POST and ignores an invalid token", async ({ sandbox }) => {
  const reply = await ask(sandbox, "GET /login", { user: null });
  expect(reply.status).toBe(405);
  expect(reply.headers.get("allow")).toBe("POST");
  expect((await logIn(sandbox, asAda, { authorization: "Bearer nonsense" })).status).toBe(200);
});

describe("one token in 24 hours", () => {
  test("a second login returns 429 until exactly the time that its response names", async ({ sandbox }) => {
    await logIn(sandbox, asAda);
    sandbox.clock.freeze("2026-03-01T09:00:00.250Z");
    const refused = await logIn(sandbox, asAda);
    expect(refused).toMatchObject({ status: 429, body: { code: 429 } });
    expect(refused.body.message).toMatch(/available at 2026-03-02T09:00:00.000Z.*onRepeat/);
    expect(refused.body.message).toMatch(
      /"allow" returns a new token.*"same-token".*its original expiry.*exp/,
    );
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBe(86_400);
    await sandbox.clock.advance(`${wait - 1}s`);
    expect((await logIn(sandbox, asAda)).status).toBe(429);
    await sandbox.clock.advance("1s");
    expect((await logIn(sandbox, asAda)).status).toBe(200);
    expect(sandbox.journal.count({ problem: "loginThrottled" })).toBe(2);
  });

  test("the window is 24 hours to the millisecond, also where summer time begins", async () => {
    vi.stubEnv("TZ", "Europe/Rome");
    onTestFinished(() => void vi.unstubAllEnvs());
    const sandbox = await frozenSandbox({ clock: "2026-03-28T20:00:00+01:00" });
    await logIn(sandbox, asAda);
    sandbox.clock.freeze("2026-03-29T20:59:59.999+02:00");
    expect((await logIn(sandbox, asAda)).status).toBe(429);
    sandbox.clock.freeze("2026-03-29T21:00:00+02:00");
    expect((await logIn(sandbox, asAda)).status).toBe(200);
  });

  test("a user can log in again in the second in which the token expires", async ({ sandbox }) => {
    sandbox.clock.freeze("2026-03-01T09:00:00.900Z");
    const { token } = (await logIn(sandbox, asAda)).body;
    const show = () =>
      ask(sandbox, "GET /users/me", { user: null, headers: { authorization: `Bearer ${token}` } });
    sandbox.clock.freeze("2026-03-02T08:59:59.999Z");
    expect((await show()).status).toBe(200);
    const early = await logIn(sandbox, asAda);
    expect([early.status, early.headers.get("retry-after")]).toEqual([429, "1"]);
    sandbox.clock.freeze("2026-03-02T09:00:00.100Z");
    expect(await show()).toMatchObject({ status: 401, body: { message: "Expired JWT Token" } });
    expect((await logIn(sandbox, asAda)).status).toBe(200);
  });

  test.for(["2s", "1500ms", "999ms"] as const)(
    "a client that logs in after a 401 and retries once always succeeds on a ticking clock: %s",
    async (every) => {
      const wall = { time: Date.parse(NOW) + 345, now: () => wall.time, pause: async () => {} };
      const sandbox = await frozenSandbox({
        wall,
        settings: { account: { tokenLifetime: every, login: { every } } },
      });
      sandbox.clock.resume();
      let authorization = "";
      const show = () => ask(sandbox, "GET /users/me", { user: null, headers: { authorization } });
      for (let polls = 0; polls < 1_000; polls += 1) {
        wall.time += 17;
        if ((await show()).status === 200) continue;
        authorization = `Bearer ${(await logIn(sandbox, asAda)).body.token}`;
        expect((await show()).status).toBe(200);
      }
      expect(sandbox.journal.count({ operation: "account.login", status: 200 })).toBeGreaterThan(7);
      expect(sandbox.journal.count({ operation: "account.login", status: 429 })).toBe(0);
    },
  );

  test("exactly one of 50 concurrent logins gets a token, on each of twenty days", async ({ sandbox }) => {
    const login = { method: "POST", headers: { "content-type": "application/json" }, body: asAda };
    const url = `${sandbox.urls.account}/login`;
    const status = async () => (await sandbox.answer(new Request(url, login))).status;
    for (let round = 1; round <= 20; round += 1) {
      const statuses = await Promise.all(Array.from({ length: 50 }, status));
      expect(statuses.toSorted()).toEqual([200, ...Array(49).fill(429)]);
      await sandbox.clock.advance("24h");
    }
  });

  test("each user and each environment has a window of its own", async ({ sandbox }) => {
    await logIn(sandbox, asAda);
    expect((await logIn(sandbox, JSON.stringify(COMPANY))).status).toBe(200);
    const there = await ask(sandbox, "POST /login", {
      body: SANDBOX_ADA,
      environment: "accountSandbox",
      user: null,
    });
    expect(there.status).toBe(200);
    expect((await ask(sandbox, "POST /login", { body: SANDBOX_ADA, user: null })).status).toBe(401);
  });

  test("a wrong password or a refused login neither starts nor extends the window", async ({ sandbox }) => {
    await logIn(sandbox, JSON.stringify({ ...ADA, password: "wrong" }));
    expect((await logIn(sandbox, asAda)).status).toBe(200);
    await sandbox.clock.advance("23h");
    expect((await logIn(sandbox, asAda)).status).toBe(429);
    expect((await logIn(sandbox, JSON.stringify({ ...ADA, password: "wrong" }))).status).toBe(401);
    await sandbox.clock.advance("1h");
    expect((await logIn(sandbox, asAda)).status).toBe(200);
  });

  test("a login in the future is ignored while the clock is set back, and counts again afterwards", async ({
    sandbox,
  }) => {
    await logIn(sandbox, asAda);
    sandbox.clock.freeze("2026-02-20T09:00:00Z");
    expect((await logIn(sandbox, asAda)).status).toBe(200);
    expect((await logIn(sandbox, asAda)).status).toBe(429);
    sandbox.clock.freeze("2026-03-02T08:59:59Z");
    expect((await logIn(sandbox, asAda)).status).toBe(429);
  });

  test("a reset ends the window", async ({ sandbox }) => {
    await logIn(sandbox, asAda);
    sandbox.reset();
    expect((await logIn(sandbox, asAda)).status).toBe(200);
  });

  test("sandbox.auth.login obeys the limit and rejects with the 429", async ({ sandbox }) => {
    const headers = await sandbox.auth.login(ADA);
    expect(headers.authorization).toMatch(/^Bearer ey/);
    await expect(sandbox.auth.login(ADA)).rejects.toThrow(/"ada@example.test" failed with 429/);
  });
});

describe("the rule relaxed by settings", () => {
  const relaxed = (login: object, rest: object = {}) =>
    frozenSandbox({ settings: { account: { login, ...rest } } });

  test("same-token returns the previous token while it is valid", async () => {
    const sandbox = await relaxed({ onRepeat: "same-token" }, { tokenLifetime: "1h", algorithm: "ES256" });
    const first = await logIn(sandbox, asAda);
    await sandbox.clock.advance("59m");
    expect((await logIn(sandbox, asAda)).body).toEqual(first.body);
    await sandbox.clock.advance("1m");
    const next = await logIn(sandbox, asAda);
    expect(next.status).toBe(200);
    expect(next.body).not.toEqual(first.body);
  });

  test("same-token gives an expired token to a client that counts the 24 hours from the response", async () => {
    const sandbox = await relaxed({ onRepeat: "same-token" });
    await logIn(sandbox, asAda);
    await sandbox.clock.advance("20h");
    const { token } = (await logIn(sandbox, asAda)).body;
    await sandbox.clock.advance("4h");
    const headers = { authorization: `Bearer ${token}` };
    expect(await ask(sandbox, "GET /users/me", { user: null, headers })).toMatchObject({
      status: 401,
      body: { message: "Expired JWT Token" },
    });
    expect((await logIn(sandbox, asAda)).body.token).not.toBe(token);
  });

  test("allow hands out new tokens and warns, in a header and in the journal", async () => {
    const sandbox = await relaxed({ onRepeat: "allow" });
    expect((await logIn(sandbox, asAda)).headers.has("x-vitrine-warning")).toBe(false);
    const again = await logIn(sandbox, asAda);
    expect(again.status).toBe(200);
    expect(again.headers.get("x-vitrine-warning")).toMatch(
      /reject this login until 2026-03-02T09:00:00.000Z/,
    );
    expect(sandbox.journal.last?.findings).toMatchObject([{ key: "loginRepeated" }]);
  });

  test("settings change the window, the status and the message of a refused login", async () => {
    const sandbox = await relaxed({ every: "10m", status: 403, message: "Not yet." });
    await logIn(sandbox, asAda);
    expect(await logIn(sandbox, asAda)).toMatchObject({
      status: 403,
      text: '{"code":403,"message":"Not yet."}',
    });
    await sandbox.clock.advance("10m");
    expect((await logIn(sandbox, asAda)).status).toBe(200);
  });

  test("a failed login starts the window if countFailures is set", async () => {
    const sandbox = await relaxed({ countFailures: true });
    expect((await logIn(sandbox, JSON.stringify({ ...ADA, password: "wrong" }))).status).toBe(401);
    const refused = await logIn(sandbox, asAda);
    expect(refused.status).toBe(429);
    expect(refused.body.message).toContain("An attempt failed at");
    expect((await logIn(sandbox, JSON.stringify(COMPANY))).status).toBe(200);
  });
});
