// A client that gives up meets the same in process and over a port: it gets no answer, and what had not begun is not done.

import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RuleInput } from "../../src/rules/grammar.ts";
import { frozenSandbox, type TestSandbox } from "../support/test.ts";

const CREATE = { operation: "museum.createSpecialEvent" } as const;
const EVENT = { name: "Lamps", location: "Hall", eventDescription: "Dark", dates: ["2026-03-02"], price: 1 };

let sandbox: TestSandbox;
let send: (signal: AbortSignal) => Promise<Response>;
const made = () => sandbox.data.museum.specialEvents.all().filter(({ name }) => name === EVENT.name);

describe.each(["in process", "over a port"])("%s", (place) => {
  beforeEach(async () => {
    sandbox = await frozenSandbox();
    const { urls } = place === "in process" ? sandbox : await sandbox.listen();
    const asks = place === "in process" ? sandbox.fetch : fetch;
    send = (signal) =>
      asks(`${urls.museum}/special-events`, {
        method: "POST",
        headers: { ...sandbox.auth.basic(), "content-type": "application/json" },
        body: JSON.stringify(EVENT),
        signal,
      });
  });
  afterEach(() => sandbox.close());

  /** Once the request is there, and waits. */
  async function arrived(): Promise<void> {
    while (sandbox.journal.list({ state: "open" }).every(({ rules }) => rules.length === 0))
      await new Promise((resolve) => setImmediate(resolve));
  }

  const waits: readonly (readonly [string, RuleInput["then"]])[] = [
    ["a delay", { delay: "5s" }],
    ["a delay before a refusal", { delay: "5s", respond: { status: 500 } }],
    ["a delay of simulated time", { delay: "5s", clock: "virtual" }],
    ["a delay drawn by chance", { delay: { uniform: ["5s", "6s"] } }],
    ["a gate", { hold: "gate" }],
  ];

  test.each(waits)("an abort during %s ends the request without response or work", async (_name, then) => {
    sandbox.use({ id: "wait", when: CREATE, then });
    const leaving = new AbortController();
    const reply = send(leaving.signal);
    await arrived();
    leaving.abort();
    await expect(reply).rejects.toMatchObject({ name: "AbortError" });
    const exchange = await sandbox.journal.waitFor({ gone: true });
    expect(exchange).toMatchObject({ operation: CREATE.operation, gone: true, changes: [] });
    for (const absent of ["status", "made", "fault"]) expect(exchange).not.toHaveProperty(absent);
    expect(made()).toEqual([]);
    expect(sandbox.gates.waiting()).toEqual([]);
  });

  test("a client that gives up after the work was done gets no response, and the journal records the work", async () => {
    sandbox.use({ when: CREATE, at: "response", then: { delay: "5s" } });
    const leaving = new AbortController();
    const reply = send(leaving.signal);
    await arrived();
    leaving.abort();
    await expect(reply).rejects.toMatchObject({ name: "AbortError" });
    const exchange = await sandbox.journal.waitFor({ gone: true });
    expect(exchange).toMatchObject({ gone: true, made: 201, changes: [{ kind: "created" }] });
    expect(exchange).not.toHaveProperty("status");
    expect(made()).toHaveLength(1);
  });

  test("a client that gives up on a hanging response gets an AbortError", async () => {
    sandbox.use({ when: CREATE, then: { fault: "hang" } });
    const leaving = new AbortController();
    const reply = send(leaving.signal);
    const open = await sandbox.journal.waitFor({ ...CREATE, state: "open", fault: "hang" });
    expect(open.waits).toMatch(/^fault hang, rule use-/);
    expect(open).not.toHaveProperty("durationMs");
    leaving.abort();
    await expect(reply).rejects.toMatchObject({ name: "AbortError" });
    await sandbox.journal.waitFor({ ...CREATE, fault: "hang", gone: true });
  });

  test("fetch rejects with a TimeoutError if the signal times out", async () => {
    sandbox.use({ when: CREATE, then: { hold: "gate" } });
    await expect(send(AbortSignal.timeout(20))).rejects.toMatchObject({ name: "TimeoutError" });
    expect(made()).toEqual([]);
  });

  test("fetch rejects with the client's own abort reason", async () => {
    sandbox.use({ when: CREATE, then: { hold: "gate" } });
    const leaving = new AbortController();
    const reply = send(leaving.signal);
    await sandbox.gates.arrived("gate");
    const reason = new Error("the page was left");
    leaving.abort(reason);
    await expect(reply).rejects.toBe(reason);
  });

  test("a request that was aborted before the call is never sent", async () => {
    await expect(send(AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
    expect(sandbox.journal.count()).toBe(0);
    expect(made()).toEqual([]);
  });

  test("a client that aborts after the headers loses the rest of the body", async () => {
    sandbox.use({ when: CREATE, at: "response", then: { delay: { dribble: { chunks: 2, over: "10s" } } } });
    const leaving = new AbortController();
    const reply = await send(leaving.signal);
    leaving.abort();
    await expect(reply.text()).rejects.toMatchObject({ name: "AbortError" });
    expect(reply.status).toBe(201);
  });

  test("a client that aborts before it reads a complete body loses the body too", async () => {
    const leaving = new AbortController();
    const reply = await send(leaving.signal);
    leaving.abort();
    await expect(reply.text()).rejects.toMatchObject({ name: "AbortError" });
    expect(made()).toHaveLength(1);
  });

  test("a client that has read the whole body is not affected by a later abort", async () => {
    const leaving = new AbortController();
    const reply = await send(leaving.signal);
    expect(await reply.json()).toMatchObject(EVENT);
    leaving.abort();
    expect(reply.headers.get("content-type")).toBe("application/json");
    expect(sandbox.journal.list({ gone: true })).toEqual([]);
  });
});

test("fetch uses the signal of a Request, or the signal of its own options instead", async () => {
  await using own = await frozenSandbox();
  own.use({ then: { hold: "gate" } });
  const [first, second] = [new AbortController(), new AbortController()];
  const headers = own.auth.basic();
  const asked = (signal: AbortSignal) =>
    new Request(`${own.urls.museum}/special-events`, { headers, signal });
  const replies = [
    own.fetch(asked(first.signal)),
    own.fetch(asked(first.signal), { signal: second.signal }),
    own.fetch(asked(first.signal), { signal: null }),
  ];
  const ended = Promise.allSettled(replies);
  await own.gates.arrived("gate", 3);
  first.abort();
  second.abort();
  own.gates.release("gate");
  expect((await ended).map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
});

test("a client that has read its responses leaves no listener on its signal", async () => {
  await using own = await frozenSandbox();
  const { signal } = new AbortController();
  for (let sent = 0; sent < 3; sent += 1)
    await (await own.fetch("/museum/v1.1/special-events", { headers: own.auth.basic(), signal })).text();
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});
