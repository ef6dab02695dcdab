// Prism as a proxy in front of the museum, with the museum's own document: it finds nothing wrong with any answer, and
// something wrong with a request exactly where the museum refuses it. Slow: installs prism/ in a folder of its own.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { toPath } from "../../src/operation/client.ts";
import type { AnyOperation, Example } from "../../src/operation/operation.ts";
import { museum } from "../../src/services/museum/index.ts";
import { frozenSandbox, type TestSandbox } from "../support/test.ts";

type Request = Example & { readonly raw?: string; readonly headers?: Readonly<Record<string, string>> };

const run = promisify(execFile);
let folder: string;
let sandbox: TestSandbox;
let prism: ReturnType<typeof spawn>;
let proxy: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "prism-"));
  for (const name of ["package.json", "package-lock.json"])
    await cp(join(import.meta.dirname, "prism", name), join(folder, name));
  await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder });
  sandbox = await frozenSandbox();
  const { urls } = await sandbox.listen();
  const document = join(folder, "museum.json");
  await writeFile(document, await (await fetch(`${urls.museum}/openapi.json`)).text());
  const port = await freePort();
  const bin = join(folder, "node_modules", ".bin", "prism");
  prism = spawn(bin, ["proxy", document, urls.museum, "-p", String(port)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  proxy = `http://127.0.0.1:${port}`;
  for (let log = ""; !log.includes("listening"); ) {
    const [text] = await once(prism.stdout ?? prism, "data");
    log += text;
  }
  prism.stdout?.resume();
}, 300_000);

afterAll(async () => {
  prism?.kill();
  await sandbox?.close();
  await rm(folder, { recursive: true });
});

beforeEach(() => sandbox.reset());

const operations = Object.entries(museum.operations);

test.for(operations)("%s: Prism and the museum agree on its requests", async ([, operation]) => {
  for (const request of [{}, ...brokenRequests(operation)]) {
    sandbox.reset();
    const { status, violations } = await send(operation, request);
    const about = `${operation.path} ${JSON.stringify(request)} ${status} ${JSON.stringify(violations)}`;
    expect(
      violations.filter(({ location: [where] }) => where === "response"),
      about,
    ).toEqual([]);
    expect(violations.length > 0, about).toBe(status === 400 || status === 401);
  }
});

/** What no schema can say, by the operation that shows it. A key twice and a BOM are no such case: the museum takes both. */
const BEYOND_SCHEMAS: readonly (readonly [
  what: string,
  key: keyof typeof museum.operations,
  request: Request,
])[] = [
  [
    "an integer that no double holds",
    "createSpecialEvent",
    { raw: '{"name":"N","location":"L","eventDescription":"D","dates":[],"price":9007199254740993}' },
  ],
  [
    "an end before the start",
    "listSpecialEvents",
    { query: { startDate: "2026-03-02", endDate: "2026-03-01" } },
  ],
];

test.for(BEYOND_SCHEMAS)("%s is refused by the museum alone", async ([, key, request]) => {
  const operation = museum.operations[key];
  if (operation === undefined) return expect.unreachable("the museum has it");
  expect((await send(operation, request)).violations).toEqual([]);
  // Prism writes bodies anew before it passes them on.
  expect((await send(operation, request, sandbox.urls.museum)).status).toBe(400);
});

function brokenRequests({ request, example }: AnyOperation): readonly Request[] {
  const { params = {}, body } = example(sandbox.core.stateOf(museum, environment()));
  const whole = { ...(body as object | undefined) }; // bodies of the museum are objects
  const fields = Object.entries(whole);
  return [
    { headers: { authorization: "" } },
    ...Object.keys(params).flatMap((name) => [
      { params: { [name]: "x" } },
      { params: { [name]: "00000000-0000-4000-8000-000000000000" } },
    ]),
    ...Object.keys(request.query.shape).flatMap((name) =>
      ["x", "0", "31", "2026-03-31", "2026-02-30"].map((value) => ({ query: { [name]: value } })),
    ),
    ...fields.flatMap(([name, value]) => [
      { body: { ...whole, [name]: typeof value === "string" ? 7 : "7" } },
      { body: { ...whole, [name]: null } },
      { body: { ...whole, [name]: undefined } },
    ]),
    ...(body === undefined ? [] : [{ body: { ...whole, more: 1 } }, { raw: "[]" }]),
  ];
}

function environment() {
  const [first] = museum.environments;
  if (first === undefined) throw new Error("The museum has an environment.");
  return first;
}

type Violation = { readonly location: readonly string[]; readonly message: string };

async function send(operation: AnyOperation, change: Request, base = proxy) {
  const {
    params = {},
    query = {},
    body,
    raw,
    headers,
  } = { ...operation.example(sandbox.core.stateOf(museum, environment())), ...change } as Request;
  const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(base + toPath(operation, { params, query }), {
    method: operation.method.toUpperCase(),
    headers: {
      ...sandbox.auth.basic(),
      ...(text === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(text === undefined ? {} : { body: text }),
  });
  await response.arrayBuffer();
  const violations: readonly Violation[] = JSON.parse(response.headers.get("sl-violations") ?? "[]");
  return { status: response.status, violations };
}

/** Prism cannot choose one itself. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("It listens on a port.");
  return address.port;
}
