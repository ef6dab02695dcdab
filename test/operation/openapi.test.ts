// The OpenAPI documents: what a generated client reads, made from the declarations alone.

import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect } from "vitest";
import { control } from "../../src/control/index.ts";
import { toOpenApi } from "../../src/operation/openapi.ts";
import { documentedProblems, documentedStatuses } from "../../src/operation/service.ts";
import { services as simulated } from "../../src/services/index.ts";
import { test } from "../support/test.ts";

// biome-ignore lint/suspicious/noExplicitAny: an assertion on a missing field fails by itself
type Json = any;

const services = [...simulated, control];
const environments = services.flatMap((service) =>
  service.environments.map((environment) => ({ key: environment.key, service, environment })),
);

describe.for(environments)("the document of $key", ({ service, environment }) => {
  const read = async (sandbox: { fetch(path: string): Promise<Response> }): Promise<Json> => {
    const response = await sandbox.fetch(`${environment.base}/openapi.json`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    return response.json();
  };

  test("is served at its base address, which it names as the server", async ({ sandbox }) => {
    const document = await read(sandbox);
    expect(document.openapi).toBe("3.1.0");
    expect(document.info.version).toBe(service.version);
    expect(document.servers).toEqual([{ url: environment.base }]);
  });

  test("has every operation with its statuses, problems and security, and no other", async ({ sandbox }) => {
    const document = await read(sandbox);
    const methods = Object.values<object>(document.paths).flatMap((path) => Object.keys(path));
    expect(methods).toHaveLength(Object.keys(service.operations).length);
    for (const [key, operation] of Object.entries(service.operations)) {
      const shown = document.paths[operation.path][operation.method];
      expect(shown.operationId).toBe(key);
      expect(Object.keys(shown.responses).map(Number)).toEqual(documentedStatuses(service, operation));
      expect(shown.security).toEqual(operation.security === "none" ? [] : [{ [operation.security]: [] }]);
      for (const problem of documentedProblems(service, operation)) {
        const { status = 0, source = "" } = service.problems[problem] ?? {};
        const { description } = shown.responses[status];
        expect(description).toContain(`\`${problem}\``);
        expect(description).toContain(source.replace(/\.$/, ""));
      }
    }
  });

  test("shows an example of every body that a client sends, and it is accepted by the schema", async ({
    sandbox,
  }) => {
    const document = await read(sandbox);
    for (const operation of Object.values(service.operations)) {
      const { body } = operation.request;
      const accepts = operation.request.accepts?.slice(0, 1) ?? service.codec.accepts;
      const content = document.paths[operation.path][operation.method].requestBody?.content ?? {};
      expect(Object.keys(content)).toEqual(body === undefined ? [] : accepts);
      for (const { example } of Object.values<{ example: unknown }>(content))
        expect(body?.safeParse(example).success, operation.path).toBe(true);
    }
  });

  test("resolves every reference it makes, and leaves no trace of how it was made", async ({ sandbox }) => {
    const document = await read(sandbox);
    const text = JSON.stringify(document);
    for (const [, name = ""] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g))
      expect(document.components.schemas).toHaveProperty([name]);
    expect(text).not.toMatch(/"\$defs"|"wire":|"\$schema"|"\$ref":"#"/);
  });

  test("is the same for the same world, and reading it changes nothing", async ({ sandbox }) => {
    const before = (await sandbox.state()).digest;
    expect(await read(sandbox)).toEqual(await read(sandbox));
    expect((await sandbox.state()).digest).toBe(before);
  });
});

test("the museum's document shows the answers of its own data", async ({ sandbox }) => {
  const { paths }: Json = await (await sandbox.fetch("/museum/v1.1/openapi.json")).json();
  const list = paths["/special-events"].get.responses[200].content["application/json"].example;
  const { body } = await sandbox.museum.listSpecialEvents({ query: { limit: 2 } });
  expect(list).toEqual(body);
  const created = paths["/special-events"].post.responses[201].content["application/json"].example;
  expect(sandbox.data.museum.specialEvents.all()).toContainEqual(created);
});

describe("under other settings", () => {
  test.override({
    options: {
      settings: {
        museum: { validationStatus: 422, errorDetail: true, limitAboveMaximum: "clamp" },
        account: { login: { status: 403 } },
      },
    },
  });

  test("the documents show what is answered then", async ({ sandbox }) => {
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

test("a service at the root of its port has the server /", () => {
  const [service] = simulated;
  if (service === undefined) return expect.unreachable("there is a service");
  const bare = toOpenApi({ ...service, operations: {} }, { server: "", state: undefined, settings: {} });
  expect(bare).toMatchObject({ servers: [{ url: "/" }], paths: {} });
});

test("redocly finds nothing to say against the documents", { timeout: 30_000 }, async ({ sandbox }) => {
  const folder = await mkdtemp(join(tmpdir(), "openapi-"));
  try {
    const files: string[] = [];
    for (const {
      name,
      environments: [first],
    } of simulated) {
      const response = await sandbox.fetch(`${first?.base}/openapi.json`);
      files.push(join(folder, `${name}.json`));
      await writeFile(files.at(-1) ?? "", await response.text());
    }
    const bin = join("node_modules", "@redocly", "cli", "bin", "cli.js");
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, [bin, "lint", "--format=json", ...files], { env });
    // One JSON object a file, with nothing between them.
    const reports: { problems: unknown[] }[] = JSON.parse(
      `[${stdout.trim().replaceAll(/\}\s*\{(?=\s*"totals")/g, "},{")}]`,
    );
    expect(reports.map(({ problems }) => problems)).toEqual(files.map(() => []));
  } finally {
    await rm(folder, { recursive: true });
  }
});
