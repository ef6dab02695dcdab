// Which form an answer takes, which forms a body may take, and the headers that go with it.

import { describe, expect } from "vitest";
import { accountOperations } from "../../../src/services/account/index.ts";
import { call, exampleOf, goodAction } from "../../support/account.ts";
import type { Answer } from "../../support/request.ts";
import { test, testOfMistakes } from "../../support/test.ts";

const LD = "application/ld+json; charset=utf-8";
const PLAIN = "application/json; charset=utf-8";
const PAGE = "text/html; charset=utf-8";
const PROBLEM = "application/problem+json; charset=utf-8";

/** What a resource answers; undefined: nothing is acceptable. */
const ACCEPT: readonly (readonly [accept: string | undefined, type: string | undefined])[] = [
  ["application/ld+json", LD],
  ["application/json", PLAIN],
  ["text/html", PAGE],
  ["*/*", LD],
  [undefined, LD],
  ["application/xml", undefined],
  ["text/*;q=0.5", PAGE],
  ["malformed", undefined],
];

describe.each(Object.entries(accountOperations))("%s", (key, operation) => {
  test.for(ACCEPT)("answers Accept: %s with %s", async ([accept, type], { sandbox }) => {
    const { line, body } = exampleOf(sandbox, operation);
    const answer = await call(sandbox, line, { accept, body });
    const [success] = Object.keys(operation.responses).map(Number);

    if (key === "login") {
      expect(answer).toMatchObject({ status: 200, type: "application/json" });
      expect(answer.body).toEqual({ token: expect.any(String) });
    } else if (type === undefined) {
      expect(answer).toMatchObject({ status: 406, type: PROBLEM });
      expect(answer.body.detail).toBe(
        `Requested format "${accept}" is not supported. Supported MIME types are "application/ld+json", "application/json", "text/html".`,
      );
      expect(sandbox.journal.count({ status: 406 })).toBe(1);
    } else if (success === 204) {
      expect(answer).toMatchObject({ status: 204, type: undefined, text: "" });
    } else {
      expect(answer).toMatchObject({ status: success, type });
      expectShape(answer, type, key.startsWith("list"));
    }
  });
});

function expectShape({ text, body }: Answer, type: string, isList: boolean): void {
  if (type === LD) {
    expect(Object.keys(body).slice(0, 3)).toEqual(["@context", "@id", "@type"]);
    if (isList) expect(body["hydra:member"].length).toBeGreaterThan(0);
  } else if (type === PLAIN) {
    expect(Array.isArray(body)).toBe(isList);
    expect(JSON.stringify(body)).not.toContain('"@');
  } else {
    expect(text).toMatch(/^<!DOCTYPE html>/);
    expect(text).toContain(isList ? "<table>" : "<dl");
  }
}

test("the JSON form equals the JSON-LD form without @context, @id and @type", async ({ sandbox }) => {
  const linked = await call(sandbox, "GET /users/me", { accept: "application/ld+json" });
  const plain = await call(sandbox, "GET /users/me", { accept: "application/json" });
  const { "@context": _context, "@id": _id, "@type": _type, ...fields } = linked.body;
  expect(plain.body).toEqual(fields);
});

test("responses omit fields that are only stored", async ({ sandbox }) => {
  const lists = ["/consumptions", "/pre-sales", "/pre-sale-actions", "/users/me"];
  const answers = await Promise.all(lists.map((path) => call(sandbox, `GET ${path}`)));
  for (const { text } of answers) expect(text).not.toMatch(/"(owner|armed|running_until|uid|password)"/);
});

describe("the suffix of a path", () => {
  test.for([
    [".jsonld", undefined, 200, LD],
    [".json", undefined, 200, PLAIN],
    [".json", "*/*", 200, PLAIN],
    [".html", "*/*", 200, PAGE],
    [".json", "application/json", 200, PLAIN],
    [".json", "application/ld+json", 406, PROBLEM],
    [".xml", undefined, 404, PROBLEM],
    [".xml", "application/ld+json", 404, PROBLEM],
    [".xml", "text/html", 404, PROBLEM],
    [".jsonld", "application/json", 406, LD],
    [".json.json", undefined, 404, PROBLEM],
    [".js-on", undefined, 404, PROBLEM],
  ] as const)("%s with Accept: %s is %i %s", async ([suffix, accept, status, type], { sandbox }) => {
    const [consumption] = sandbox.data.account.consumptions.all();
    for (const path of ["/consumptions", `/consumptions/${consumption?.uuid}`, "/users/me"]) {
      expect(await call(sandbox, `GET ${path}${suffix}`, { accept })).toMatchObject({ status, type });
    }
  });

  test("is named in the error if the service cannot return this format", async ({ sandbox }) => {
    const other = await call(sandbox, "GET /consumptions.json", { accept: "text/html" });
    expect(other.body.detail).toBe(
      'Requested format "text/html" is not supported. Supported MIME types are "application/json".',
    );
    const unknown = await call(sandbox, "GET /consumptions.xml", { accept: "application/json" });
    expect(unknown.body.detail).toBe('Format "xml" is not supported');
    const two = await call(sandbox, "GET /consumptions.json.json");
    expect(two.body.detail).toBe('Format "json.json" is not supported');
    sandbox.journal.clear();
  });

  testOfMistakes("needs a name before it: a path such as /.json has no route", async ({ sandbox }) => {
    for (const path of ["/pre-sales/.json", "/users/.json", "/.json"])
      expect((await call(sandbox, `GET ${path}`)).text, path).toContain("No route found");
  });

  testOfMistakes.for([
    ["/docs.xml", undefined, 404],
    ["/index.xml", undefined, 404],
    ["/contexts/User.xml", undefined, 404],
    ["/contexts/User.html", undefined, 404],
    ["/docs", "application/xml", 406],
    ["/docs.jsonld", "text/html", 406],
    ["/contexts/User", "application/json", 406],
    ["/contexts/User.jsonld", "text/csv", 406],
    ["/consumptions/", "text/plain", 406],
    ["/", "image/png", 406],
  ] as const)(
    "of a document follows the same rules: %s with Accept: %s returns %i",
    async ([path, accept, status], { sandbox }) => {
      const answer = await call(sandbox, `GET ${path}`, { accept, token: false });
      expect(answer.status).toBe(status);
      expect(answer.text).toMatch(
        /Format \\".*\\" is not supported|Requested format \\".*\\" is not supported/,
      );
    },
  );

  test("the journal keeps the path as it was sent", async ({ sandbox }) => {
    await call(sandbox, "GET /consumptions.json?page=1");
    expect(sandbox.journal.list().at(-1)).toMatchObject({
      path: "/consumptions.json",
      operation: "account.listConsumptions",
    });
  });
});

describe("a request body", () => {
  const goodTypes = [
    "application/json",
    "application/ld+json",
    "text/html",
    "application/json; charset=utf-8",
    "application/ld+json;charset=UTF-8",
  ];
  test.for(goodTypes)("is read as %s", async (contentType, { sandbox }) => {
    const answer = await call(sandbox, "PUT /users/me", { contentType, body: { fullname: "Ada" } });
    expect(answer.status).toBe(200);
    expect(sandbox.data.account.users.all()[0]?.fullname).toBe("Ada");
  });

  const badTypes = [
    "text/plain",
    "Application/JSON",
    "application/xml",
    "application/x-www-form-urlencoded",
    "application/problem+json",
  ];
  test.for(badTypes)("returns 415 as %s", async (contentType, { sandbox }) => {
    const before = sandbox.data.account.users.all();
    const answer = await call(sandbox, "PUT /users/me", { contentType, body: { fullname: "Eve" } });
    expect(answer.status).toBe(415);
    expect(answer.body["hydra:description"]).toBe(
      `The content-type "${contentType}" is not supported. Supported MIME types are "application/ld+json", "application/json", "text/html".`,
    );
    expect(sandbox.data.account.users.all()).toEqual(before);
  });

  test("is refused without a media type", async ({ sandbox }) => {
    const answer = await call(sandbox, "PUT /users/me", { contentType: "none", body: {} });
    expect(answer.status).toBe(415);
    expect(answer.body["hydra:description"]).toBe('The "Content-Type" header must exist.');
  });

  test.for(["<p>Ada</p>", "{", ""])(
    "that is not JSON returns a syntax error, also as text/html: %s",
    async (body, { sandbox }) => {
      for (const contentType of ["text/html", "application/json"]) {
        const { status, body: refusal } = await call(sandbox, "PUT /users/me", { contentType, body });
        expect([status, refusal["hydra:description"]]).toEqual([400, "Syntax error"]);
      }
    },
  );

  test("may contain @id, @type and @context, which are ignored without a finding", async ({ sandbox }) => {
    const linked = { "@context": "/x", "@id": "/account/users/7", "@type": "Nobody", fullname: "Ada" };
    const answer = await call(sandbox, "PUT /users/me", { body: linked });
    expect(answer.body).toMatchObject({ "@id": "/account/users/me", "@type": "User", fullname: "Ada" });
    expect(sandbox.journal.list().at(-1)?.findings).toEqual([]);
  });

  test("may be a response that the client read and changed", async ({ sandbox }) => {
    const { body } = await call(sandbox, "GET /users/me");
    await call(sandbox, "PUT /users/me", {
      contentType: "application/ld+json",
      body: { ...body, fullname: "A" },
    });
    const { "@context": _context, ...user } = (await call(sandbox, "GET /users/me")).body;
    expect(user).toEqual({ ...user, ...body, "@context": undefined, fullname: "A" });
  });
});

describe("headers", () => {
  const COMMON = {
    "cache-control": "no-cache, private",
    "x-content-type-options": "nosniff",
    "x-frame-options": "deny",
    link: '<http://localhost/account/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"',
  };

  testOfMistakes.for([
    "GET /users/me",
    "GET /nowhere",
    "GET /pre-sales/x",
    "PATCH /pre-sales",
    "GET /",
    "GET /contexts/User",
  ])("of %s lead to the documentation", async (line, { sandbox }) => {
    const { headers } = await call(sandbox, line);
    expect(Object.fromEntries(headers)).toMatchObject(COMMON);
  });

  test("of a refused token lead to the documentation too", async ({ sandbox }) => {
    const { status, headers } = await call(sandbox, "GET /users/me", { token: false });
    expect(status).toBe(401);
    expect(Object.fromEntries(headers)).toMatchObject({ ...COMMON, "www-authenticate": "Bearer" });
  });

  testOfMistakes("contain Vary: Accept on success and for unknown paths", async ({ sandbox }) => {
    for (const [line, varies] of [
      ["GET /users/me", true],
      ["GET /nowhere", true],
      ["GET /pre-sales/x", false],
    ] as const)
      expect(/\bAccept\b/.test((await call(sandbox, line)).headers.get("vary") ?? ""), line).toBe(varies);
  });

  test("of a write contain the IRI of the resource", async ({ sandbox }) => {
    const made = await call(sandbox, "POST /pre-sale-actions", { body: goodAction(sandbox) });
    const iri = `/account/pre-sale-actions/${made.body.uuid}`;
    expect(made.headers.get("location")).toBe(iri);
    expect(made.headers.get("content-location")).toBe(iri);
    expect(made.body["@id"]).toBe(iri);

    const put = await call(sandbox, `PUT /pre-sale-actions/${made.body.uuid}`, { body: goodAction(sandbox) });
    expect(put.headers.get("content-location")).toBe(iri);
    expect(put.headers.get("location")).toBeNull();
    const read = await call(sandbox, `GET /pre-sale-actions/${made.body.uuid}`);
    expect(read.headers.get("content-location")).toBeNull();
  });

  testOfMistakes.for([
    ["/pre-sale-actions", "GET, POST"],
    ["/pre-sale-actions/x", "GET, PUT, DELETE"],
    ["/users/me", "GET, PUT"],
    ["/users/me/change-password", "PUT"],
  ])("of %s list the allowed methods in the order of the document", async ([path, allow], { sandbox }) => {
    expect((await call(sandbox, `PATCH ${path}`)).headers.get("allow")).toBe(allow);
    const options = await call(sandbox, `OPTIONS ${path}`);
    expect([options.status, options.headers.get("allow")]).toEqual([405, allow]);
    const ofPage = await call(sandbox, `OPTIONS ${path}`, { headers: { origin: "http://localhost:5173" } });
    expect([ofPage.status, ofPage.headers.get("allow")]).toEqual([204, allow]);
  });

  test("that link to the documentation are readable by pages of other origins", async ({ sandbox }) => {
    const { headers } = await call(sandbox, "GET /", { headers: { origin: "http://localhost:5173" } });
    expect(headers.get("access-control-expose-headers")).toContain("Link");
  });
});

describe("with the newer style", () => {
  test.override({ options: { settings: { account: { profile: "api-platform-4" } } } });

  test("Content-Location has the suffix of the format", async ({ sandbox }) => {
    const linked = await call(sandbox, "PUT /users/me", { body: {} });
    const plain = await call(sandbox, "PUT /users/me", { body: {}, accept: "application/json" });
    expect(linked.headers.get("content-location")).toBe("/account/users/me.jsonld");
    expect(plain.headers.get("content-location")).toBe("/account/users/me.json");
    const again = await call(sandbox, "GET /users/me.json");
    expect(again.body).toEqual(plain.body);
  });
});

test("a service on its own port is at the root, and its IRIs start there", async ({ sandbox }) => {
  const { urls } = await sandbox.listen({ port: 0, ownPorts: true });
  const headers = { authorization: `Bearer ${sandbox.auth.token()}` };
  const response = await fetch(`${urls.account}/users/me`, { headers });
  expect(await response.json()).toMatchObject({ "@context": "/contexts/User", "@id": "/users/me" });
  expect(response.headers.get("link")).toContain(`<${urls.account}/docs.jsonld>`);
  const list = await (await fetch(`${urls.account}/consumptions`, { headers })).json();
  expect(list).toMatchObject({
    "@id": "/consumptions",
    "hydra:view": { "hydra:next": "/consumptions?page=2" },
    "hydra:search": { "hydra:template": "/consumptions{?year,year[],month,month[]}" },
  });
});

test("a world's prefix is part of every IRI", async ({ sandbox }) => {
  const world = sandbox.fork("w9");
  const token = `Bearer ${world.auth.token()}`;
  const response = await sandbox.fetch("/~w9/account/users/me", { headers: { authorization: token } });
  expect(await response.json()).toMatchObject({
    "@context": "/~w9/account/contexts/User",
    "@id": "/~w9/account/users/me",
  });
  expect(response.headers.get("link")).toContain("<http://localhost/~w9/account/docs.jsonld>");
});

describe("a trailing slash", () => {
  test.for([
    ["/pre-sales/", "/pre-sales"],
    ["/consumptions/?year=2025&page=1", "/consumptions?year=2025&page=1"],
    ["/pre-sale-actions.jsonld/", "/pre-sale-actions.jsonld"],
    ["/users/me//", "/users/me"],
    ["/docs/", "/docs"],
    ["/contexts/User/", "/contexts/User"],
  ])("redirects GET and HEAD of %s to %s", async ([path, known], { sandbox }) => {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers, text } = await call(sandbox, `${method} ${path}`);
      expect([status, headers.get("location")]).toEqual([301, `http://localhost/account${known}`]);
      expect(headers.has("cache-control")).toBe(false);
      expect(text.includes("Moved to")).toBe(method === "GET");
    }
    expect((await call(sandbox, `GET ${known}`)).status).toBe(200);
    sandbox.verify();
  });

  test("redirects fetch together with its token, also in another world", async ({ sandbox }) => {
    const { url } = await sandbox.listen();
    for (const [world, { auth }] of [
      ["", sandbox],
      ["/~w1", sandbox.fork("w1")],
    ] as const) {
      const authorization = `Bearer ${auth.token({ environment: "accountSandbox" })}`;
      const headers = { authorization, accept: "application/json" };
      const reply = await fetch(`${url}${world}/account-sandbox/pre-sales/`, { headers });
      expect([reply.status, reply.redirected]).toEqual([200, true]);
      expect(reply.url).toBe(`${url}${world}/account-sandbox/pre-sales`);
    }
  });

  testOfMistakes.for(["POST /pre-sale-actions/", "PUT /users/me/", "GET /login/", "GET /nowhere/", "GET //"])(
    "does not redirect %s",
    async (line, { sandbox }) => {
      const { status, headers } = await call(sandbox, line);
      expect([status, headers.get("location")]).toEqual([404, null]);
      expect(sandbox.journal.last).toMatchObject({ problem: "pathNotFound" });
    },
  );
});
