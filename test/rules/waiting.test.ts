// Requests that wait: for simulated time, at gates, and not for ever.

import { describe, expect, test } from "vitest";
import { createSandbox } from "../../src/open/create-sandbox.ts";

const CLOCK = "2026-03-02T09:00:00Z";
const HOURS = { operation: "museum.getMuseumHours" } as const;

describe("a delay", () => {
  test("of 30 d on the frozen clock ends when the clock is advanced", async () => {
    await using sandbox = await createSandbox({ clock: CLOCK });
    sandbox.use({ when: HOURS, then: { delay: "30d", clock: "virtual" } });
    let answered = false;
    const reply = sandbox.museum.getMuseumHours().then(({ status }) => {
      answered = true;
      return status;
    });
    await sandbox.gates.arrived("clock");
    await sandbox.clock.advance("29d");
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toBe(false);
    await sandbox.clock.advance("1d");
    expect(await reply).toBe(200);
  });

  test("on a running clock does not end while the clock is frozen", async () => {
    let endPause = (): void => {};
    const pause = () =>
      new Promise<void>((resolve) => {
        endPause = resolve;
      });
    await using sandbox = await createSandbox({ wall: { now: () => Date.parse(CLOCK), pause } });
    sandbox.use({ when: HOURS, then: { delay: "1m", clock: "virtual" } });
    const reply = sandbox.museum.getMuseumHours();
    await sandbox.gates.arrived("clock");
    sandbox.clock.freeze();
    endPause();
    await new Promise((resolve) => setImmediate(resolve));
    expect(sandbox.gates.waiting()).toMatchObject([{ gate: "clock" }]);
    await sandbox.clock.advance("1m");
    expect((await reply).status).toBe(200);
  });

  test("that ends for several requests at the same time releases them in order of arrival", async () => {
    await using sandbox = await createSandbox({ clock: CLOCK });
    sandbox.use({
      when: { operation: "museum.createSpecialEvent" },
      then: { delay: "30s", clock: "virtual" },
    });
    const body = { location: "Hall 2", eventDescription: "After dark.", dates: ["2026-03-31"], price: 5 };
    const replies = ["first", "second", "third"].map((name) =>
      sandbox.museum.createSpecialEvent({ body: { ...body, name } }),
    );
    await sandbox.gates.arrived("clock", 3);
    await sandbox.clock.advance("1h");
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([201, 201, 201]);
    const names = sandbox.data.museum.specialEvents.all().map(({ name }) => name);
    expect(names.slice(-3)).toEqual(["first", "second", "third"]);
  });

  test("in wall-clock time uses the world's pause, and delays of several rules add up", async () => {
    const pauses: number[] = [];
    const wall = { now: () => Date.parse(CLOCK), pause: async (ms: number) => void pauses.push(ms) };
    await using sandbox = await createSandbox({ clock: CLOCK, wall, seed: 3 });
    sandbox.use({ when: HOURS, then: { respond: { status: 503 }, delay: "250ms" } });
    sandbox.use({ when: HOURS, then: { delay: { uniform: ["100ms", "200ms"] } } });
    sandbox.use({ when: HOURS, then: { delay: { lognormal: { median: "1s", sigma: 0.5, max: "2s" } } } });
    expect((await sandbox.museum.getMuseumHours()).status).toBe(503);
    expect(pauses, "the seed draws the same ones in every version").toEqual([541, 148, 250]);
  });
});

test("a request that waits during a reset does no work in the reset world", async () => {
  await using sandbox = await createSandbox({ clock: CLOCK });
  sandbox.use({ when: { operation: "museum.deleteSpecialEvent" }, then: { hold: "gate" } });
  const [event] = sandbox.data.museum.specialEvents.all();
  const reply = sandbox.museum.deleteSpecialEvent({ params: { eventId: event?.eventId ?? "" } });
  await sandbox.gates.arrived("gate");
  sandbox.reset();
  expect(await reply).toMatchObject({ status: 503, body: { type: "urn:vitrine:sandbox" } });
  expect(sandbox.data.museum.specialEvents.all()).toContainEqual(event);
  expect(sandbox.rules.list()).toEqual([]);
});

test("a request that waits during a restore uses up no rule of the restored world", async () => {
  await using sandbox = await createSandbox({ clock: CLOCK });
  sandbox.use({ id: "lost", when: HOURS, at: "response", limit: { times: 1 }, then: { fault: "reset" } });
  const before = sandbox.snapshot();
  sandbox.use({ when: HOURS, then: { hold: "gate" } });
  const reply = sandbox.museum.getMuseumHours();
  await sandbox.gates.arrived("gate");
  sandbox.restore(before);
  expect((await reply).status).toBe(503);
  expect(sandbox.rules.list()).toMatchObject([{ id: "lost", matched: 0, acted: 0 }]);
  await expect(sandbox.museum.getMuseumHours()).rejects.toThrow("fetch failed");
});

describe("the resource of a path is looked up again when the request continues", () => {
  const PATCH = { operation: "museum.updateSpecialEvent" } as const;

  test("after a gate: an entity that was deleted in the meantime is not found and not restored", async () => {
    await using sandbox = await createSandbox({ clock: CLOCK });
    sandbox.use({ when: PATCH, then: { hold: "gate" } });
    const eventId = sandbox.data.museum.specialEvents.all()[0]?.eventId ?? "";
    const reply = sandbox.museum.updateSpecialEvent({ params: { eventId }, body: { price: 1 } });
    await sandbox.gates.arrived("gate");
    expect((await sandbox.museum.deleteSpecialEvent({ params: { eventId } })).status).toBe(204);
    sandbox.gates.release("gate");
    expect((await reply).status).toBe(404);
    expect(sandbox.data.museum.specialEvents.get(eventId)).toBeUndefined();
  });

  test("after a gate: changes of another request in the meantime are kept", async () => {
    await using sandbox = await createSandbox({ clock: CLOCK });
    sandbox.use({ when: PATCH, limit: { times: 1 }, then: { hold: "gate" } });
    const params = { eventId: sandbox.data.museum.specialEvents.all()[0]?.eventId ?? "" };
    const first = sandbox.museum.updateSpecialEvent({ params, body: { price: 1 } });
    await sandbox.gates.arrived("gate");
    const second = await sandbox.museum.updateSpecialEvent({ params, body: { name: "Renamed" } });
    expect(second.status).toBe(200);
    sandbox.gates.release("gate");
    expect((await first).body).toMatchObject({ price: 1, name: "Renamed" });
  });

  test("after a body that came late", async () => {
    await using sandbox = await createSandbox({ clock: CLOCK });
    const eventId = sandbox.data.museum.specialEvents.all()[0]?.eventId ?? "";
    const late = new TransformStream<Uint8Array, Uint8Array>();
    const reply = sandbox.fetch(
      new Request(`${sandbox.urls.museum}/special-events/${eventId}`, {
        method: "PATCH",
        headers: { ...sandbox.auth.basic(), "Content-Type": "application/json" },
        body: late.readable,
        duplex: "half",
      }),
    );
    expect((await sandbox.museum.deleteSpecialEvent({ params: { eventId } })).status).toBe(204);
    const writer = late.writable.getWriter();
    await writer.write(new TextEncoder().encode('{"price": 1}'));
    await writer.close();
    expect((await reply).status).toBe(404);
    expect(sandbox.data.museum.specialEvents.get(eventId)).toBeUndefined();
  });
});

describe("a gate", () => {
  test("lets its requests go in the order that the test wants", async () => {
    await using sandbox = await createSandbox({ clock: CLOCK });
    sandbox.use({ when: HOURS, then: { hold: "box-office" } });
    const answered: string[] = [];
    const ask = (name: string) =>
      sandbox.museum.getMuseumHours({ query: { limit: 1 } }).then(() => void answered.push(name));
    const both = [ask("first"), ask("second")];
    await sandbox.gates.arrived("box-office", 2);
    const [first, second] = sandbox.gates.waiting();
    expect(sandbox.report().failures).toEqual(['Requests still wait at the gate "box-office".']);
    expect(sandbox.gates.release("box-office", second?.exchange)).toBe(1);
    await both[1];
    expect(sandbox.gates.release("box-office", first?.exchange)).toBe(1);
    await Promise.all(both);
    expect(answered).toEqual(["second", "first"]);
    expect(sandbox.gates.waiting()).toEqual([]);
    expect(sandbox.gates.release("box-office")).toBe(0);
  });

  test("holds at most 500 requests; the next is told so with 503", async () => {
    await using sandbox = await createSandbox({ clock: CLOCK });
    sandbox.use({ when: HOURS, then: { hold: "gate" } });
    const parked = Array.from({ length: 500 }, () => sandbox.museum.getMuseumHours());
    await sandbox.gates.arrived("gate", 500);
    const refused = await sandbox.museum.getMuseumHours();
    expect(refused.status).toBe(503);
    expect(refused.body).toEqual({
      type: "urn:vitrine:sandbox",
      title: "Rejected by the sandbox",
      status: 503,
      detail: "500 requests are waiting already. Release a gate, or advance the clock.",
    });
    expect(sandbox.gates.release("gate")).toBe(500);
    expect(new Set((await Promise.all(parked)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  test("is empty again after the waiting client disconnects", async () => {
    await using sandbox = await createSandbox({ clock: CLOCK });
    sandbox.use({ when: HOURS, then: { hold: "gate" } });
    const abort = new AbortController();
    const path = `${sandbox.urls["museum"]}/museum-hours`;
    const reply = sandbox
      .fetch(path, { headers: sandbox.auth.basic(), signal: abort.signal })
      .catch(() => {});
    await sandbox.gates.arrived("gate");
    abort.abort();
    await reply;
    expect(sandbox.gates.waiting()).toEqual([]);
  });
});

test("does not hold a request whose client has left or whose world has ended", async () => {
  await using sandbox = await createSandbox({ clock: CLOCK });
  const { gates } = sandbox.core.ruleSet;
  expect(await gates.hold("gate", 1, AbortSignal.abort())).toBe(true);
  expect(gates.waiting()).toEqual([]);
  expect(await gates.pause(1), "without a client").toBe(true);
  await sandbox.close();
  expect(await gates.hold("gate", 2)).toBe(false);
});
