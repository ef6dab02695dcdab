// An exchange is in the journal from its arrival: what a client sent counts before it is answered.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { connect } from "../../src/connect.ts";
import type { RecordedExchange } from "../../src/journal/recorded-exchange.ts";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import { finishTest } from "../../src/testing/end-of-test.ts";

const CREATE = { operation: "museum.createSpecialEvent" } as const;
const EVENT = {
  name: "Lamps",
  location: "Hall 2",
  eventDescription: "Dark",
  dates: ["2026-03-31"],
  price: 5,
};

/** A sandbox in process and over HTTP; `create` sends one creation. */
async function start() {
  const sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
  const { url } = await sandbox.listen({ port: 0 });
  const create = () =>
    fetch(`${sandbox.urls.museum}/special-events`, {
      method: "POST",
      headers: { ...sandbox.auth.basic(), "content-type": "application/json" },
      body: JSON.stringify(EVENT),
    });
  return { sandbox, create, remote: connect(url), [Symbol.asyncDispose]: () => sandbox.close() };
}

// As wiremock#574 and mockserver-monorepo#129 ask for; wiremock#822 asks for the state "open".
describe.each(["in process", "over HTTP"])("%s", (place) => {
  test("an expectation of exactly one creation fails immediately if a second one is still open", async () => {
    await using at = await start();
    const { sandbox, create, remote } = at;
    const { journal } = place === "in process" ? sandbox : remote;
    await create();
    sandbox.use({ id: "slow", when: CREATE, at: "response", then: { hold: "late" } });
    const second = create();
    await sandbox.gates.arrived("late");
    expect(await journal.verify({ ...CREATE, times: 1 })).toMatchObject({
      ok: false,
      found: 2,
      message: expect.stringContaining(
        "expected exactly 1, found 2, still open: #2 waits: gate late, rule slow",
      ),
    });
    expect(await journal.verify({ ...CREATE, status: 201, times: 1 })).toMatchObject({
      ok: false,
      found: 1,
      undecided: [{ seq: 2, why: "its status is not known yet: it waits: gate late, rule slow" }],
    });
    const verified = journal.verify({ ...CREATE, status: 201, times: 2, within: "5s" });
    sandbox.gates.release("late");
    expect((await second).status).toBe(201);
    expect(await verified).toMatchObject({ ok: true, found: 2 });
  });

  test("a failed test and a failed journal.idle print the request that is still open", async () => {
    await using at = await start();
    const { sandbox, create, remote } = at;
    const { journal } = place === "in process" ? sandbox : remote;
    sandbox.use({ id: "slow", when: CREATE, then: { delay: "60s", clock: "virtual" } });
    const waiting = create();
    await sandbox.gates.arrived("clock");
    const line = "#1 POST /museum/v1.1/special-events open, waits: virtual delay 60000 ms, rule slow";
    await expect(journal.idle({ within: "1ms" })).rejects.toThrow(`Still open after 1ms: ${line}`);
    const told: string[] = [];
    const result = { isLast: true, fails: false, verify: true, storeCapsule: async () => {} };
    await finishTest(sandbox, { ...result, passed: false, appendText: (text) => void told.push(text) });
    expect(told).toEqual([expect.stringContaining(line)]);
    await sandbox.clock.advance("60s");
    expect((await waiting).status).toBe(201);
    await journal.idle();
    expect(await journal.list({ state: "open" })).toEqual([]);
  });

  test("the journal knows that a client gave up right after it did", async () => {
    await using at = await start();
    const { sandbox, remote } = at;
    const { journal } = place === "in process" ? sandbox : remote;
    sandbox.use({ then: { delay: "60s" } });
    const leaving = new AbortController();
    const headers = sandbox.auth.basic();
    const waiting = fetch(`${sandbox.urls.museum}/museum-hours`, { headers, signal: leaving.signal });
    await journal.waitFor({ state: "open" });
    leaving.abort();
    await expect(waiting).rejects.toThrow();
    expect(await journal.verify({ gone: true, times: 1 })).toMatchObject({ ok: true, found: 1 });
  });
});

// As msw#946 asks for.
test("an open request outside a gate is a warning of the report", async () => {
  await using at = await start();
  const { sandbox } = at;
  sandbox.use({ id: "slow", then: { delay: "60s" } });
  const leaving = new AbortController();
  const headers = sandbox.auth.basic();
  const waiting = sandbox.fetch("/museum/v1.1/museum-hours", { headers, signal: leaving.signal });
  const { seq } = await sandbox.journal.waitFor({ state: "open" });
  expect(sandbox.report()).toMatchObject({
    ok: true,
    warnings: [
      `Still open: #${seq} GET /museum/v1.1/museum-hours open, waits: delay 60000 ms, rule slow · rule slow.`,
    ],
  });
  leaving.abort();
  await expect(waiting).rejects.toThrow();
});

test("a reader of the journal, by number or by events, never mixes exchanges from before and after a reset", async () => {
  const steps = fc.array(fc.nat(8), { minLength: 5, maxLength: 25 });
  await fc.assert(fc.asyncProperty(steps, followSteps), { numRuns: 40 });
});

/** Plays actions by number; after each a reader asks for what came `after` its newest row, as the page does. */
async function followSteps(steps: readonly number[]): Promise<void> {
  await using sandbox = await createSandbox();
  const { journal } = sandbox;
  sandbox.use({ when: CREATE, then: { hold: "late" } });
  sandbox.markStart();
  const ask = (path: string) => sandbox.fetch(`/_vitrine${path}`);
  const rowsOf = (list: readonly RecordedExchange[]) => list.map((one) => `${one.seq} ${one.headers["n"]}`);
  const shown = new Map<string, Set<string>>(); // journal id -> its rows
  const note = () => {
    const rows = shown.get(journal.id) ?? new Set();
    shown.set(journal.id, rows);
    for (const row of rowsOf(journal.list())) rows.add(row);
  };
  const send = (n: number) => ({ headers: { n: String(n) } });
  let reader = { id: journal.id, rows: [] as string[] };
  const follow = async (): Promise<void> => {
    const after = Number.parseInt(reader.rows.at(-1) ?? "0", 10);
    const response = await ask(`/journal?journal=${reader.id}&after=${after}`);
    if (response.status === 409) {
      reader = { id: ((await (await ask("/state")).json()) as { journal: string }).journal, rows: [] };
      return follow();
    }
    reader.rows.push(...rowsOf((await response.json()) as RecordedExchange[]));
    expect([reader.id, reader.rows]).toEqual([journal.id, rowsOf(journal.list())]);
  };
  const actions = [
    (n: number) => void sandbox.museum.createSpecialEvent({ body: EVENT, ...send(n) }).catch(() => {}),
    () => sandbox.gates.release("late"),
    () => journal.clear(),
    () => sandbox.reset(),
    () => sandbox.worlds.put("main", { record: sandbox.record() }, { replace: true }),
  ];
  const events = (await ask("/events")).body?.getReader();
  for (const [n, step] of steps.entries()) {
    await (actions[step]?.(n) ?? sandbox.museum.listSpecialEvents(send(n)));
    note();
    await follow();
  }
  await sandbox.close();
  let told = "";
  for (let part = await events?.read(); part?.value !== undefined; part = await events?.read())
    told += new TextDecoder().decode(part.value);
  for (const [, id = "", data = ""] of told.matchAll(/^id: (.*)\ndata: (.*)$/gm))
    expect(shown.get(id)).toContain(rowsOf([JSON.parse(data)])[0]);
}

test("an expectation on a status stays decided after 300 polls were dropped", async () => {
  await using sandbox = await createSandbox();
  for (let poll = 0; poll < 1_300; poll += 1) await sandbox.museum.listSpecialEvents();
  expect(sandbox.journal.evicted).toBe(300);
  expect(await sandbox.journal.verify({ status: 500, times: 0 })).toMatchObject({ ok: true });
});
