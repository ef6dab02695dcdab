// The account as a Hydra client meets it that knows nothing but the base address.

import { parseHydraDocumentation } from "@api-platform/api-doc-parser";
import { describe, expect } from "vitest";
import { PreSaleActionInput, resources, User } from "../../../src/services/account/schemas.ts";
import { call } from "../../support/account.ts";
import type { Json } from "../../support/request.ts";
import { type TestSandbox, test, testOfMistakes } from "../../support/test.ts";

type Seen = { readonly fields: Json[]; readonly operations: Json[]; readonly [key: string]: Json };

/** What the parser of API Platform's own tools finds, over real HTTP and without a token. */
async function discover(sandbox: TestSandbox, ownPort: boolean): Promise<Record<string, Seen>> {
  const { urls } = await sandbox.listen({ port: 0, ownPorts: ownPort });
  const { api, status } = await parseHydraDocumentation(urls["account"] ?? "");
  expect(status).toBe(200);
  return Object.fromEntries(
    (api.resources ?? []).map((resource) => [resource.title ?? "", resource as unknown as Seen]),
  );
}

describe.each([false, true])("the documentation parser, on a port of its own: %s", (ownPort) => {
  test("finds the three collections from the base address alone", async ({ sandbox }) => {
    const found = await discover(sandbox, ownPort);
    const collections = [...resources].filter(([, { collectionPath }]) => collectionPath !== undefined);
    expect(Object.keys(found).sort()).toEqual(collections.map(([, { name }]) => name).sort());
    for (const [schema, { name }] of collections) {
      const fields = found[name]?.fields.map((field) => field.name);
      expect(fields).toEqual(Object.keys((schema as Json).shape));
    }
  });
});

describe("if the entry point links to the user", () => {
  test.override({ options: { settings: { account: { entryPointUser: true } } } });

  test("the documentation parser finds the user with its fields and operations", async ({ sandbox }) => {
    const { User: found } = await discover(sandbox, false);
    expect(found?.operations.map(({ method, type }) => `${method} ${type}`)).toEqual([
      "GET show",
      "PUT edit",
    ]);
    const writable = found?.["writableFields"].map((field: Json) => field.name);
    expect(writable).toEqual(Object.keys(User.shape).filter((name) => name !== "email"));
    for (const field of found?.fields ?? []) expect([field.name, field.type]).toEqual([field.name, "string"]);
  });

  test("entry point, its context and the documentation agree", async ({ sandbox }) => {
    const read = async (path: string) => (await call(sandbox, `GET ${path}`, { token: false })).body;
    expect(await read("/")).toMatchObject({ user: "/account/users/me" });
    expect((await read("/contexts/Entrypoint"))["@context"]).toHaveProperty("user");
    expect(JSON.stringify(await read("/docs.jsonld"))).toContain('"#Entrypoint/user"');
    expect((await call(sandbox, "GET /users/me")).status).toBe(200);
  });
});

test("the documentation parser finds types, what can be written, and operations", async ({ sandbox }) => {
  const found = await discover(sandbox, false);
  const typesOf = (name: string) =>
    Object.fromEntries((found[name]?.fields ?? []).map((field) => [field.name, field.type]));
  const operationsOf = (name: string) =>
    found[name]?.operations.map(({ method, type }) => `${method} ${type}`);

  expect(typesOf("Consumption")).toMatchObject({ uuid: "string", year: "integer", total: "string" });
  expect(typesOf("PreSale")).toMatchObject({ created_at: "dateTime", invoices_sent: "integer" });
  expect(typesOf("PreSaleAction")).toMatchObject({ enabled: "boolean", threshold: "integer" });

  expect(operationsOf("Consumption")).toEqual(["GET list", "GET show"]);
  expect(operationsOf("PreSale")).toEqual(["GET list", "GET show"]);
  expect(operationsOf("PreSaleAction")).toEqual([
    "GET list",
    "POST create",
    "GET show",
    "PUT edit",
    "DELETE delete",
  ]);

  const writable = (name: string) => found[name]?.["writableFields"].map((field: Json) => field.name);
  expect(writable("PreSaleAction").sort()).toEqual(Object.keys(PreSaleActionInput.shape).sort());
  expect(writable("Consumption")).toEqual([]);
  const required = found["PreSaleAction"]?.fields.filter((field) => field.required);
  expect(required?.map((field) => field.name).sort()).toEqual(Object.keys(PreSaleActionInput.shape).sort());
});

test("the documentation parser finds the filters of consumptions", async ({ sandbox }) => {
  const { urls } = await sandbox.listen({ port: 0 });
  const headers = { authorization: `Bearer ${sandbox.auth.token()}` };
  const { api } = await parseHydraDocumentation(urls["account"] ?? "", { headers });
  const resource = api.resources?.find(({ title }) => title === "Consumption");
  const parameters = await resource?.getParameters?.();
  expect(parameters?.map(({ variable }) => variable)).toEqual(["year", "year[]", "month", "month[]"]);
});

testOfMistakes("the entry point needs no token, in any form, with or without slash", async ({ sandbox }) => {
  const expected = {
    "@context": "/account/contexts/Entrypoint",
    "@id": "/account/",
    "@type": "Entrypoint",
    consumption: "/account/consumptions",
    preSale: "/account/pre-sales",
    preSaleAction: "/account/pre-sale-actions",
  };
  for (const path of ["", "/", "/index.jsonld", "/index.json", "/index"]) {
    const answer = await call(sandbox, `GET ${path}`, { token: false });
    expect(answer.body, path).toEqual(expected);
  }
  expect((await call(sandbox, "GET /", { token: "not.a.token" })).status).toBe(200);
  expect((await call(sandbox, "GET /", { token: false, accept: "text/html" })).text).toContain("<h1>");
  const other = await call(sandbox, "POST /", { token: false, body: {} });
  expect([other.status, other.headers.get("allow")]).toEqual([405, "GET"]);
});

test("every path that the entry point names answers", async ({ sandbox }) => {
  const { body } = await call(sandbox, "GET /");
  const paths = Object.entries(body).filter(([key]) => !key.startsWith("@"));
  expect(paths.length).toBe(3);
  for (const [key, path] of paths) {
    const { status } = await call(sandbox, `GET ${String(path).replace("/account", "")}`);
    expect([key, status]).toEqual([key, 200]);
  }
});

test("the documentation describes the user, but the entry point does not link to it", async ({ sandbox }) => {
  const documents = ["/", "/contexts/Entrypoint", "/docs.jsonld"].map(
    async (path) => (await call(sandbox, `GET ${path}`, { token: false })).text,
  );
  const [entry, context, documentation] = await Promise.all(documents);
  expect(entry).not.toContain("users/me");
  expect(context).not.toContain("Entrypoint/user");
  expect(documentation).not.toContain("Entrypoint/user");
  expect(documentation).toContain('"@id":"#User"');
});

test("the OpenAPI document stands beside the Hydra one", async ({ sandbox }) => {
  const openApi = await call(sandbox, "GET /docs.json", { token: false });
  expect(openApi.body).toMatchObject({ openapi: "3.1.0", servers: [{ url: "http://localhost/account" }] });
  expect((await call(sandbox, "GET /openapi.json", { token: false })).body).toEqual(openApi.body);
  const hydra = await call(sandbox, "GET /docs", { token: false });
  expect(hydra.body["@type"]).toBe("hydra:ApiDocumentation");
});

test("OpenAPI shows answers from the base data, in both JSON forms", async ({ sandbox }) => {
  const { body } = await call(sandbox, "GET /openapi.json", { token: false });
  const examples = (path: string, method = "get", status = "200") => {
    const { content } = body.paths[path][method].responses[status];
    return [content["application/ld+json"].example, content["application/json"].example];
  };
  const [list, items] = examples("/consumptions");
  expect(items).toHaveLength(1);
  expect(list).toMatchObject({ "hydra:member": items, "hydra:totalItems": 1 });
  expect(list).not.toHaveProperty("hydra:view");
  const [linked, plain] = examples("/users/{id}");
  const me = await call(sandbox, "GET /users/me");
  expect(linked).toEqual(me.body);
  expect(linked).toMatchObject(plain);
  const sent = body.paths["/pre-sale-actions"].post.requestBody.content["application/json"].example;
  for (const created of examples("/pre-sale-actions", "post", "201")) expect(created).toMatchObject(sent);
});

test("OpenAPI lists the three media types of a resource, with the envelope of collections", async ({
  sandbox,
}) => {
  const { body } = await call(sandbox, "GET /openapi.json", { token: false });
  const content = body.paths["/consumptions"].get.responses["200"].content;
  expect(Object.keys(content)).toEqual(["application/ld+json", "application/json", "text/html"]);
  expect(content["application/json"].schema.type).toBe("array");
  expect(content["text/html"].schema.type).toBe("string");
  const envelope = body.components.schemas["ConsumptionCollection.jsonld"];
  expect(envelope.required).toEqual(["hydra:member"]);
  expect(Object.keys(envelope.properties)).toContain("hydra:view");
  expect(Object.keys(body.paths["/login"].post.requestBody.content)).toEqual(["application/json"]);
});

describe("paging", () => {
  /** Follows `hydra:next` until there is none. */
  async function walk(sandbox: TestSandbox, start: string): Promise<{ iris: string[]; views: Json[] }> {
    const iris: string[] = [];
    const views: Json[] = [];
    for (let next: string | undefined = start; next !== undefined; ) {
      const { status, body } = await call(sandbox, `GET ${next}`);
      expect(status).toBe(200);
      iris.push(...body["hydra:member"].map((item: Json) => item["@id"]));
      views.push(body["hydra:view"]);
      const following: string | undefined = body["hydra:view"]?.["hydra:next"];
      expect(views.length).toBeLessThan(50);
      next = following?.replace(/^\/account/, "");
    }
    return { iris, views };
  }

  test.override({ options: { settings: { account: { pageSize: 4 } } } });

  test.for([
    ["/consumptions", () => true],
    ["/consumptions?year=2025", ({ year }: Json) => year === 2025],
    ["/consumptions?month[]=1&month[]=2&month[5]=3", ({ month }: Json) => month <= 3],
    [
      "/consumptions?page=1&year[]=2024&year[]=2025&lang=it%20x",
      ({ year }: Json) => year === 2024 || year === 2025,
    ],
  ] as const)("by hydra:next returns each item of %s exactly once", async ([start, fits], { sandbox }) => {
    const { iris, views } = await walk(sandbox, start);
    const expected = sandbox.data.account.consumptions
      .all()
      .filter((one) => one.owner === 101 && fits(one))
      .map(({ uuid }) => `/account/consumptions/${uuid}`);
    expect(expected.length).toBeGreaterThan(4);
    expect(iris.length).toBe(expected.length);
    expect([...iris].sort()).toEqual([...expected].sort());
    expect(views.length).toBe(Math.ceil(expected.length / 4));
  });

  test("keeps every other parameter, in order, and puts the page last", async ({ sandbox }) => {
    const { body } = await call(sandbox, "GET /consumptions?month[0]=1&page=2&month[1]=2&q=a+b");
    const kept = "/account/consumptions?month%5B%5D=1&month%5B%5D=2&q=a%20b";
    expect(body["hydra:view"]).toEqual({
      "@id": `${kept}&page=2`,
      "@type": "hydra:PartialCollectionView",
      "hydra:first": `${kept}&page=1`,
      "hydra:last": `${kept}&page=2`,
      "hydra:previous": `${kept}&page=1`,
    });
  });

  test("keeps the suffix of the requested path in all links except those of the items", async ({
    sandbox,
  }) => {
    for (const path of ["/account/consumptions", "/account/consumptions.jsonld"]) {
      const { body } = await call(sandbox, `GET ${path.slice("/account".length)}?page=2`);
      expect(body["hydra:view"]).toMatchObject({
        "@id": `${path}?page=2`,
        "hydra:first": `${path}?page=1`,
        "hydra:next": `${path}?page=3`,
      });
      expect(body["hydra:search"]["hydra:template"]).toBe(`${path}{?year,year[],month,month[]}`);
      expect(body["@id"]).toBe("/account/consumptions");
      expect(body["hydra:member"][0]["@id"]).not.toContain(".jsonld");
    }
    const list = await call(sandbox, "GET /consumptions.html", { accept: "text/html" });
    expect(list.text).toContain('<a rel="next" href="/account/consumptions.html?page=2">');
    const { iris } = await walk(sandbox, "/consumptions.jsonld");
    expect(new Set(iris).size).toBe(40);
  });

  test("has no previous on the first page and none next on the last or beyond", async ({ sandbox }) => {
    const view = async (page: string) =>
      (await call(sandbox, `GET /consumptions?${page}`)).body["hydra:view"];
    const links = async (page: string) =>
      Object.keys(await view(page)).filter((key) => key.startsWith("hydra:"));
    expect(await links("")).toEqual(["hydra:first", "hydra:last", "hydra:next"]);
    expect((await view(""))["@id"]).toBe("/account/consumptions?page=1");
    expect(await links("page=2")).toEqual(["hydra:first", "hydra:last", "hydra:previous", "hydra:next"]);
    expect(await links("page=10")).toEqual(["hydra:first", "hydra:last", "hydra:previous"]);
    const beyond = await call(sandbox, "GET /consumptions?page=99");
    expect(beyond.body).toMatchObject({ "hydra:member": [], "hydra:totalItems": 40 });
    expect(beyond.body["hydra:view"]).toMatchObject({
      "@id": "/account/consumptions?page=99",
      "hydra:previous": "/account/consumptions?page=98",
    });
    expect(beyond.body["hydra:view"]).not.toHaveProperty("hydra:next");
  });
});

describe("a list that fits on one page", () => {
  test("has a view only if the query has parameters other than page and pagination", async ({ sandbox }) => {
    const view = async (path: string) => (await call(sandbox, `GET ${path}`)).body["hydra:view"];
    expect(await view("/pre-sales")).toBeUndefined();
    expect(await view("/pre-sales?page=1")).toBeUndefined();
    expect(await view("/pre-sales?page=2&pagination=false")).toBeUndefined();
    expect(await view("/consumptions?year=2024")).toEqual({
      "@id": "/account/consumptions?year=2024",
      "@type": "hydra:PartialCollectionView",
    });
    expect(await view("/pre-sales?itemsPerPage=5")).toMatchObject({
      "@id": "/account/pre-sales?itemsPerPage=5",
    });
  });
});

test("only consumptions describe their filters, even if the list is empty", async ({ sandbox }) => {
  const none = await call(sandbox, "GET /consumptions?year=1900");
  expect(none.body).toMatchObject({ "hydra:member": [], "hydra:totalItems": 0 });
  expect(none.body["hydra:search"]).toEqual({
    "@type": "hydra:IriTemplate",
    "hydra:template": "/account/consumptions{?year,year[],month,month[]}",
    "hydra:variableRepresentation": "BasicRepresentation",
    "hydra:mapping": ["year", "year[]", "month", "month[]"].map((variable) => ({
      "@type": "IriTemplateMapping",
      variable,
      property: variable.replace("[]", ""),
      required: false,
    })),
  });
  for (const path of ["/pre-sales", "/pre-sale-actions"])
    expect((await call(sandbox, `GET ${path}`)).body).not.toHaveProperty("hydra:search");
});

describe("the newer style", () => {
  test.override({ options: { settings: { account: { profile: "api-platform-4" } } } });

  test("puts hydra:totalItems before hydra:member", async ({ sandbox }) => {
    const { body } = await call(sandbox, "GET /consumptions");
    expect(Object.keys(body)).toEqual([
      "@context",
      "@id",
      "@type",
      "hydra:totalItems",
      "hydra:member",
      "hydra:view",
      "hydra:search",
    ]);
  });
});
