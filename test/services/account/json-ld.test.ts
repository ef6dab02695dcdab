// JSON-LD as its own tools see it: every item and collection expands and compacts without loss, reading contexts from
// the sandbox alone.

import jsonld from "jsonld";
import { describe, expect } from "vitest";
import { resources } from "../../../src/services/account/schemas.ts";
import { call } from "../../support/account.ts";
import type { Json } from "../../support/request.ts";
import { type TestSandbox, test, testOfMistakes } from "../../support/test.ts";

const BASE = "http://localhost/account/";
const names = [...resources.values()].map(({ name }) => name);

/** Loads what the sandbox serves, without a token; anything else is an error. */
function loaderOf(sandbox: TestSandbox) {
  return async (url: string) => {
    expect(url).toMatch(/^http:\/\/localhost\/account\//);
    const response = await sandbox.fetch(url, { headers: { accept: "application/ld+json" } });
    expect(response.status).toBe(200);
    return { documentUrl: url, document: (await response.json()) as Json };
  };
}

async function roundTrip(sandbox: TestSandbox, document: Json): Promise<Json> {
  const options = { base: BASE, documentLoader: loaderOf(sandbox) };
  const expanded = await jsonld.expand(document, options);
  return jsonld.compact(expanded, document["@context"], { ...options, compactArrays: true });
}

async function everyDocument(sandbox: TestSandbox): Promise<Json[]> {
  const lists = await Promise.all(
    ["/consumptions?year=2025", "/consumptions?page=2", "/pre-sales", "/pre-sale-actions"].map(
      async (path) => (await call(sandbox, `GET ${path}`)).body,
    ),
  );
  const items = lists.flatMap((list) => list["hydra:member"].map((item: Json) => item["@id"]));
  const paths = [...items, "/account/users/me"].map((iri) => iri.replace(/^\/account/, ""));
  const documents = await Promise.all(paths.map(async (path) => (await call(sandbox, `GET ${path}`)).body));
  return [...lists, ...documents];
}

/** IRIs as a processor gives them back, resolved; the context is compared apart. */
function resolved(value: Json): Json {
  if (Array.isArray(value)) return value.map(resolved);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "@context")
      .map(([key, part]) => [key, key === "@id" ? new URL(String(part), BASE).href : resolved(part)]),
  );
}

/** JSON-LD has no null and no list of one or none: these are what a round trip may drop or unwrap. */
function normal(value: Json): Json {
  if (Array.isArray(value)) return value.length === 1 ? normal(value[0]) : value.map(normal);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== null)
      .map(([key, part]) => [key, normal(part)]),
  );
}

describe.each(["link", "inline"] as const)("with itemContext %s", (itemContext) => {
  test.override({ options: { settings: { account: { itemContext } } } });

  test("every item and collection is the same after expansion and compaction", async ({ sandbox }) => {
    const documents = await everyDocument(sandbox);
    expect(documents.length).toBeGreaterThan(20);
    for (const document of documents) {
      const back = normal(resolved(await roundTrip(sandbox, document)));
      const sent = normal(resolved(document));
      expect(back).toEqual(sent);
    }
  });
});

test("an error response is JSON-LD too, and uses Hydra's terms", async ({ sandbox }) => {
  const { body } = await call(sandbox, "POST /pre-sale-actions", { body: {} });
  const [error] = await jsonld.expand(body, { base: BASE, documentLoader: loaderOf(sandbox) });
  expect(error).toMatchObject({
    "@type": ["http://localhost/account/docs.jsonld#ConstraintViolationList"],
    "http://www.w3.org/ns/hydra/core#title": [{ "@value": "An error occurred" }],
  });
  expect(await roundTrip(sandbox, body)).toMatchObject({ violations: body.violations });
});

describe("with an inline context", () => {
  test.override({ options: { settings: { account: { itemContext: "inline" } } } });

  test("an item contains the whole context, including the vocabulary and hydra", async ({ sandbox }) => {
    const { body } = await call(sandbox, "GET /users/me");
    expect(Object.keys(body).slice(0, 3)).toEqual(["@context", "@type", "@id"]);
    expect(body["@context"]).toMatchObject({
      "@vocab": "http://localhost/account/docs.jsonld#",
      hydra: "http://www.w3.org/ns/hydra/core#",
      email: "UserOutput/email",
    });
  });
});

describe("contexts", () => {
  test.for(names)("of %s name every field", async (name, { sandbox }) => {
    const [schema] = [...resources].find(([, resource]) => resource.name === name) ?? [];
    const { status, type, body } = await call(sandbox, `GET /contexts/${name}`, { token: false });
    expect([status, type]).toEqual([200, "application/ld+json; charset=utf-8"]);
    const { "@vocab": vocabulary, hydra, ...terms } = body["@context"];
    expect(vocabulary).toBe("http://localhost/account/docs.jsonld#");
    expect(hydra).toBe("http://www.w3.org/ns/hydra/core#");
    expect(terms).toEqual(
      Object.fromEntries(Object.keys((schema as Json).shape).map((field) => [field, `${name}/${field}`])),
    );
  });

  test.for(["Error", "ConstraintViolationList", "ConstraintViolation"])(
    "of %s contain only the vocabulary and hydra",
    async (name, { sandbox }) => {
      const { body } = await call(sandbox, `GET /contexts/${name}.jsonld`, { token: false });
      expect(Object.keys(body["@context"])).toEqual(["@vocab", "hydra"]);
    },
  );

  test("of the entry point link to the collections", async ({ sandbox }) => {
    const { body } = await call(sandbox, "GET /contexts/Entrypoint", { token: false });
    expect(body["@context"]).toMatchObject({
      consumption: { "@id": "Entrypoint/consumption", "@type": "@id" },
    });
  });

  testOfMistakes.for(["Nobody", "owner", "constructor", "__proto__"])(
    "of %s do not exist",
    async (name, { sandbox }) => {
      expect((await call(sandbox, `GET /contexts/${name}`)).status).toBe(404);
    },
  );
});
