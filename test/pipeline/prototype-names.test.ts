// Names of members that every object inherits are plain text wherever a client sends them.

import { expect, test } from "vitest";
import { z } from "zod";
import { controlOperations } from "../../src/control/table.ts";
import type { AnyOperation } from "../../src/operation/operation.ts";
import { services } from "../../src/services/index.ts";
import { frozenSandbox } from "../support/test.ts";

const NAMES = [...Object.getOwnPropertyNames(Object.prototype), "prototype"];
/** With the text before the name. */
const HEADERS = {
  accept: "application/",
  "content-type": "",
  prefer: "problem=",
  authorization: "Bearer ",
  "x-vitrine-world": "",
  origin: "http://",
};
const OPERATIONS: readonly (readonly [base: string, operations: readonly AnyOperation[]])[] = [
  ...services.map(
    ({ environments: [first], operations }) => [first?.base ?? "", Object.values(operations)] as const,
  ),
  ["/_vitrine", Object.values(controlOperations)],
];

const fieldsOf = (schema: unknown): readonly string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

type Sent = {
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: object | undefined;
};

/** The name at each place of a request: path, suffix, query, headers, body. */
function requestsWith(
  name: string,
  base: string,
  { path: template, request }: AnyOperation,
): readonly Sent[] {
  const path = base + template.replaceAll(/\{\w+\}/g, name);
  const least = fieldsOf(request.body).includes("within") ? { within: "1ms" } : undefined;
  const value = { [name]: { [name]: name } };
  return [
    ...[
      path,
      `/~${name}${path}`,
      `${path}/${name}`,
      `${path}.${name}`,
      `${path}?${name}=${name}&${name}[${name}]=1`,
    ].map((path) => ({ path, body: least })),
    ...fieldsOf(request.query).map((field) => ({ path: `${path}?${field}=${name}`, body: least })),
    ...Object.entries({ ...HEADERS, [name]: "" }).map(([field, start]) => ({
      path,
      headers: { [field]: start + name },
      body: least,
    })),
    ...(request.body === undefined ? [] : [{ path, body: value }]),
    ...fieldsOf(request.body).flatMap((field) =>
      [name, value].map((sent) => ({ path, body: { ...least, [field]: sent } })),
    ),
  ];
}

test("no request with a name such as __proto__ fails with a 5xx", async () => {
  await using sandbox = await frozenSandbox();
  const museum = sandbox.auth.basic();
  const account = { authorization: `Bearer ${sandbox.auth.token()}` };
  const failed: string[] = [];
  let count = 0;
  for (const [base, operations] of OPERATIONS) {
    for (const operation of operations) {
      const method = operation.method.toUpperCase();
      const own = { ...(base === "/account" ? account : museum), "content-type": "application/json" };
      const all = NAMES.flatMap((name) => requestsWith(name, base, operation));
      for (const { path, headers, body } of all.filter((_, index) => index % 3 === 0)) {
        const init = { method, headers: { ...own, ...headers } };
        const sent = body === undefined ? init : { ...init, body: JSON.stringify(body) };
        const reply = await sandbox.fetch(path, sent);
        void reply.body?.cancel(); // a stream of events has no end
        if (reply.status >= 500) failed.push(`${reply.status} ${method} ${path}`);
        count += 1;
      }
    }
    for (const read of ["lint", "har", "capsule", "coverage", "journal"])
      expect((await sandbox.fetch(`/_vitrine/${read}`)).status, read).toBe(200);
  }
  expect(failed).toEqual([]);
  expect(count).toBeGreaterThan(5_000);
});

test("a rule responds with headers and fields that have names such as constructor", async () => {
  await using sandbox = await frozenSandbox();
  const allowed = NAMES.filter((name) => name !== "__proto__"); // an error in a rule
  const named = Object.fromEntries(allowed.map((name) => [name, "x"]));
  const respond = { status: 200, headers: named, body: named };
  sandbox.use({ then: { respond, undocumented: true } });
  const reply = await sandbox.fetch("/museum/v1.1/museum-hours", { headers: sandbox.auth.basic() });
  expect(await reply.json()).toEqual(named);
  for (const name of allowed) expect(reply.headers.get(name)).toBe("x");
});

test("a record with a layer named constructor is invalid", async () => {
  await using sandbox = await frozenSandbox();
  const body = JSON.stringify({ record: sandbox.record() }).replaceAll(':"1"', ':"constructor"');
  const init = { method: "PUT", headers: { "content-type": "application/json" }, body };
  expect((await sandbox.fetch("/_vitrine/worlds/copy", init)).status).toBe(400);
});
