// Closing ends every wait: what asked is told so at once, and nothing is left that keeps a process alive.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { wallClock } from "../../src/world/clock.ts";
import { frozenSandbox, type TestSandbox } from "../support/test.ts";

const HOURS = { operation: "museum.getMuseumHours" } as const;
const LONG = { within: "10m" };
const CLOSED = { name: "UsageError", code: "closed", message: "This sandbox was closed." };

/** The machine's own clock, which counts the waits that have not ended. */
function countingWall() {
  const wall = {
    pending: 0,
    now: wallClock.now,
    async pause(delayMs: number, signal?: AbortSignal): Promise<void> {
      wall.pending += 1;
      await wallClock.pause(delayMs, signal);
      wall.pending -= 1;
    },
  };
  return wall;
}

let wall: ReturnType<typeof countingWall>;
let sandbox: TestSandbox;
beforeEach(async () => {
  wall = countingWall();
  sandbox = await frozenSandbox({ wall });
});
afterEach(async () => {
  await sandbox.close();
  expect(wall.pending).toBe(0);
});

/** A museum request to this sandbox, without the typed client around it. */
function hours(): Promise<Response> {
  return sandbox.fetch("/museum/v1.1/museum-hours", { headers: sandbox.auth.basic() });
}

const waits: readonly [what: string, wait: (sandbox: TestSandbox) => Promise<unknown>][] = [
  ["a wait for a mail", ({ mailbox }) => mailbox.waitFor({}, LONG)],
  ["a wait for an exchange", ({ journal }) => journal.waitFor(HOURS, LONG)],
  ["an expectation that waits", ({ journal }) => journal.verify({ ...HOURS, ...LONG })],
  ["an expectation that nothing comes", ({ journal }) => journal.verify({ ...HOURS, ...LONG, times: 0 })],
  ["a wait for an arrival at a gate", ({ gates }) => gates.arrived("checkout")],
];

describe("closing a sandbox ends", () => {
  test.each(waits)("%s", async (_what, wait) => {
    const waiting = expect(wait(sandbox)).rejects.toMatchObject(CLOSED);
    await sandbox.close();
    await waiting;
  });

  test.each(waits)("%s that begins after the close", async (_what, wait) => {
    await sandbox.close();
    await expect(wait(sandbox)).rejects.toMatchObject(CLOSED);
  });

  test.each(waits)("%s in a world when only this world is closed", async (_what, wait) => {
    const fork = sandbox.fork();
    const waiting = expect(wait(fork)).rejects.toMatchObject(CLOSED);
    await fork.close();
    await waiting;
    expect((await hours()).status).toBe(200);
  });

  test("a wait of a control client with 503", async () => {
    const reply = waitForMail("10m");
    await expect.poll(() => wall.pending).toBe(1);
    await sandbox.close();
    const { status, headers } = await reply;
    expect([status, headers.get("content-type")]).toEqual([503, "application/problem+json"]);
    expect(await (await reply).json()).toMatchObject({ code: "closed", detail: "This sandbox was closed." });
  });

  test("the stream of events", async () => {
    const stream = await sandbox.fetch("/_vitrine/events");
    await sandbox.close();
    expect(await stream.text()).toBe(": open\n\n");
  });

  test.each([
    ["hold", { hold: "checkout" }],
    ["delay", { delay: "60s" }],
    ["virtual delay", { delay: "60s", clock: "virtual" }],
  ] as const)("a request that meets a %s in the same tick, with 503", async (_what, then) => {
    sandbox.use({ when: HOURS, then });
    const reply = hours();
    await sandbox.close();
    expect((await reply).status).toBe(503);
    expect(sandbox.journal.list()).toMatchObject([{ operation: HOURS.operation, status: 503 }]);
    expect(sandbox.gates.waiting()).toEqual([]);
  });

  test("a request that reaches a hold after the close, with 503 and without any work", async () => {
    sandbox.use({
      when: { operation: "museum.createSpecialEvent" },
      at: "handler",
      then: { hold: "checkout" },
    });
    const before = sandbox.data.museum.specialEvents.all();
    const body = {
      name: "Lamps",
      location: "Hall 2",
      eventDescription: "Dark",
      dates: ["2026-03-31"],
      price: 1,
    };
    // A body that streams is read after this tick.
    const reply = sandbox.fetch(
      new Request("http://localhost/museum/v1.1/special-events", {
        method: "POST",
        headers: { ...sandbox.auth.basic(), "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
    await sandbox.close();
    expect((await reply).status).toBe(503);
    expect(sandbox.data.museum.specialEvents.all()).toEqual(before);
  });

  test.each([
    ["hang", { fault: "hang" }, "fetch failed"],
    ["dribble", { delay: { dribble: { chunks: 2, over: "60s" } } }, "terminated"],
  ] as const)("the fault %s, by breaking the connection", async (_what, then, message) => {
    sandbox.use({ when: HOURS, then });
    const text = expect(hours().then((reply) => reply.text())).rejects.toThrow(message);
    await expect.poll(() => wall.pending).toBeGreaterThan(0);
    await sandbox.close();
    await text;
  });
});

test("a client that leaves ends its wait for a mail", async () => {
  const client = new AbortController();
  const reply = waitForMail("10m", client.signal);
  await expect.poll(() => wall.pending).toBe(1);
  client.abort();
  await expect(reply).rejects.toMatchObject({ name: "AbortError" });
  await expect.poll(() => wall.pending).toBe(0);
});

test.each(["25d", "1000d"])("a wait of %s is rejected because it exceeds 24 h", async (within) => {
  const told = `"${within}" is too long: within is wall time and at most 24h.`;
  await expect(sandbox.mailbox.waitFor({}, { within })).rejects.toThrow(told);
  await expect(sandbox.journal.waitFor(HOURS, { within })).rejects.toThrow(told);
  await expect(sandbox.journal.verify({ ...HOURS, within, times: 0 })).rejects.toThrow(told);
  const overHttp = await waitForMail(within);
  expect([overHttp.status, await overHttp.json()]).toMatchObject([
    400,
    { code: "badDuration", detail: told },
  ]);
});

/** As clients of other languages wait. */
function waitForMail(within: string, signal: AbortSignal | null = null): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return sandbox.fetch("/_vitrine/mailbox/wait", {
    method: "POST",
    headers,
    body: JSON.stringify({ within }),
    signal,
  });
}
