// The `Request` of vitest's jsdom environment copies an init by spreading it, so that a Request given as one is empty.

import { setupServer } from "msw/node";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { handlers } from "../../src/testing/msw.ts";
import { test } from "../support/test.ts";

const EVENT = { name: "Lamps", location: "Hall", eventDescription: "Dark", dates: ["2026-03-02"], price: 1 };
const TrueRequest = Request;

class SpreadingRequest extends TrueRequest {
  constructor(input: string | URL | Request, init?: RequestInit) {
    super(input, init && { ...init });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof TrueRequest;
  }
}

const network = setupServer();
beforeAll(() => {
  network.listen({ onUnhandledRequest: "error" });
  vi.stubGlobal("Request", SpreadingRequest);
});
afterAll(() => {
  vi.unstubAllGlobals();
  network.close();
});

test("a Request keeps method, headers and body where Request spreads its init", async ({ sandbox }) => {
  const asked = () =>
    new Request(`${sandbox.urls.museum}/special-events`, {
      method: "POST",
      headers: { ...sandbox.auth.basic(), "content-type": "application/json" },
      body: JSON.stringify(EVENT),
    });
  expect((await sandbox.fetch(asked())).status).toBe(201);
  expect((await sandbox.fetch(asked(), { signal: new AbortController().signal })).status).toBe(201);
  expect((await sandbox.fork().fetch(asked())).status).toBe(201);
  const used = asked();
  await sandbox.fetch(used);
  await expect(sandbox.fetch(used)).rejects.toThrow(TypeError); // as fetch: a body is sent once
  expect(sandbox.journal.count({ operation: "museum.createSpecialEvent", status: 201 })).toBe(3);
});

test("a request from MSW also keeps method, headers and body", async ({ sandbox }) => {
  network.use(...handlers(sandbox, { account: "https://billing.example" }));
  const reply = await fetch("https://billing.example/login", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: "ada@example.test", password: "Vitrine!2026" }),
  });
  expect(reply.status).toBe(200);
  expect(sandbox.journal.list().map(({ method, path }) => [method, path])).toEqual([["POST", "/login"]]);
});
