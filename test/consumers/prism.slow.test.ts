// Prism as a proxy in front of the museum, with the museum's own document: it finds nothing wrong with any answer, and
// something wrong with a request exactly where the museum refuses it. Slow: installs prism/ in a folder of its own.

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { toPath } from "../../src/operation/client.ts";
import type { AnyOperation, Example } from "../../src/operation/operation.ts";
import { museum } from "../../src/services/museum/index.ts";
import { frozenSandbox, type TestSandbox } from "../support/test.ts";
import { installPrism, type Judge, violationsOf } from "./prism-proxy.ts";

type Request = Example & { readonly raw?: string; readonly headers?: Readonly<Record<string, string>> };

let prism: Awaited<ReturnType<typeof installPrism>>;
let sandbox: TestSandbox;
let proxy: Judge;

beforeAll(async () => {
  prism = await installPrism();
  sandbox = await frozenSandbox();
  const { urls } = await sandbox.listen();
  proxy = await prism.proxyOf(urls.museum);
}, 300_000);

afterAll(async () => {
  proxy?.stop();
  await sandbox?.close();
  await prism?.remove();
});

beforeEach(() => sandbox.reset());

const operations = Object.entries(museum.operations);

test.for(operations)("%s: Prism and the museum agree on its requests", async ([, operation]) => {
  for (const request of [{}, ...brokenRequests(operation)]) {
    sandbox.reset();
    const { status, ofAnswer, ofRequest } = await send(operation, request);
    const about = `${operation.path} ${JSON.stringify(request)} ${status} ${JSON.stringify(ofRequest)}`;
    expect(ofAnswer, about).toEqual([]);
    expect(ofRequest.length > 0, about).toBe(status === 400 || status === 401);
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

test.for(BEYOND_SCHEMAS)("%s is refused only by the museum", async ([, key, request]) => {
  const operation = museum.operations[key];
  if (operation === undefined) return expect.unreachable("the museum has it");
  expect(await send(operation, request)).toMatchObject({ ofAnswer: [], ofRequest: [] });
  // Prism writes bodies anew before it passes them on.
  expect((await send(operation, request, sandbox.urls.museum)).status).toBe(400);
});

function brokenRequests({ request, example }: AnyOperation): readonly Request[] {
  const { params = {}, body } = example(sandbox.core.getServiceState(museum, environment()));
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

async function send(operation: AnyOperation, change: Request, base = proxy.url) {
  const {
    params = {},
    query = {},
    body,
    raw,
    headers,
  } = { ...operation.example(sandbox.core.getServiceState(museum, environment())), ...change } as Request;
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
  return { status: response.status, ...violationsOf(response) };
}
