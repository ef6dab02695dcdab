// What every operation of every service keeps, read from the declarations: a new operation is covered by itself.

import { describe, expect } from "vitest";
import { z } from "zod";
import { control } from "../src/control/index.ts";
import { toPath } from "../src/operation/client.ts";
import type { AnyOperation, Example } from "../src/operation/operation.ts";
import {
  type Environment,
  formatOperationName,
  listProblems,
  listStatuses,
  type Service,
} from "../src/operation/service.ts";
import { services } from "../src/services/index.ts";
import { type TestSandbox, test, testOfMistakes } from "./support/test.ts";

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, read as it comes
type Json = any;
type Case = {
  readonly name: string;
  readonly key: string;
  readonly service: Service;
  readonly environment: Environment;
  readonly operation: AnyOperation;
};

const casesOf = (service: Service): readonly Case[] =>
  service.environments.flatMap((environment) =>
    Object.entries(service.operations).map(([key, operation]) => ({
      name: `${formatOperationName(service, key)} of ${environment.key}`,
      key,
      service,
      environment,
      operation,
    })),
  );
const cases = services.flatMap(casesOf);

test("the list of operations is not empty", () => {
  expect(cases.length).toBeGreaterThanOrEqual(8 + 2 * 13);
});

describe.for(cases)("$name", (one) => {
  const { service, environment, operation } = one;
  const name = formatOperationName(service, one.key);

  test("returns its example in every documented media type", async ({ sandbox }) => {
    const [status, schema] = Object.entries(operation.responses)[0] ?? [];
    const forms = schema === undefined ? {} : service.codec.forms(schema);
    for (const media of Object.keys(forms).length === 0 ? ["*/*"] : Object.keys(forms)) {
      sandbox.reset();
      const response = await send(sandbox, one, { headers: { accept: media } });
      expect(response.status, await response.clone().text()).toBe(Number(status));
      await fits(response, forms);
      for (const header of Object.keys(operation.headers))
        expect(response.headers.has(header), header).toBe(true);
      expect(sandbox.journal.last).toMatchObject({
        operation: name,
        environment: environment.key,
        status: Number(status),
      });
      expect(sandbox.journal.last?.findings).toEqual([]);
    }
  });

  test("returns each documented problem if a rule asks for it, and changes nothing", async ({ sandbox }) => {
    for (const problem of listProblems(service, operation)) {
      sandbox.reset();
      const before = kept(sandbox, one);
      sandbox.use({ when: { operation: name, environment: environment.key }, then: { problem } });
      const response = await send(sandbox, one);
      expect(response.status, problem).toBe(service.problems[problem]?.status);
      await fits(response, service.codec.problemForms(response.status, operation));
      for (const header of Object.keys(service.problems[problem]?.headers ?? {}))
        expect(response.headers.has(header), header).toBe(true);
      expect(sandbox.journal.last).toMatchObject({ operation: name, problem, status: response.status });
      expect(kept(sandbox, one)).toEqual(before);
    }
  });

  if (operation.security !== "none")
    test("is 401 without credentials", async ({ sandbox }) => {
      const response = await send(sandbox, one, { headers: { authorization: "" } });
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toBeTruthy();
      await fits(response, service.codec.problemForms(401, operation));
    });

  if (operation.request.body !== undefined)
    test("refuses a bad body and changes nothing", async ({ sandbox }) => {
      const before = kept(sandbox, one);
      for (const raw of ["", "{", "null", "7", '"x"', '{"\\ud800": 1e}']) {
        const response = await send(sandbox, one, { raw });
        expect(response.status, raw).toBeGreaterThanOrEqual(400);
        expect(listStatuses(service, operation), `${raw}: ${response.status}`).toContain(response.status);
        await fits(response, service.codec.problemForms(response.status, operation));
      }
      const typeless = await send(sandbox, one, {
        raw: "{}",
        headers: { "content-type": "application/xml" },
      });
      expect(typeless.status).toBeGreaterThanOrEqual(400);
      expect(listStatuses(service, operation)).toContain(typeless.status);
      expect(kept(sandbox, one)).toEqual(before);
    });

  if (operation.request.body !== undefined)
    test.for([{}, { museum: { strictDomain: true } }])(
      "refuses requests that its document excludes, under %j",
      async (settings, { sandbox }) => {
        await sandbox.scenario({ version: 1, settings });
        const response = await sandbox.fetch(`${environment.base}/openapi.json`);
        const { components, paths } = (await response.json()) as Json;
        const { content } = paths[operation.path][operation.method].requestBody;
        const { body } = operation.example(sandbox.core.getServiceState(service, environment));
        for (const [field, value] of listViolations(content["application/json"].schema, components.schemas)) {
          const raw = JSON.stringify({ ...(body as object), [field]: value });
          const { status } = await send(sandbox, one, { raw });
          expect(status, raw).toBeGreaterThanOrEqual(400);
          expect(sandbox.journal.last).toMatchObject({ changes: [] });
        }
      },
    );

  test("ignores an unknown query parameter, and the journal reports it", async ({ sandbox }) => {
    const response = await send(sandbox, one, { query: { "no-such-parameter": "1" } });
    expect(response.ok, await response.clone().text()).toBe(true);
    expect(sandbox.journal.last?.findings.map((finding) => finding.key)).toEqual(["unknownQuery"]);
  });

  testOfMistakes("returns 405 and the allowed methods for other methods of its path", async ({ sandbox }) => {
    const siblings = Object.values(service.operations).filter(({ path }) => path === operation.path);
    const taken = siblings.map(({ method }) => method.toUpperCase());
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((name) => !taken.includes(name))) {
      const response = await send(sandbox, one, { method, raw: undefined });
      expect(response.status, method).toBe(405);
      expect(response.headers.get("allow")?.split(", ")).toEqual(expect.arrayContaining(taken));
      await fits(response, generalForms(service, 405));
    }
  });

  if (operation.method === "get")
    test("answers HEAD with the headers of GET and no body", async ({ sandbox }) => {
      const get = await send(sandbox, one);
      const head = await send(sandbox, one, { method: "HEAD" });
      expect(head.status).toBe(get.status);
      expect(await head.text()).toBe("");
      expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers));
      expect(Number(head.headers.get("content-length"))).toBe((await get.arrayBuffer()).byteLength);
    });
});

describe.for(casesOf(control))("$name", (one) => {
  const { service, operation } = one;
  const statuses = listStatuses(service, operation);

  test("returns the documented response to its example", async ({ sandbox }) => {
    const response = await send(sandbox, one);
    expect(statuses).toContain(response.status);
    const schema = operation.responses[response.status];
    await fits(
      response,
      schema === undefined
        ? service.codec.problemForms(response.status, operation)
        : service.codec.forms(schema),
    );
  });

  test("refuses a query that nobody knows", async ({ sandbox }) => {
    const response = await send(sandbox, one, { query: { "no-such-parameter": "1" } });
    expect(response.status).toBe(400);
    await fits(response, service.codec.problemForms(400, operation));
  });

  if (operation.request.body !== undefined)
    test("refuses a bad body", async ({ sandbox }) => {
      for (const raw of ["{", "7", '{"no-such-field": 1}', '{"a": 1, "a": 2}']) {
        const response = await send(sandbox, one, { raw });
        expect(statuses, `${raw}: ${response.status}`).toContain(response.status);
        expect(response.status, raw).toBeGreaterThanOrEqual(400);
        await fits(response, service.codec.problemForms(response.status, operation));
      }
    });
});

type Change = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Example["query"];
  readonly raw?: string | undefined;
};

/** The operation's own example with good credentials, changed in one point. */
/** Values just beyond each bound of a schema's fields. */
function listViolations(schema: Json, shapes: Json): readonly (readonly [field: string, value: unknown])[] {
  const shape = schema.$ref === undefined ? schema : shapes[schema.$ref.replace(/^.*\//, "")];
  const { properties = {} } = shape.oneOf?.[0] ?? shape;
  return Object.entries<Json>(properties).flatMap(([field, bounds]) => {
    const { minLength, maxLength, minimum, exclusiveMinimum, maximum, minItems } = bounds;
    return [
      ...(minLength > 0 ? ["x".repeat(minLength - 1)] : []),
      ...(maxLength === undefined ? [] : ["x".repeat(maxLength + 1)]),
      ...(minimum === undefined ? [] : [minimum - 1]),
      ...(exclusiveMinimum === undefined ? [] : [exclusiveMinimum]),
      ...(maximum === undefined ? [] : [maximum + 1]),
      ...(minItems > 0 ? [[]] : []),
      ...(bounds.enum === undefined ? [] : ["no such value"]),
    ].map((value) => [field, value] as const);
  });
}

async function send(sandbox: TestSandbox, one: Case, change: Change = {}): Promise<Response> {
  const { service, environment, operation } = one;
  const example = operation.example(sandbox.core.getServiceState(service, environment));
  const path = toPath(operation, {
    params: example.params ?? {},
    query: { ...example.query, ...change.query },
  });
  const body =
    "raw" in change ? change.raw : example.body === undefined ? undefined : JSON.stringify(example.body);
  return sandbox.fetch(environment.base + path, {
    method: change.method ?? operation.method.toUpperCase(),
    headers: {
      ...credentials(sandbox, one),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...change.headers,
    },
    ...(body === undefined ? {} : { body }),
  });
}

function credentials(
  { auth }: TestSandbox,
  { environment, operation }: Case,
): Readonly<Record<string, string>> {
  const headers: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
    none: () => ({}),
    guard: () => ({}), // asks for nothing while there is no token
    basic: () => auth.basic(),
    // The environment of a bearer token is an account's: no other service has the scheme.
    bearer: () => ({ authorization: `Bearer ${auth.token({ environment: environment.key as "account" })}` }),
  };
  const make = headers[operation.security];
  if (make === undefined)
    throw new Error(`Nobody here knows credentials of the scheme ${operation.security}.`);
  return make();
}

/** The body is of a documented media type and of that type's schema. A stream does not end: it is not read. */
async function fits(response: Response, forms: ReturnType<Service["codec"]["forms"]>): Promise<void> {
  const media = (response.headers.get("content-type") ?? "").split(";")[0] ?? "";
  if (Object.keys(forms).length > 0) expect(Object.keys(forms)).toContain(media);
  if (media === "text/event-stream") return response.body?.cancel();
  const text = await response.text();
  if (Object.keys(forms).length === 0) return expect(text).toBe("");
  const form = forms[media];
  if (form instanceof z.ZodType) expect(form.safeParse(JSON.parse(text)).error?.issues ?? []).toEqual([]);
  else expect(text).not.toBe("");
}

/** What a refusal looks like that belongs to no operation. */
function generalForms({ codec, operations }: Service, status: number): ReturnType<Service["codec"]["forms"]> {
  return Object.assign(
    {},
    ...Object.values(operations).map((operation) => codec.problemForms(status, operation)),
  );
}

/** Everything that the service keeps in this environment. */
function kept(sandbox: TestSandbox, { service, environment }: Case): unknown {
  return Object.keys(service.collections).map((name) =>
    sandbox.core.collection(service, environment, name).all(),
  );
}
