// The settings by which the account plays another reading of its document, as a client meets them.

import { describe, expect } from "vitest";
import { call, goodAction } from "../../support/account.ts";
import { test } from "../../support/test.ts";

const NO_PRESALE = "00000000-0000-4000-8000-000000000000";
const credentials = { email: "ada@example.test", password: "Vitrine!2026" };

describe.each([404, 400] as const)("unknownPreSale: %i", (unknownPreSale) => {
  test.override({ options: { settings: { account: { unknownPreSale } } } });

  test("is the status of an action without its presale, and the error names the field but has no violations", async ({
    sandbox,
  }) => {
    const body = { ...goodAction(sandbox), pre_sale_uuid: NO_PRESALE };
    const before = sandbox.data.account.preSaleActions.all();
    const answer = await call(sandbox, "POST /pre-sale-actions", { body });
    expect(answer).toMatchObject({
      status: unknownPreSale,
      body: { "@type": "hydra:Error", "hydra:description": "pre_sale_uuid: Presale not found." },
    });
    expect(answer.body).not.toHaveProperty("violations");
    expect(sandbox.data.account.preSaleActions.all()).toEqual(before);
    expect(sandbox.journal.last).toMatchObject({ status: unknownPreSale, problem: "unknownPreSale" });
  });
});

describe.each([400, 422] as const)("nulls: typeError, typeErrors: %i", (typeErrors) => {
  test.override({ options: { settings: { account: { nulls: "typeError", typeErrors } } } });

  test("a null returns the same status as a wrong type", async ({ sandbox }) => {
    const body = { ...goodAction(sandbox), threshold: null };
    expect((await call(sandbox, "POST /pre-sale-actions", { body })).status).toBe(typeErrors);
  });
});

describe("nulls: missing", () => {
  test.override({ options: { settings: { account: { nulls: "missing" } } } });

  test("reports a null like a missing field, and a wrong type as usual", async ({ sandbox }) => {
    const body = { ...goodAction(sandbox), threshold: null, target: null };
    const answer = await call(sandbox, "POST /pre-sale-actions", { body });
    expect(answer.status).toBe(422);
    expect(answer.body["hydra:description"]).toBe(
      "threshold: This value should not be null.\ntarget: This value should not be blank.",
    );
    const typed = await call(sandbox, "POST /pre-sale-actions", { body: { ...body, enabled: "yes" } });
    expect(typed.status).toBe(400);
    expect((await call(sandbox, "POST /pre-sale-actions", { body: "null" })).status).toBe(400);
    expect((await call(sandbox, "PUT /users/me", { body: { fullname: null } })).status).toBe(200);
  });
});

describe("profilePut: merge", () => {
  test.override({ options: { settings: { account: { profilePut: "merge" } } } });

  test("keeps the omitted fields, and a null still clears a field", async ({ sandbox }) => {
    const before = sandbox.data.account.users.get("101");
    const body = { fullname: "Ada B.", invoicing_city: null, email: "x@example.test" };
    const answer = await call(sandbox, "PUT /users/me", { body });
    expect(answer.status).toBe(200);
    expect(sandbox.data.account.users.get("101")).toEqual({
      ...before,
      fullname: "Ada B.",
      invoicing_city: null,
    });
  });
});

describe("dateTimes: Z", () => {
  test.override({ options: { settings: { account: { dateTimes: "Z" } } } });

  test("writes timestamps with Z in every format, and stores them unchanged", async ({ sandbox }) => {
    const [kept] = sandbox.data.account.preSales.all();
    const path = `/pre-sales/${kept?.uuid}`;
    for (const accept of ["application/json", "application/ld+json"]) {
      const { body } = await call(sandbox, `GET ${path}`, { accept });
      expect(body.created_at).toBe(kept?.created_at.replace("+00:00", "Z"));
      expect(body.valid_until).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    }
    const page = await call(sandbox, `GET ${path}`, { accept: "text/html" });
    expect(page.text).toContain(String(kept?.created_at.replace("+00:00", "Z")));
    expect(sandbox.data.account.preSales.all()[0]).toEqual(kept);
  });
});

describe("routeErrors: symfony", () => {
  test.override({ options: { settings: { account: { routeErrors: "symfony" } } }, sandboxVerify: false });

  test.for([
    [undefined, "text/html; charset=UTF-8"],
    ["*/*", "text/html; charset=UTF-8"],
    ["application/xml", "text/html; charset=UTF-8"],
    ["application/json, text/plain, */*", "application/json"],
    ["application/ld+json;q=0.5", "application/ld+json"],
  ] as const)("an unknown path or method for Accept: %s is %s", async ([accept, type], { sandbox }) => {
    const missing = await call(sandbox, "GET /nowhere", { accept });
    expect(missing).toMatchObject({ status: 404, type });
    const other = await call(sandbox, "PATCH /users/me", { accept });
    expect(other).toMatchObject({ status: 405, type });
    expect(other.headers.get("allow")).toBe("GET, PUT");
    if (type !== "application/json") return;
    expect(other.text).toBe(
      '{"type":"https://tools.ietf.org/html/rfc2616#section-10","title":"An error occurred","status":405,"detail":"Method Not Allowed"}',
    );
  });

  test("a login with another media type or a suffix is a route error too, but a missing resource is not", async ({
    sandbox,
  }) => {
    const login = { token: false, body: credentials, contentType: "text/plain" } as const;
    expect((await call(sandbox, "POST /login", login)).type).toBe("text/html; charset=UTF-8");
    const suffixed = { ...login, contentType: "application/json", accept: "application/ld+json" };
    expect((await call(sandbox, "POST /login.json", suffixed)).body["hydra:description"]).toBe(
      'No route found for "POST http://localhost/account/login.json"',
    );
    expect((await call(sandbox, "GET /pre-sales/x")).type).toBe("application/ld+json; charset=utf-8");
  });
});

for (const routeErrors of ["service", "symfony"] as const)
  describe(`routeErrors: ${routeErrors}`, () => {
    test.override({ options: { settings: { account: { routeErrors } } }, sandboxVerify: false });

    test.for([undefined, "*/*", "text/html", "application/json", "application/ld+json"])(
      "a known path with an unknown suffix is a problem in JSON for Accept: %s",
      async (accept, { sandbox }) => {
        for (const path of ["/consumptions.xml", "/users/me.xml", "/docs.xml"]) {
          expect(await call(sandbox, `GET ${path}`, { accept })).toMatchObject({
            status: 404,
            type: "application/problem+json; charset=utf-8",
            body: { detail: 'Format "xml" is not supported' },
          });
          expect(sandbox.journal.last).toMatchObject({ problem: "unknownFormat" });
        }
      },
    );
  });

describe("strictTokens", () => {
  test.override({ options: { settings: { account: { strictTokens: true } } }, sandboxVerify: false });

  test("an invalid token is refused by logins and documents, a missing one is not", async ({ sandbox }) => {
    const expired = sandbox.auth.token({ kind: "expired" });
    const text = '{"code":401,"message":"Expired JWT Token"}';
    for (const line of ["GET /", "GET /docs", "GET /contexts/User"]) {
      expect(await call(sandbox, line, { token: expired })).toMatchObject({ status: 401, text });
      expect((await call(sandbox, line, { token: false })).status).toBe(200);
      expect((await call(sandbox, line)).status).toBe(200);
    }
    const body = credentials;
    expect(await call(sandbox, "POST /login", { body, token: expired })).toMatchObject({
      status: 401,
      text,
    });
    expect((await call(sandbox, "POST /login", { body, token: false })).status).toBe(200);
  });
});

describe("protectDocs", () => {
  test.override({ options: { settings: { account: { protectDocs: true } } }, sandboxVerify: false });

  test("the documents ask for a token; the OpenAPI document does not", async ({ sandbox }) => {
    for (const line of ["GET /", "GET /index.jsonld", "GET /docs.jsonld", "GET /contexts/User"]) {
      const refused = await call(sandbox, line, { token: false });
      expect(refused).toMatchObject({ status: 401, text: '{"code":401,"message":"JWT Token not found"}' });
      expect((await call(sandbox, line)).status).toBe(200);
    }
    expect((await call(sandbox, "GET /openapi.json", { token: false })).status).toBe(200);
  });
});
