// The OpenAPI documents: what a generated client reads, made from the declarations alone.

import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect } from "vitest";
import { control } from "../../src/control/index.ts";
import { toPath } from "../../src/operation/client.ts";
import { toOpenApi } from "../../src/operation/openapi.ts";
import type { AnyOperation } from "../../src/operation/operation.ts";
import { listProblems, listStatuses, type Service } from "../../src/operation/service.ts";
import { services as simulated } from "../../src/services/index.ts";
import { frozenSandbox, type TestSandbox, test } from "../support/test.ts";

// biome-ignore lint/suspicious/noExplicitAny: an assertion on a missing field fails by itself
type Json = any;

const services = [...simulated, control];
const environments = services.flatMap((service) =>
  service.environments.map((environment) => ({ key: environment.key, service, environment })),
);

async function read(sandbox: { fetch(path: string): Promise<Response> }, base: string): Promise<Json> {
  const response = await sandbox.fetch(`${base}/openapi.json`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  return response.json();
}

const documents = new Map<string, Promise<Json>>();

/** Of a new sandbox, read once: it is the same every time. */
function documentAt(base: string): Promise<Json> {
  const known = documents.get(base) ?? readOnce(base);
  documents.set(base, known);
  return known;
}

async function readOnce(base: string): Promise<Json> {
  await using sandbox = await frozenSandbox();
  return await read(sandbox, base);
}

describe.for(environments)("the document of $key", ({ service, environment: { base } }) => {
  test("is served at its base address, which it names as the server", async () => {
    const document = await documentAt(base);
    expect(document.openapi).toBe("3.1.0");
    expect(document.info.version).toBe(service.version);
    expect(document.servers).toMatchObject([{ url: `http://localhost${base}` }]);
  });

  test("has every operation with its statuses, problems and security, and no other", async () => {
    const document = await documentAt(base);
    const methods = Object.values<object>(document.paths).flatMap((path) => Object.keys(path));
    expect(methods).toHaveLength(Object.keys(service.operations).length);
    for (const [key, operation] of Object.entries(service.operations)) {
      const shown = document.paths[operation.path][operation.method];
      expect(shown.operationId).toBe(key);
      expect(shown["x-source"]).toBe(operation.source);
      expect(Object.keys(shown.responses).map(Number)).toEqual(listStatuses(service, operation));
      const named = { [operation.security]: [] };
      const optional = service === control ? [{}, named] : [named]; // without a token nobody asks for one
      expect(shown.security).toEqual(operation.security === "none" ? [] : optional);
      for (const status of Object.keys(operation.responses))
        expect(Object.keys(shown.responses[status].headers ?? {})).toEqual(Object.keys(operation.headers));
      for (const problem of listProblems(service, operation)) {
        const { status = 0, source } = service.problems[problem] ?? {};
        expect(shown.responses[status].description).toContain(`\`${problem}\``);
        expect(shown.responses[status]["x-sources"][problem]).toBe(source);
      }
    }
  });

  test("shows an example of every body that a client sends, and it is accepted by the schema", async () => {
    const document = await documentAt(base);
    for (const operation of Object.values(service.operations)) {
      const { body } = operation.request;
      const accepts = operation.request.accepts?.slice(0, 1) ?? service.codec.accepts;
      const content = document.paths[operation.path][operation.method].requestBody?.content ?? {};
      expect(Object.keys(content)).toEqual(body === undefined ? [] : accepts);
      for (const { example } of Object.values<{ example: unknown }>(content))
        expect(body?.safeParse(example).success, operation.path).toBe(true);
    }
  });

  test("resolves every reference, and contains no internal keywords", async () => {
    const document = await documentAt(base);
    const text = JSON.stringify(document);
    for (const [, name = ""] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g))
      expect(document.components.schemas).toHaveProperty([name]);
    expect(text).not.toMatch(/"\$defs"|"wire":|"\$schema"|"\$ref":"#"/);
  });

  test("is the same for the same world, and reading it changes nothing", async ({ sandbox }) => {
    const before = (await sandbox.state()).digest;
    expect(await read(sandbox, base)).toEqual(await documentAt(base));
    expect(await read(sandbox, base)).toEqual(await documentAt(base));
    expect((await sandbox.state()).digest).toBe(before);
  });
});

test("the control API document describes every parameter and group, and the first steps", async () => {
  const document = await documentAt("/_vitrine");
  const operations = Object.values<Json>(document.paths).flatMap((path) => Object.values<Json>(path));
  const silent = operations.flatMap(({ operationId, parameters = [] }) =>
    parameters
      .filter(({ description }: Json) => description === undefined)
      .map(({ name }: Json) => `${operationId} ${name}`),
  );
  expect(silent).toEqual([]);
  expect(document.tags.filter(({ description }: Json) => description === undefined)).toEqual([]);
  expect(document.info.description).toContain(`curl ${document.servers[0].url}/state`);
  const groups = document.tags.map(({ name }: Json) => [name]);
  for (const { operationId, tags } of operations) expect(groups, operationId).toContainEqual(tags);
  for (const { operationId, "x-codeSamples": samples } of operations)
    expect(samples, operationId).toMatchObject([{ lang: "Shell", source: expect.stringMatching(/^curl /) }]);
});

test("the account document shows the response to a body without a media type", async ({ sandbox }) => {
  const { paths } = await documentAt("/account");
  const { content } = paths["/users/{id}"].put.responses[415];
  const { examples } = content["application/problem+json"];
  const headers = {
    authorization: `Bearer ${sandbox.auth.token()}`,
    accept: "application/json",
  };
  const body = new TextEncoder().encode("{}"); // of a text, fetch would say that it is one
  const response = await sandbox.fetch("/account/users/me", { method: "PUT", headers, body });
  expect([response.status, sandbox.journal.last?.problem]).toEqual([415, "unsupportedMedia"]);
  expect(Object.keys((await response.json()) as object)).toEqual(
    Object.keys(examples.unsupportedMedia.value),
  );
});

describe.for(simulated)("the document of $name", (service) => {
  const [{ base } = { base: "" }] = service.environments;

  test("has for each operation a response with the fields and, for a GET, the data of its example request", async ({
    sandbox,
  }) => {
    const { paths } = await documentAt(base);
    for (const operation of Object.values(service.operations)) {
      const { responses } = paths[operation.path][operation.method];
      const [[status, { content = {} }] = ["", {}]] = Object.entries<Json>(responses);
      for (const [media, { example }] of Object.entries<Json>(content)) {
        if (!media.includes("json")) continue;
        sandbox.reset();
        const response = await send(sandbox, service, operation, media);
        expect(String(response.status)).toBe(status);
        const body: Json = await response.json();
        // The view of a filtered list repeats the query, which an example in the document has not.
        const { "hydra:view": _view, ...shown } = body;
        const isGet = operation.method === "get" && operation.request.query.shape["year"] === undefined;
        if (isGet) expect(example, operation.path).toEqual(Array.isArray(body) ? body : shown);
        else
          expect(Object.keys(example), operation.path).toEqual(
            Object.keys(Array.isArray(body) ? body : shown),
          );
      }
    }
  });

  test("stays equal, byte by byte, after logins, changes of passwords and profiles, requests and scenarios", async ({
    sandbox,
  }) => {
    const bytes = async () => (await sandbox.fetch(`${base}/openapi.json`)).text();
    const before = await bytes();
    const headers = await sandbox.auth.login();
    const password = "Mine!2026x";
    await sandbox.account.changePassword({ params: { id: "me" }, headers, body: { password } });
    await sandbox.account.replaceUser({ params: { id: "me" }, headers, body: { fullname: "Changed" } });
    sandbox.data.museum.specialEvents.replace([]);
    await sandbox.clock.advance("40d");
    const identity = { name: "eve@example.test", password: "RealSecret!1", uid: 999, roles: {} };
    await sandbox.scenario({ version: 1, data: { account: { identities: { upsert: [identity] } } } });
    expect(await bytes()).toBe(before);
    expect(before).not.toContain(password);
    expect(sandbox.data.account.users.all()[0]).toMatchObject({ fullname: "Changed" });
  });

  test("describes every operation, group, parameter, header and property", async () => {
    const document = await documentAt(base);
    const silent: string[] = [];
    const look = (node: Json, path: string): void => {
      if (typeof node !== "object" || node === null) return;
      for (const [name, property] of Object.entries<Json>(node.properties ?? {}))
        if (property.description === undefined && property.$ref === undefined) silent.push(`${path} ${name}`);
      for (const [name, part] of Object.entries(node)) if (name !== "example") look(part, `${path}/${name}`);
    };
    look(document.components.schemas, "");
    for (const path of Object.values<Json>(document.paths))
      for (const { operationId, description, tags, responses, parameters = [] } of Object.values<Json>(
        path,
      )) {
        if (description === undefined) silent.push(operationId);
        expect(document.tags.map(({ name }: Json) => name)).toEqual(expect.arrayContaining(tags));
        expect(tags, operationId).toHaveLength(1);
        for (const [status, answer] of Object.entries<Json>(responses))
          if (status !== "204" && /^(OK|Created)\.$/.test(answer.description))
            silent.push(`${operationId} ${status}`);
          else
            for (const [name, header] of Object.entries<Json>(answer.headers ?? {}))
              if (header.description === undefined || header.schema.type !== "string")
                silent.push(`${operationId} ${status} ${name}`);
        for (const parameter of parameters)
          if (parameter.description === undefined) silent.push(`${operationId} ${parameter.name}`);
      }
    for (const { name, description } of document.tags) if (description === undefined) silent.push(name);
    expect(silent).toEqual([]);
    expect(document.info.contact).toBeDefined();
  });
});

test("a document names the URL of its request as the server: another host, a world, a separate port", async () => {
  await using sandbox = await frozenSandbox();
  const { urls } = await sandbox.listen({ ownPorts: true });
  const world = sandbox.fork();
  for (const url of [
    urls.museum,
    world.urls.museum,
    urls.account,
    urls.museum.replace("127.0.0.1", "localhost"),
  ]) {
    const document: Json = await (await fetch(`${url}/openapi.json`)).json();
    expect(document.servers[0].url).toBe(url);
  }
});

test("document and server both require the event id in a ticket for an event", async ({ sandbox }) => {
  const { components }: Json = await (await sandbox.fetch("/museum/v1.1/openapi.json")).json();
  const isGood = new Ajv2020({ strict: false, validateFormats: false }).compile(
    components.schemas.TicketPurchase,
  );
  const ticket = { ticketType: "event", ticketDate: "2026-03-31", email: "todd@example.test" } as const;
  for (const body of [ticket, { ...ticket, ticketType: "general" as const }]) {
    const { status } = await sandbox.museum.buyMuseumTickets({ body });
    expect(isGood(body)).toBe(status === 201);
  }
});

test("the example in the document of a museum without events is accepted", async ({ sandbox }) => {
  sandbox.data.museum.specialEvents.replace([]);
  const { paths }: Json = await (await sandbox.fetch("/museum/v1.1/openapi.json")).json();
  const body = paths["/special-events"].post.requestBody.content["application/json"].example;
  expect((await sandbox.museum.createSpecialEvent({ body })).status).toBe(201);
});

describe("with other settings", () => {
  test.override({
    options: {
      settings: {
        museum: { validationStatus: 422, errorDetail: true, limitAboveMaximum: "clamp" },
        account: { login: { status: 403 } },
      },
    },
  });

  test("the documents show the responses under these settings", async ({ sandbox }) => {
    const museum: Json = await (await sandbox.fetch("/museum/v1.1/openapi.json")).json();
    const { get, post } = museum.paths["/special-events"];
    expect(Object.keys(post.responses)).toEqual(["201", "401", "413", "422"]);
    expect(get.parameters.find(({ name }: Json) => name === "limit").schema).not.toHaveProperty("maximum");
    expect(Object.keys(museum.components.schemas.Problem.properties)).toContain("errors");
    const account: Json = await (await sandbox.fetch("/account/openapi.json")).json();
    expect(Object.keys(account.paths["/login"].post.responses)).toContain("403");
    expect(Object.keys(account.paths["/login"].post.responses)).not.toContain("429");
  });
});

test("a service at the root of its port has its origin as the server", () => {
  const [service] = simulated;
  if (service === undefined) return expect.unreachable("there is a service");
  const bare = toOpenApi(
    { ...service, operations: {} },
    { server: { origin: "http://localhost:4010", base: "" }, state: undefined, settings: {} },
  );
  expect(bare).toMatchObject({ servers: [{ url: "http://localhost:4010" }], paths: {} });
});

function environmentOf({ environments: [first] }: Service) {
  if (first === undefined) throw new Error("A service has an environment.");
  return first;
}

/** Sends the operation's own example with valid credentials. */
function send(sandbox: TestSandbox, service: Service, operation: AnyOperation, accept: string) {
  const environment = environmentOf(service);
  const {
    params = {},
    query = {},
    body,
  } = operation.example(sandbox.core.getServiceState(service, environment));
  const isBearer = operation.security === "bearer";
  const { authorization } = isBearer
    ? { authorization: `Bearer ${sandbox.auth.token()}` }
    : sandbox.auth.basic();
  return sandbox.fetch(environment.base + toPath(operation, { params, query }), {
    method: operation.method.toUpperCase(),
    headers: { accept, authorization, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
