// For each setting and each of its values: the document, the answers and the coverage say the same.

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { describe, expect } from "vitest";
import { z } from "zod";
import type { SandboxOptions } from "../../src/open/create-sandbox.ts";
import { toPath } from "../../src/operation/client.ts";
import type { AnyOperation, Example } from "../../src/operation/operation.ts";
import { formatOperationName, listProblems, type Service } from "../../src/operation/service.ts";
import { services } from "../../src/services/index.ts";
import { type TestSandbox, test } from "../support/test.ts";

// biome-ignore lint/suspicious/noExplicitAny: an assertion on a missing field fails by itself
type Json = any;
type Walked = { readonly name: string; readonly service: Service; readonly settings: object };

const KNOWN = { user: "guide", password: "lamp" };
/** Values of settings that take any text or number. */
const OPEN: Readonly<Record<string, readonly unknown[]>> = {
  "museum.credentials": [[KNOWN]],
  "account.tokenLifetime": ["1h", "24h"],
  "account.login.every": ["1h", "24h"],
  // Each has another meaning at the login, too.
  "account.login.status": [400, 401, 403, 404, 413, 422, 429],
  "account.login.message": ["Come back tomorrow."],
  "account.pageSize": [1, 30],
  "account.usage.pricePerInvoice": ["1.00"],
  "account.actionDuration": ["1m"],
};

const walked = services.flatMap((service): Walked[] => [
  { name: `${service.name} by default`, service, settings: {} },
  ...valuesIn(service.name, z.toJSONSchema(service.settings, { io: "input" })).map(([path, value]) => ({
    name: `${path}: ${JSON.stringify(value)}`,
    service,
    settings: nested(path.split(".").slice(1), value),
  })),
]);

test("more than fifty variants of settings are tested", () => {
  expect(walked.length).toBeGreaterThan(50);
});

describe.for(walked)("$name", ({ service, settings }) => {
  test.override({ options: { settings: { [service.name]: settings } } as SandboxOptions });

  test("document and coverage list the same answers", async ({ sandbox }) => {
    const document = await read(sandbox, service);
    const listed = operationsOf(document).flatMap(({ key, shown }) =>
      Object.entries<Json>(shown.responses).flatMap(([status, { content = { "": {} } }]) =>
        Object.keys(content).map((media) => `${service.name}.${key} ${status} ${media}`),
      ),
    );
    const counted = sandbox.coverage
      .data()
      .documented.filter(({ operation }) => operation.startsWith(`${service.name}.`))
      .map(({ operation, status, media }) => `${operation} ${status} ${media}`);
    expect(counted.sort()).toEqual(listed.sort());
  });

  test("every response matches the document in status, media type and schema", async ({ sandbox }) => {
    const judge = judgeOf(await read(sandbox, service));
    for (const [key, operation] of offered(service, sandbox)) {
      for (const accept of Object.keys(formsOf(service))) {
        sandbox.reset();
        // Twice: the second login is too early, the second delete finds nothing.
        for (let time = 0; time < 2; time += 1)
          await judge(operation, await send(sandbox, service, operation, { accept }));
        for (const authorization of ["", "Basic none", "Bearer none"])
          await judge(operation, await send(sandbox, service, operation, { accept, authorization }));
        for (const type of ["text/plain", "application/json; charset=utf-16"])
          await judge(operation, await send(sandbox, service, operation, { accept, "content-type": type }));
        await judge(operation, await send(sandbox, service, operation, { accept: "image/gif" }));
        for (const change of wrong(operation))
          await judge(operation, await send(sandbox, service, operation, { accept }, change));
        for (const problem of listProblems(service, operation)) {
          sandbox.reset();
          sandbox.use({ when: { operation: formatOperationName(service, key) }, then: { problem } });
          await judge(operation, await send(sandbox, service, operation, { accept }));
        }
      }
    }
    expect(sandbox.coverage.data().undocumented).toEqual([]);
  });

  test("a request is refused if and only if the document forbids it", async ({ sandbox }) => {
    const document = await read(sandbox, service);
    const ajv = ajvOf(document);
    for (const [, operation] of offered(service, sandbox)) {
      const shown = document.paths[operation.path][operation.method];
      for (const change of [{}, ...probes(operation)]) {
        sandbox.reset();
        const [{ reply: _reply, ...example }, sent] = exampleOf(sandbox, service, operation, change);
        const response = await send(sandbox, service, operation, {}, change);
        const allowed =
          fits(ajv, bodyOf(shown), sent.body) &&
          (shown.parameters ?? []).every((parameter: Json) =>
            fits(ajv, parameter.schema, asTyped(parameter, sent)),
          );
        const about = `${operation.method} ${operation.path} ${JSON.stringify(change)} after ${JSON.stringify(example)}`;
        expect(`${about}: ${response.ok ? "good" : "refused"}`).toBe(
          `${about}: ${allowed ? "good" : "refused"}`,
        );
      }
    }
  });
});

type Change = { readonly query?: Example["query"]; readonly body?: unknown; readonly raw?: string };

/** Requests that are refused, or answered in another way, under some settings. */
function wrong({ request, method }: AnyOperation): readonly Change[] {
  if (request.body !== undefined)
    return [{ raw: "{" }, { raw: "[]" }, { body: {} }, { body: { more: 1 } }, ...typeErrors(request.body)];
  if (method !== "get") return [];
  const names = Object.keys(request.query.shape).filter((name) => !name.endsWith("[]"));
  return names.flatMap((name) =>
    ["x", "0", "31", "2020-01-01"].map((value) => ({ query: { [name]: value } })),
  );
}

function typeErrors(body: z.ZodType): readonly Change[] {
  const [field = ""] = Object.keys((body as z.ZodObject).shape ?? {});
  return [{ body: { [field]: [] } }, { body: { [field]: null } }];
}

/** Requests of which the document can say by itself whether they are good. */
function probes({ path, method }: AnyOperation): readonly Change[] {
  const event = { name: " ", location: "Hall 2", eventDescription: "Late.", dates: ["2026-12-31"], price: 1 };
  switch (`${method} ${path}`) {
    case "post /special-events":
      return [
        { body: event },
        { body: { ...event, name: "Lamps", more: 1 } },
        { body: { ...event, name: "Lamps", price: 0 } },
        { body: { ...event, name: "Lamps", dates: [] } },
        { body: { ...event, name: 7 } },
      ];
    case "patch /special-events/{eventId}":
      return [{ body: { name: "" } }, { body: { more: 1 } }, { body: {} }];
    case "get /special-events":
    case "get /museum-hours":
      return ["0", "1", "30", "31"].map((limit) => ({ query: { limit } }));
    case "get /consumptions":
    case "get /pre-sales":
    case "get /pre-sale-actions":
      return ["0", "1"].map((page) => ({ query: { page } }));
    case "put /users/{id}":
      return [{ body: { fullname: null } }, { body: { fullname: 7 } }, { body: { more: 1 } }];
    case "put /users/{id}/change-password":
      return ["", "Vitrine!", "Vitrine7", "V7!", "Vitrine!7"].map((password) => ({ body: { password } }));
    default:
      return [];
  }
}

function valuesIn(prefix: string, { properties = {} }: Json): (readonly [string, unknown])[] {
  return Object.entries<Json>(properties).flatMap(([name, field]) => {
    const path = `${prefix}.${name}`;
    if (field.properties !== undefined) return valuesIn(path, field);
    const values = OPEN[path] ?? field.enum ?? (field.type === "boolean" ? [false, true] : undefined);
    if (values === undefined) throw new Error(`${path} needs values to walk.`);
    return values.map((value: unknown) => [path, value] as const);
  });
}

function nested([name = "", ...deeper]: readonly string[], value: unknown): object {
  return { [name]: deeper.length === 0 ? value : nested(deeper, value) };
}

/** The forms to ask for: those of any answer. */
function formsOf({ codec, operations }: Service): object {
  return Object.assign(
    {},
    ...Object.values(operations).flatMap(({ responses }) =>
      Object.values(responses).map((schema) => codec.forms(schema)),
    ),
  );
}

function environmentOf({ environments: [first] }: Service) {
  if (first === undefined) throw new Error("A service has an environment.");
  return first;
}

async function read(sandbox: TestSandbox, service: Service): Promise<Json> {
  const response = await sandbox.fetch(`${environmentOf(service).base}/openapi.json`);
  expect(response.status).toBe(200);
  return response.json();
}

function operationsOf(document: Json): readonly { readonly key: string; readonly shown: Json }[] {
  return Object.values<Json>(document.paths)
    .flatMap((path) => Object.values<Json>(path))
    .map((shown) => ({ key: shown.operationId, shown }));
}

function offered(service: Service, sandbox: TestSandbox): readonly (readonly [string, AnyOperation])[] {
  const { switched } = service;
  const isOn = switched?.isOn(sandbox.core.settingsOf(service)) ?? true;
  return Object.entries(service.operations).filter(([, one]) => isOn || !switched?.operations.has(one));
}

function ajvOf(document: Json): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "document", components: document.components });
  return ajv;
}

const compiled = new WeakMap<Ajv2020, Map<string, ValidateFunction>>();

/** References are those of the document. */
function compile(ajv: Ajv2020, schema: Json): ValidateFunction {
  const known = compiled.get(ajv) ?? new Map<string, ValidateFunction>();
  compiled.set(ajv, known);
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
  const validate = known.get(text) ?? ajv.compile(JSON.parse(text));
  known.set(text, validate);
  return validate;
}

function fits(ajv: Ajv2020, schema: Json, value: unknown): boolean {
  return schema === undefined || value === undefined || compile(ajv, schema)(value) === true;
}

function bodyOf({ requestBody }: Json): Json {
  return Object.values<Json>(requestBody?.content ?? {})[0]?.schema;
}

function asTyped({ in: where, name, schema }: Json, { params, query }: Example): unknown {
  const value = where === "path" ? params?.[name] : query?.[name];
  return schema.type === "integer" && value !== undefined ? Number(value) : value;
}

function judgeOf(document: Json) {
  const ajv = ajvOf(document);
  return async (operation: AnyOperation, response: Response): Promise<void> => {
    const text = await response.text();
    const { responses } = document.paths[operation.path][operation.method];
    const about = `${operation.method} ${operation.path} ${response.status} ${text}`;
    expect(Object.keys(responses), about).toContain(String(response.status));
    const { content } = responses[response.status];
    if (content === undefined) return expect(text).toBe("");
    const media = (response.headers.get("content-type") ?? "").split(";")[0] ?? "";
    expect(Object.keys(content), about).toContain(media);
    if (!media.includes("json")) return;
    const validate = compile(ajv, content[media].schema);
    expect(validate(JSON.parse(text)) ? [] : validate.errors, about).toEqual([]);
  };
}

function exampleOf(
  sandbox: TestSandbox,
  service: Service,
  operation: AnyOperation,
  change: Change,
): readonly [Example, Example] {
  const example = operation.example(sandbox.core.getServiceState(service, environmentOf(service)));
  const sent = {
    params: example.params ?? {},
    query: { ...example.query, ...change.query },
    body: "body" in change ? change.body : example.body,
  };
  return [example, sent];
}

function send(
  sandbox: TestSandbox,
  service: Service,
  operation: AnyOperation,
  headers: Readonly<Record<string, string>>,
  change: Change = {},
): Promise<Response> {
  const [, { params = {}, query = {}, body }] = exampleOf(sandbox, service, operation, change);
  const raw = change.raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const { auth } = sandbox;
  const credentials: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
    none: () => ({}),
    basic: () => auth.basic(KNOWN.user, KNOWN.password),
    bearer: () => ({ authorization: `Bearer ${auth.token()}` }),
  };
  return sandbox.fetch(environmentOf(service).base + toPath(operation, { params, query }), {
    method: operation.method.toUpperCase(),
    headers: {
      ...credentials[operation.security]?.(),
      ...(raw === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(raw === undefined ? {} : { body: raw }),
  });
}
