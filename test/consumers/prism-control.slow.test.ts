// Prism as a proxy in front of the control API, with the control document: it finds nothing wrong with any answer, and
// something wrong with a request exactly where the API refuses it for its form. Slow: installs prism/ in a folder of its
// own.

import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { control } from "../../src/control/index.ts";
import { toPath } from "../../src/operation/client.ts";
import type { AnyOperation } from "../../src/operation/operation.ts";
import { frozenSandbox, type TestSandbox } from "../support/test.ts";
import { ANOTHER, CALLS, type Call, prepare } from "./control-calls.ts";
import { installPrism, type Judge, violationsOf } from "./prism-proxy.ts";

const TOKEN = "open sesame";

let prism: Awaited<ReturnType<typeof installPrism>>;
let sandbox: TestSandbox;
let guarded: TestSandbox;
let proxy: Judge;
let guardedProxy: Judge;
let calls = 0;

beforeAll(async () => {
  prism = await installPrism();
  [sandbox, guarded] = [await frozenSandbox({ worldLimit: 2 }), await frozenSandbox({ controlToken: TOKEN })];
  proxy = await prism.proxyOf((await sandbox.listen()).urls.control);
  guardedProxy = await prism.proxyOf((await guarded.listen()).urls.control, {
    authorization: `Bearer ${TOKEN}`,
  });
}, 300_000);

afterAll(async () => {
  proxy?.stop();
  guardedProxy?.stop();
  await sandbox?.close();
  await guarded?.close();
  await prism?.remove();
});

beforeEach(() => prepare(sandbox));

const operations = Object.entries(control.operations);

describe.for(operations)("%s", ([key, operation]) => {
  test("Prism and the API agree on its requests", async () => {
    const own = CALLS[key] ?? [];
    for (const call of [...own, ...brokenCalls(operation, own[0])]) {
      await prepare(sandbox);
      const { status, ofAnswer, ofRequest } = await send(operation, call);
      const about = `${key} ${JSON.stringify(call)} ${status} ${JSON.stringify(ofRequest)}`;
      expect(status, about).toBe(call.status);
      expect(ofAnswer, about).toEqual([]);
      const isOfForm = (status === 400 || status === 415) && call.beyondSchemas !== true;
      expect(ofRequest.length > 0, about).toBe(isOfForm);
    }
  });

  test("is refused without the token and for pages of other origins, as documented", async () => {
    const [call = { status: 200 }] = CALLS[key] ?? [];
    const refused = await send(operation, call, guardedProxy);
    const isOpen = operation.security === "none"; // to any probe
    expect(refused).toEqual({ status: isOpen ? 200 : 401, ofAnswer: [], ofRequest: [] });
    const foreign = await send(operation, { ...call, headers: { origin: "http://pages.example.test" } });
    const isPublic = isOpen || key === "getJwks"; // keys may be read by pages
    expect(foreign).toEqual({ status: isPublic ? 200 : 403, ofAnswer: [], ofRequest: [] });
  });
});

test("a world over the limit is refused", async () => {
  sandbox.fork("last");
  const refused = await send(operationOf("createWorld"), { status: 429, body: {} });
  expect(refused).toEqual({ status: 429, ofAnswer: [], ofRequest: [] });
});

test.for([
  ["waitForExchange", 503, { operation: "museum.createSpecialEvent", within: "30s" }],
  ["waitForMail", 503, { subject: "no such mail", within: "30s" }],
  ["verifyExpectation", 503, { operation: "museum.createSpecialEvent", within: "30s" }],
  ["streamEvents", 200, undefined],
] as const)("%s ends with its world", async ([key, status, body]) => {
  const call: Call = { status, headers: ANOTHER, ...(body === undefined ? {} : { body }) };
  const answer = send(operationOf(key), call);
  await arrived();
  sandbox.worlds.remove("copy");
  expect(await answer).toEqual({ status, ofAnswer: [], ofRequest: [] });
});

test("every operation was called, and the calls were at least 150", () => {
  expect(Object.keys(CALLS).sort()).toEqual(Object.keys(control.operations).sort());
  expect(calls).toBeGreaterThanOrEqual(150);
});

/** What is wrong with any call, and what with any body. */
function brokenCalls({ request }: AnyOperation, right: Call = { status: 200 }): readonly Call[] {
  const calls: readonly Call[] = [
    { ...right, status: 404, headers: { "x-vitrine-world": "nowhere" } },
    { ...right, status: 400, query: { misspelt: "1" }, beyondSchemas: true },
  ];
  if (request.body === undefined) return calls;
  const ofBody: readonly Call[] = [
    { ...right, status: 400, body: "text" },
    { ...right, status: 415, headers: { "content-type": "text/plain" } },
  ];
  return [...calls, ...ofBody];
}

function operationOf(key: string): AnyOperation {
  const operation = control.operations[key];
  if (operation === undefined) throw new Error(`The control API has ${key}.`);
  return operation;
}

/** Long enough for a call to arrive that nothing tells of. */
const arrived = () => setTimeout(1_000);

async function send(operation: AnyOperation, { params = {}, query = {}, body, headers }: Call, at = proxy) {
  calls += 1;
  const response = await fetch(at.url + toPath(operation, { params, query }), {
    method: operation.method.toUpperCase(),
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return { status: response.status, ...violationsOf(response) };
}
