// Clients that four generators make of the served documents, each in a session of theirs, at the address that the
// document names; those of two steer a whole test by the control API. Slow: installs the generators of generators/ in a
// folder of its own.

import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toIso } from "../../src/world/time.ts";
import { frozenSandbox, NOW, type TestSandbox } from "../support/test.ts";

type Sent = {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: object;
  readonly authorization?: string;
};
/** A generated client, called by the names of operations. */
type Call = (operation: string, sent: Sent) => Promise<{ readonly status: number; readonly body: unknown }>;

const SERVICES = ["museum", "account"] as const;
type ServiceName = (typeof SERVICES)[number];

/** Arguments in the order of both: what the path names, body, query, and what fetch takes. */
const POSITIONAL = `
export const call = async (operation, { path = {}, query, body, authorization }) => {
  const headers = { "Content-Type": "application/json", Accept: "application/json", ...(authorization && { authorization }) };
  const parts = [...Object.values(path), ...(body ? [body] : []), ...(query ? [query] : []), { headers }];
  const { status, data } = await client[operation](...parts);
  return { status, body: data };
};`;

/** How each is called. */
const CLIENTS: Readonly<Record<string, (service: ServiceName) => string>> = {
  "openapi-fetch": (service) => `
import createClient from "openapi-fetch";
import document from "./${service}.json";
import type { paths } from "./openapi-typescript/${service}";
const client = createClient<paths>({ baseUrl: document.servers[0].url });
const places = Object.fromEntries(Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => [operationId, [method.toUpperCase(), path]])));
export const call = async (operation, { path, query, body, authorization }) => {
  const [method, url] = places[operation];
  const headers = { Accept: "application/json", ...(authorization && { authorization }) };
  const { data, error, response } = await client[method](url, { params: { path, query }, body, headers });
  return { status: response.status, body: data ?? error };
};`,
  "hey-api": (service) => `
import * as client from "./hey-api/${service}/sdk.gen";
export const call = async (operation, { path, query, body, authorization }) => {
  const headers = { Accept: "application/json", ...(authorization && { authorization }) };
  const { data, error, response } = await client[operation]({ path, query, body, headers });
  return { status: response.status, body: data ?? error };
};`,
  orval: (service) => `import * as client from "./orval/${service}";${POSITIONAL}`,
  kubb: (service) => `import * as client from "./kubb/${service}/index";${POSITIONAL}`,
};

const ORVAL = `module.exports = Object.fromEntries(${JSON.stringify(SERVICES)}.map((name) => [name, {
  input: "./" + name + ".json",
  output: { target: "./orval/" + name + ".ts", client: "fetch", baseUrl: { getBaseUrlFromSpecification: true } },
}]));`;
const KUBB = `import { defineConfig } from "@kubb/core";
import { pluginClient } from "@kubb/plugin-client";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginTs } from "@kubb/plugin-ts";
export default ${JSON.stringify(SERVICES)}.map((name) => defineConfig({
  name,
  root: ".",
  input: { path: "./" + name + ".json" },
  output: { path: "./kubb/" + name, format: false },
  plugins: [
    pluginOas({ serverIndex: 0, generators: [], validate: false }),
    pluginTs({ output: { path: "types" } }),
    pluginClient({ output: { path: "clients" }, client: "fetch", dataReturnType: "full" }),
  ],
}));`;

const run = promisify(execFile);
let folder: string;
let sandbox: TestSandbox;
/** Runs one of the installed tools. */
let tool: (name: string, ...args: string[]) => Promise<unknown>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "generated-"));
  const generators = join(import.meta.dirname, "generators");
  for (const name of await readdir(generators)) await cp(join(generators, name), join(folder, name));
  sandbox = await frozenSandbox();
  const { urls } = await sandbox.listen();
  const documents = [...SERVICES, "control"] as const;
  for (const name of documents)
    await writeFile(join(folder, `${name}.json`), await (await fetch(`${urls[name]}/openapi.json`)).text());
  await writeFile(join(folder, "orval.config.cjs"), ORVAL);
  await writeFile(join(folder, "kubb.config.mjs"), KUBB);
  const at = { cwd: folder, env: { ...process.env, NO_COLOR: "1" } };
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], at);
  tool = (name, ...args) => run(join(folder, "node_modules", ".bin", name), args, at);
  for (const name of documents) {
    await tool("openapi-typescript", `${name}.json`, "-o", `openapi-typescript/${name}.ts`);
    await tool("openapi-ts", "-i", `${name}.json`, "-o", `hey-api/${name}`);
  }
  await tool("orval", "--config", "orval.config.cjs");
  await tool("kubb", "generate", "--config", "kubb.config.mjs");
}, 400_000);

afterAll(async () => {
  await sandbox?.close();
  await rm(folder, { recursive: true });
});

/** The generated code with its caller, as one module. */
async function clientOf(tool: string, service: ServiceName): Promise<Call> {
  const name = `${tool}-${service}`;
  await writeFile(join(folder, `${name}.ts`), CLIENTS[tool]?.(service) ?? "");
  return (await bundled<{ readonly call: Call }>(name)).call;
}

/** What a module of the folder exports, with the generated code that it imports. */
async function bundled<T>(name: string): Promise<T> {
  const file = join(folder, `${name}.mjs`);
  const bundle = await rolldown({ input: join(folder, `${name}.ts`), platform: "node", logLevel: "silent" });
  await bundle.write({ file, format: "esm" });
  return await import(pathToFileURL(file).href);
}

const NOBODY = "00000000-0000-4000-8000-000000000000";

describe.for(Object.keys(CLIENTS))("a client of %s", (tool) => {
  test("plans and cancels an event of the museum", async () => {
    sandbox.reset();
    const call = await clientOf(tool, "museum");
    const { authorization } = sandbox.auth.basic();
    const event = {
      name: "Night of the lamps",
      location: "Hall 2",
      eventDescription: "After dark.",
      dates: ["2026-03-31"],
      price: 12.5,
    };
    const list = await call("listSpecialEvents", { query: { limit: 2 }, authorization });
    expect(list).toMatchObject({ status: 200, body: [{ price: expect.any(Number) }, {}] });
    const created = await call("createSpecialEvent", { body: event, authorization });
    expect(created).toMatchObject({ status: 201, body: event });
    const refused = await call("createSpecialEvent", { body: { ...event, price: "dear" }, authorization });
    expect(refused).toMatchObject({ status: 400, body: { title: "price must be a number, not a string." } });
    expect(await call("getSpecialEvent", { path: { eventId: NOBODY }, authorization })).toMatchObject({
      status: 404,
      body: { title: "There is no such special event." },
    });
    const { eventId } = created.body as { eventId: string }; // as matched above
    expect((await call("deleteSpecialEvent", { path: { eventId }, authorization })).status).toBe(204);
  });

  test("logs in to the account and creates an action", async () => {
    sandbox.reset();
    const call = await clientOf(tool, "account");
    const [{ name: email, password } = { name: "", password: "" }] = sandbox.data.account.identities.all();
    const login = await call("login", { body: { email, password } });
    expect(login).toMatchObject({ status: 200, body: { token: expect.any(String) } });
    const authorization = `Bearer ${(login.body as { token: string }).token}`; // as matched above
    const list = await call("listPreSales", { query: { page: 1 }, authorization });
    expect(list).toMatchObject({
      status: 200,
      body: expect.arrayContaining([expect.objectContaining({ uuid: expect.any(String) })]),
    });
    const [{ uuid: pre_sale_uuid } = { uuid: "" }] = list.body as { uuid: string }[];
    const action = {
      threshold: 100,
      action_type: "alert_mail",
      target: "ops@example.test",
      enabled: true,
      pre_sale_uuid,
    };
    const created = await call("createPreSaleAction", { body: action, authorization });
    expect(created).toMatchObject({ status: 201, body: action });
    expect(await call("createPreSaleAction", { body: action })).toMatchObject({
      status: 401,
      body: { code: 401 },
    });
    expect(await call("getPreSaleAction", { path: { uuid: NOBODY }, authorization })).toMatchObject({
      status: 404,
    });
    const refused = await call("createPreSaleAction", { body: { ...action, threshold: -1 }, authorization });
    expect(refused).toMatchObject({ status: 422, body: { violations: [{ propertyPath: "threshold" }] } });
  });
});

type Answer = Promise<{ readonly response: Response; readonly data?: unknown; readonly error?: unknown }>;
/** What control-openapi-fetch.ts and control-hey-api.ts export. */
type ControlClient = {
  readonly controlAt: (url: string) => {
    readonly [K in "listWorlds" | "reset" | "resetWithoutBody"]: () => Answer;
  } & {
    readonly [K in "createWorld" | "endWorld" | "advance" | "journal" | "takeSnapshot" | "restore"]: (
      text: string,
    ) => Answer;
  } & { readonly [K in "addRule" | "setClock" | "verify"]: (body: object) => Answer };
  readonly listEventsAt: (url: string) => Answer;
};

const OF_TYPES = ["--noEmit", "--strict", "--skipLibCheck", "--lib", "es2022,dom,dom.iterable"];
const AS_BUNDLED = ["--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler"];

describe.for(["openapi-fetch", "hey-api"])("a control client of %s", (generator) => {
  test("compiles the calls, and rejects a change without a body", async () => {
    await tool("tsc", ...OF_TYPES, ...AS_BUNDLED, `control-${generator}.ts`);
  });

  test("steers a whole test, from a world of its own to the end of it, without a header set by hand", async () => {
    sandbox.reset();
    const { controlAt, listEventsAt } = await bundled<ControlClient>(`control-${generator}`);
    const main = controlAt(sandbox.urls.control);
    const id = `by-${generator}`;
    const created = await replyOf(main.createWorld(id));
    expect(created).toMatchObject({ status: 201, body: { id, urls: { museum: expect.any(String) } } });
    const { urls } = created.body as { urls: { control: string; museum: string } }; // as matched above
    const own = controlAt(urls.control);
    const world = sandbox.worlds.get(id);

    expect(await replyOf(own.setClock({ at: "2026-03-02T09:00:00Z", mode: "frozen" }))).toEqual({
      status: 200,
      body: { at: "2026-03-02T09:00:00.000Z", mode: "frozen" },
    });
    expect(await replyOf(own.takeSnapshot("before"))).toEqual({ status: 201, body: { id: "before" } });
    // Before the museum asks who calls.
    const rule = { when: { operation: OPERATION }, at: "edge", then: { respond: { status: 503 } } };
    expect(await replyOf(own.addRule(rule))).toEqual({ status: 201, body: { id: "use-1" } });
    expect((await replyOf(listEventsAt(urls.museum))).status).toBe(503);
    expect(world.journal.list()).toMatchObject([{ operation: OPERATION, status: 503 }]);
    expect(await replyOf(own.journal(OPERATION))).toMatchObject({
      status: 200,
      body: [{ seq: 1, world: id, status: 503 }],
    });
    expect(
      await replyOf(own.verify({ operation: OPERATION, status: { $gte: 500 }, times: 1 })),
    ).toMatchObject({
      status: 200,
      body: { ok: true, found: 1 },
    });

    expect(await replyOf(own.advance("24h"))).toMatchObject({ body: { at: "2026-03-03T09:00:00.000Z" } });
    expect(toIso(world.clock.now())).toBe("2026-03-03T09:00:00.000Z");
    expect(await replyOf(own.restore("before"))).toMatchObject({ status: 204 });
    expect(toIso(world.clock.now())).toBe("2026-03-02T09:00:00.000Z");
    expect(world.rules.list()).toEqual([]);

    expect((await replyOf(own.resetWithoutBody())).status).toBe(415);
    expect(world.journal.count()).toBe(1);
    expect(await replyOf(own.reset())).toMatchObject({ status: 204 });
    expect([world.journal.count(), toIso(world.clock.now())]).toEqual([0, NOW]);

    expect(await replyOf(main.endWorld(id))).toMatchObject({ status: 204 });
    expect(await replyOf(main.listWorlds())).toMatchObject({ status: 200, body: [{ id: "main" }] });
    expect(sandbox.worlds.list()).toMatchObject([{ id: "main" }]);
    expect(await replyOf(main.endWorld(id))).toMatchObject({ status: 404, body: { status: 404 } });
  });
});

const OPERATION = "museum.listSpecialEvents";

async function replyOf(answer: Answer): Promise<{ readonly status: number; readonly body: unknown }> {
  const { response, data, error } = await answer;
  return { status: response.status, body: data ?? error };
}
