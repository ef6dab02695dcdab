import { createRemoteJWKSet, customFetch, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import { ACCESS, HOSTS, OWN, ROUTES, type Sandbox, send } from "./guard-matrix.ts";

const APIS = ["/museum/v1.1/special-events", "/account/consumptions", "/account-sandbox/users/me"];

describe("the control API", () => {
  let sandbox: Sandbox;
  let digest: string;
  beforeAll(async () => {
    sandbox = await createSandbox({
      clock: "2026-03-01T09:00:00Z",
      ...ACCESS,
    });
    digest = sandbox.state().digest;
  });
  afterAll(() => sandbox.close());

  test.for([
    ["http://evil.example", {}, 403],
    ["http://vitrine", {}, 403],
    [OWN, { origin: "null" }, 403],
    [OWN, { origin: "http://localhost:5173" }, 403],
    [OWN, { "sec-fetch-site": "same-site" }, 403],
    [OWN, { "content-type": "text/plain" }, 415],
  ] as const)("refuses a reset that comes to %s with %o", async ([address, bad, status]) => {
    for (const path of ["/_vitrine/reset", "/%5Fvitrine/reset", "/_v%69trine/%72eset"]) {
      const response = await send(sandbox, "POST", address + path, {
        "content-type": "application/json",
        ...bad,
      });
      expect([path, response.status]).toEqual([path, status]);
      expect(sandbox.state().digest).toBe(digest);
    }
  });

  test("serves only allowed hosts, and GET and HEAD change nothing", async () => {
    for (const [host, good] of HOSTS) {
      const { status } = await send(sandbox, "GET", `http://${host}/_vitrine/clock`, {});
      expect([host, status]).toEqual([host, good ? 200 : 403]);
    }
    for (const { path } of ROUTES.filter(({ path }) => !path.endsWith("/events"))) {
      for (const method of ["GET", "HEAD"])
        expect((await sandbox.fetch(path, { method })).status).toBeLessThan(500);
    }
    expect(sandbox.state().digest).toBe(digest);
  });

  test("sends security headers and no CORS headers with every response", async () => {
    const answers = [
      await sandbox.fetch("/_vitrine/ready", { headers: { origin: OWN } }),
      await sandbox.fetch("/_vitrine/nothing"),
      await send(sandbox, "GET", "http://evil.example/_vitrine/clock", {}),
      await sandbox.fetch("/~nobody/_vitrine/ready"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 403, 404]);
    for (const { headers } of answers) {
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });

  test("accepts JSON, at least an empty object, and a DELETE without a body", async () => {
    await sandbox.museum.listSpecialEvents();
    const plain = await sandbox.fetch("/_vitrine/journal", { method: "DELETE" });
    expect([plain.status, sandbox.journal.count()]).toEqual([204, 0]);
    const headers = { "content-type": "application/json" };
    for (const method of ["POST", "PUT", "PATCH"]) {
      const refused = await sandbox.fetch("/_vitrine/reset", { method });
      expect([refused.status, await refused.json()]).toMatchObject([
        415,
        { detail: `${method} requires a JSON object, at least {}, and Content-Type: application/json.` },
      ]);
    }
    const reset = await sandbox.fetch("/_vitrine/reset", { method: "POST", headers, body: "{}" });
    expect(reset.status).toBe(204);
  });

  test.each(["0.0.0.0", "::", "", "192.0.2.1", "127.0.0.1.evil.example"])(
    "is not opened to other machines without a token: %j",
    async (host) => {
      await using open = await createSandbox();
      await expect(open.listen({ host, ownPorts: true })).rejects.toThrow(
        /reached from other machines.*controlToken/,
      );
      const { url } = await open.listen({ host: "127.0.0.1" });
      expect((await fetch(`${url}/_vitrine/ready`)).status).toBe(200);
    },
  );

  test("is opened to other machines with a token, which is not empty", async () => {
    await using locked = await createSandbox({ controlToken: "open sesame" });
    const { port } = await locked.listen({ host: "0.0.0.0" });
    expect((await fetch(`http://127.0.0.1:${port}/_vitrine/state`)).status).toBe(401);
    // No machine is called so: whoever asks for it was led there.
    expect((await fetch(`http://0.0.0.0:${port}/_vitrine/state`)).status).toBe(403);
    expect((await fetch(`http://0.0.0.0:${port}/museum/v1.1/museum-hours`)).status).toBe(401);
    await expect(createSandbox({ controlToken: " " })).rejects.toThrow("controlToken is empty");
  });

  test("requires its token if one is set, and a wrong token gets no hint", async () => {
    await using locked = await createSandbox({ controlToken: "open sesame" });
    const ask = async (authorization?: string) =>
      locked.fetch("/_vitrine/state", authorization === undefined ? {} : { headers: { authorization } });
    expect((await ask()).status).toBe(401);
    expect((await ask("Bearer open sesam")).status).toBe(401);
    expect((await ask("bearer open sesame")).status).toBe(200);
    expect(await (await ask("Bearer wrong")).text()).toBe(await (await ask()).text());
    expect((await locked.fetch(APIS[0] ?? "", { headers: locked.auth.basic() })).status).toBe(200);
  });
});

describe("an allowed host", () => {
  test.each(["sandbox.example.test", "vitrine"])("that others may reach needs a token: %s", async (host) => {
    const allowedHosts = [host];
    await expect(createSandbox({ allowedHosts })).rejects.toThrow(
      /can be reached from other machines. Set a control token first: .*--control-token-file\./,
    );
    await using locked = await createSandbox({ allowedHosts, controlToken: "open sesame" });
    const clock = (headers: Record<string, string>) =>
      send(locked, "GET", `http://${host}/_vitrine/clock`, headers);
    expect((await clock({})).status).toBe(401);
    expect((await clock({ authorization: "Bearer open sesame" })).status).toBe(200);
  });

  test("of this machine needs no token", async () => {
    await using sandbox = await createSandbox({ allowedHosts: ["app.localhost"] });
    expect((await send(sandbox, "GET", "http://app.localhost/_vitrine/clock", {})).status).toBe(200);
  });
});

test("any client can read that the sandbox is ready, under any host name and without the token", async () => {
  await using sandbox = await createSandbox({ controlToken: "open sesame" });
  for (const [host] of HOSTS) {
    const reply = await send(sandbox, "GET", `http://${host}/_vitrine/ready`, {});
    expect([reply.status, await reply.json()]).toEqual([200, { ready: true }]);
  }
  const page = await send(sandbox, "GET", `${OWN}/_vitrine/ready`, { origin: "http://evil.example" });
  expect([...page.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  expect((await send(sandbox, "POST", `${OWN}/_vitrine/ready`, {})).status).toBe(405);
});

describe("a page of another origin", () => {
  const origin = "https://app.example.test";
  const headers = { origin, "sec-fetch-site": "cross-site", "content-type": "application/json" };
  const asked = {
    origin,
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization",
  };

  test("may use the control API if its origin is allowed and it sends the token", async () => {
    await using sandbox = await createSandbox({ allowedOrigins: [origin], controlToken: "open sesame" });
    const preflight = await sandbox.fetch("/_vitrine/reset", { method: "OPTIONS", headers: asked });
    expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([
      204,
      "authorization",
    ]);
    const reset = async (more: Record<string, string>) =>
      send(sandbox, "POST", `${OWN}/_vitrine/reset`, { ...headers, ...more });
    const done = await reset({ authorization: "Bearer open sesame" });
    expect([done.status, done.headers.get("access-control-allow-origin")]).toEqual([204, origin]);
    expect((await reset({})).status).toBe(401);
    const other = { authorization: "Bearer open sesame", origin: "http://evil.example" };
    expect((await reset(other)).status).toBe(403);
  });

  const listed = ["null", "capacitor://localhost", "https://*.preview.example.test"];
  test.each([
    ["null", true],
    ["capacitor://localhost", true],
    ["https://pr-1.preview.example.test", true],
    ["https://a.pr-1.preview.example.test", false],
    ["https://preview.example.test", false],
    ["http://pr-1.preview.example.test", false],
    ["https://pr-1.preview.example.test.evil", false],
    ["https://pr-1.preview.example.test:8443", false],
    ["ionic://localhost", false],
  ])("%s is allowed by the options for apps and previews: %s", async (from, allowed) => {
    for (const controlToken of [undefined, "open sesame"]) {
      await using sandbox = await createSandbox({ allowedOrigins: listed, controlToken });
      const shown = allowed ? from : null;
      const read = await sandbox.fetch(APIS[0] ?? "", { headers: { origin: from } });
      expect(read.headers.get("access-control-allow-origin")).toBe(shown);
      const more = { origin: from, authorization: "Bearer open sesame" };
      const reset = await send(sandbox, "POST", `${OWN}/_vitrine/reset`, { ...headers, ...more });
      const controls = allowed && controlToken !== undefined;
      expect([reset.status, reset.headers.get("access-control-allow-origin")]).toEqual(
        controls ? [204, shown] : [403, null],
      );
    }
  });

  test("may not use the control API of a sandbox without a token, even if its origin is allowed", async () => {
    await using sandbox = await createSandbox({ allowedOrigins: [origin] });
    const preflight = await sandbox.fetch("/_vitrine/reset", { method: "OPTIONS", headers: asked });
    expect(preflight.status).toBe(403);
    const { digest } = sandbox.state();
    const done = await send(sandbox, "POST", `${OWN}/_vitrine/reset`, headers);
    expect([done.status, done.headers.get("access-control-allow-origin")]).toEqual([403, null]);
    expect(sandbox.state().digest).toBe(digest);
  });
});

describe("the two services", () => {
  test.each(APIS)("are served under names without a dot, but not under foreign ones: %s", async (path) => {
    await using sandbox = await createSandbox();
    expect((await send(sandbox, "GET", `http://vitrine:4010${path}`, {})).status).not.toBe(403);
    sandbox.journal.clear();
    const refused = await send(sandbox, "GET", `http://evil.example${path}`, {});
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain("--allowed-host evil.example");
    expect(sandbox.journal.count()).toBe(0);
  });

  test.each(APIS)("answer a preflight of a loopback page without credentials: %s", async (path) => {
    await using sandbox = await createSandbox();
    const response = await sandbox.fetch(path, {
      method: "OPTIONS",
      headers: {
        origin: "http://localhost:5173",
        "access-control-request-method": "PATCH",
        "access-control-request-headers": "authorization,x-trace",
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe("http://localhost:5173");
    expect(response.headers.get("access-control-allow-methods")).toContain("PATCH");
    expect(response.headers.get("access-control-allow-headers")).toBe("authorization,x-trace");
    expect(response.headers.get("vary")).toBe("Access-Control-Request-Headers, Origin");
    expect(response.headers.has("access-control-allow-private-network")).toBe(false);
  });

  test("show their headers to pages of loopback and listed origins, and to no others", async () => {
    await using sandbox = await createSandbox({ allowedOrigins: ["https://app.example.test"] });
    const allowed = async (origin: string) => {
      const response = await sandbox.fetch(APIS[0] ?? "", { headers: { origin } });
      expect(response.status).toBe(401);
      expect(response.headers.get("vary")).toContain("Origin");
      return response.headers.get("access-control-allow-origin");
    };
    for (const origin of [
      "http://localhost:3000",
      "http://127.0.0.1:8080",
      "http://[::1]",
      "https://app.example.test",
    ])
      expect(await allowed(origin)).toBe(origin);
    for (const origin of [
      "null",
      "https://evil.example",
      "http://localhost.evil.example",
      "https://app.example.test.evil",
    ])
      expect(await allowed(origin)).toBe(null);
    const response = await sandbox.fetch(APIS[0] ?? "", { headers: { origin: "http://localhost:3000" } });
    const exposed = response.headers.get("access-control-expose-headers") ?? "";
    for (const name of [
      "Authorization",
      "Link",
      "Location",
      "Content-Location",
      "Retry-After",
      "WWW-Authenticate",
    ])
      expect(exposed.split(", ")).toContain(name);
  });
});

describe("the JWKS document", () => {
  const PAGE = "http://localhost:5173";
  const path = "/_vitrine/jwks/account";
  const listed = { allowedOrigins: ["https://app.example.test"] };

  test.each([PAGE, "https://app.example.test"])(
    "is readable by pages of every allowed origin: %s",
    async (origin) => {
      await using sandbox = await createSandbox(listed);
      sandbox.fork("w1");
      for (const world of ["", "/~w1"]) {
        const headers = { origin, "sec-fetch-site": "cross-site" };
        const response = await sandbox.fetch(world + path, { headers });
        expect(response.status).toBe(200);
        expect(response.headers.get("access-control-allow-origin")).toBe(origin);
        expect(response.headers.get("vary")).toContain("Origin");
        expect(await response.json()).toMatchObject({ keys: [{ use: "sig" }] });
      }
    },
  );

  test.each(["http://evil.example", "null"])("is not readable by a page of %s", async (origin) => {
    await using sandbox = await createSandbox(listed);
    const response = await sandbox.fetch(path, { headers: { origin } });
    expect(response.headers.has("access-control-allow-origin")).toBe(false);
    const foreign = await send(sandbox, "GET", `http://evil.example${path}`, { origin });
    expect(foreign.status).toBe(403);
  });

  test("requires the control token if one is set, except for the preflight", async () => {
    await using sandbox = await createSandbox({ controlToken: "open sesame" });
    const asked = { origin: PAGE, "access-control-request-method": "GET" };
    const headers = { ...asked, "access-control-request-headers": "authorization" };
    const preflight = await sandbox.fetch(path, { method: "OPTIONS", headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toBe("authorization");
    expect((await sandbox.fetch(path, { headers: { origin: PAGE } })).status).toBe(401);
    const authorization = "Bearer open sesame";
    expect((await sandbox.fetch(path, { headers: { origin: PAGE, authorization } })).status).toBe(200);
  });

  test("is enough for a library in a page to verify a token", async () => {
    await using sandbox = await createSandbox();
    const { url } = await sandbox.listen();
    const asPage = (address: string, init?: RequestInit) =>
      fetch(address, { ...init, headers: { origin: PAGE, "sec-fetch-site": "same-site" } });
    const keys = createRemoteJWKSet(new URL(path, url), { [customFetch]: asPage });
    const { payload } = await jwtVerify(sandbox.auth.token(), keys, {
      currentDate: new Date(sandbox.clock.now()),
    });
    expect(payload).toMatchObject({ username: "ada@example.test" });
  });
});
