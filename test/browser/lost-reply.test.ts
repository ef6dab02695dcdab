// A page that loses the reply to a POST hears of it, and has sent one: Chromium, which repeats by itself what it loses on
// a connection that has worked, has none such.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RuleInput } from "../../src/rules/grammar.ts";
import { frozenSandbox, type TestSandbox } from "../support/test.ts";

const CREATE = { operation: "museum.createSpecialEvent" } as const;
const EVENT = { name: "Lamps", location: "Hall", eventDescription: "Dark", dates: ["2026-03-02"], price: 1 };

let front: Server;
let browser: Browser;
let page: Page;
let sandbox: TestSandbox;

beforeAll(async () => {
  front = createServer((_request, response) => response.end("<!doctype html><title>front end</title>"));
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
});
afterAll(async () => {
  await browser?.close();
  front?.close();
});
beforeEach(async () => {
  sandbox = await frozenSandbox();
  await sandbox.listen();
  page = await browser.newPage();
  await page.goto(`http://localhost:${(front.address() as AddressInfo).port}/`); // a TCP server has a port
});
afterEach(async () => {
  await page.close();
  await sandbox.close();
});

/** What the page's own fetch tells it: the status, or the message of the error. */
function ask(method: "GET" | "POST" | "DELETE", id = ""): Promise<number | string> {
  const url = `${sandbox.urls.museum}/special-events${id && `/${id}`}`;
  const headers = { ...sandbox.auth.basic(), "content-type": "application/json" };
  const init = { method, headers, ...(method === "POST" ? { body: JSON.stringify(EVENT) } : {}) };
  return page.evaluate(
    ([to, how]) =>
      fetch(to, how).then(
        async (reply) => {
          await reply.text(); // the connection is free again
          return reply.status;
        },
        (error: Error) => error.message,
      ),
    [url, init] as const,
  );
}

const made = () => sandbox.data.museum.specialEvents.all().filter(({ name }) => name === EVENT.name).length;
const creates = () =>
  sandbox.journal.list(CREATE).map(({ made, status, fault }) => ({ made, status, fault }));

describe.each(["reset", "empty"] as const)("the fault %s", (fault) => {
  const lost: RuleInput = { when: CREATE, at: "response", limit: { times: 1 }, then: { fault } };

  test("makes one POST fail if a rule sets it before the page lists the events, and creates one event", async () => {
    sandbox.use(lost);
    expect(await ask("GET")).toBe(200);
    expect(await ask("POST")).toBe("Failed to fetch");
    expect(creates()).toEqual([{ made: 201, status: undefined, fault }]);
    expect(made()).toBe(1);
    expect(await ask("POST")).toBe(201);
  });

  test("makes one POST fail if a rule sets it after the page has listed the events, and creates one event", async () => {
    expect(await ask("GET")).toBe(200);
    expect(await ask("GET")).toBe(200);
    sandbox.use(lost);
    expect(await ask("POST")).toBe("Failed to fetch");
    expect(creates()).toEqual([{ made: 201, status: undefined, fault }]);
    expect(made()).toBe(1);
  });
});

test.each(["truncate", "bad-chunk"] as const)(
  "the fault %s also loses a response without a body, once",
  async (fault) => {
    const { origin } = new URL(sandbox.urls.museum);
    const [event] = sandbox.data.museum.specialEvents.all();
    await page.goto(`${origin}/robots.txt`); // of the same origin: no CORS hides what arrives
    sandbox.use({ when: { method: "DELETE" }, limit: { times: 1 }, then: { fault } });
    expect(await ask("GET")).toBe(200);
    expect(await ask("DELETE", event?.eventId)).toBe("Failed to fetch");
    expect(sandbox.journal.list({ method: "DELETE" })).toMatchObject([{ made: 204, fault: "empty" }]);
  },
);

test("the preset reply-lost-after-create makes one POST fail", async () => {
  expect(await ask("GET")).toBe(200);
  await sandbox.scenario("reply-lost-after-create");
  expect(await ask("GET")).toBe(200);
  expect(await ask("POST")).toBe("Failed to fetch");
  expect(creates()).toHaveLength(1);
});
