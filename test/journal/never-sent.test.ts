// A fault tells the truth: what never left has no status for any reader, a cut reply says how much of it left, and work
// that was done before its reply was lost is told.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { describeCapsule } from "../../src/journal/describe-capsule.ts";
import type { Har } from "../../src/journal/har.ts";
import type { RecordedExchange } from "../../src/journal/recorded-exchange.ts";
import { Sandbox as SandboxValue } from "../../src/open/create-sandbox.ts";
import { FAULTS, type FaultKind } from "../../src/rules/effect.ts";
import { frozenSandbox, type TestSandbox } from "../support/test.ts";

const HOURS = "museum.getMuseumHours";
const CREATE = "museum.createSpecialEvent";
const EVENT = { name: "Lamps", location: "Hall", eventDescription: "Dark", dates: ["2026-03-09"], price: 1 };
const SENT = {
  reset: "nothing",
  empty: "nothing",
  garbage: "nothing",
  hang: "nothing",
  truncate: "half",
  "bad-chunk": "half",
  "slow-close": "all",
  dribble: "all",
} satisfies Readonly<Record<FaultKind, "nothing" | "half" | "all">>;
const thatSend = (part: string) => FAULTS.filter((fault) => SENT[fault] === part);

let sandbox: TestSandbox;
let museum: string;

beforeAll(async () => {
  sandbox = await frozenSandbox();
  ({ museum } = (await sandbox.listen()).urls);
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

/** Sends one request over a socket, and goes once it has ended for the journal. Resolves with what came of it. */
async function meet(line: string, body?: object): Promise<{ status?: number; text?: string }> {
  const [method = "", path = ""] = line.split(" ");
  const leaving = new AbortController();
  const after = sandbox.journal.last?.seq ?? 0;
  const ended = new Promise<RecordedExchange>((resolve) => {
    const leave = sandbox.journal.subscribe((one) => {
      if (one.seq <= after || (one.state === "open" && one.fault === undefined)) return;
      leave();
      resolve(one);
    });
  });
  const headers = { ...sandbox.auth.basic("ada"), "content-type": "application/json" };
  const init = { method, headers, signal: leaving.signal };
  const met = fetch(museum + path, body === undefined ? init : { ...init, body: JSON.stringify(body) })
    .then(async ({ status, body: stream }) => {
      const chunks: Uint8Array[] = [];
      try {
        for await (const chunk of stream ?? []) chunks.push(chunk);
      } catch {
        // The body is cut off: what has come is what there is.
      }
      return { status, text: Buffer.concat(chunks).toString() };
    })
    .catch(() => ({}));
  const { fault } = await ended;
  if (fault === "hang") leaving.abort();
  await sandbox.journal.idle();
  return met;
}

type HarEntry = {
  readonly response: { readonly status: number; readonly bodySize: number; _error?: string };
};
const harOf = (): HarEntry["response"] | undefined =>
  ((sandbox.har() as Har).log["entries"] as HarEntry[]).at(-1)?.response;

describe.each(thatSend("nothing"))("a fault that sends nothing: %s", (fault) => {
  test("has no status in the journal, its queries, verification, HAR and coverage", async () => {
    const before = sandbox.coverage.data();
    sandbox.use({ when: { operation: HOURS }, then: { fault } });
    expect(await meet("GET /museum-hours")).toEqual({});

    const { journal } = sandbox;
    expect(journal.last).toMatchObject({ fault, responseHeaders: {} });
    for (const absent of ["status", "responseBody", "sent"]) expect(journal.last).not.toHaveProperty(absent);
    expect(journal.last?.gone).toBe(fault === "hang" ? true : undefined);
    expect(journal.count({ status: 200 })).toBe(0);
    expect(journal.count({ status: { $gte: 100 } })).toBe(0);
    expect(journal.count({ status: { $exists: false }, fault })).toBe(1);
    const verified = await journal.verify({ operation: HOURS, status: 200 });
    expect(verified).toMatchObject({ ok: false, found: 0 });
    expect(verified.message).toContain("Nearest: #1 museum.getMuseumHours: status is absent, not 200");
    expect(harOf()).toMatchObject({ status: 0, bodySize: -1, _error: expect.stringMatching(/^net::ERR_/) });
    expect(sandbox.coverage.data()).toEqual(before);
    expect(sandbox.report().ok).toBe(true);
  });

  test("leaves the status in made if the work was done before, and no status otherwise", async () => {
    sandbox.use({ when: { operation: CREATE }, at: "response", limit: { times: 1 }, then: { fault } });
    sandbox.use({ when: { operation: CREATE }, at: "edge", limit: { after: 1 }, then: { fault } });
    expect(await meet("POST /special-events", EVENT)).toEqual({});
    expect(sandbox.journal.last).toMatchObject({ made: 201, fault, changes: [{ kind: "created" }] });
    expect(await meet("POST /special-events", EVENT)).toEqual({});
    expect(sandbox.journal.last).not.toHaveProperty("made");
    expect(sandbox.data.museum.specialEvents.all().filter(({ name }) => name === EVENT.name)).toHaveLength(1);
  });
});

describe.each(thatSend("half"))("a fault that cuts the reply: %s", (fault) => {
  test("keeps the status, and records how many bytes the client got", async () => {
    const whole = (await meet("GET /special-events")).text ?? "";
    sandbox.use({ when: { operation: "museum.listSpecialEvents" }, then: { fault } });
    const { status, text = "" } = await meet("GET /special-events");
    const half = Math.floor(Buffer.byteLength(whole) / 2);
    expect(status).toBe(200);
    expect(sandbox.journal.last).toMatchObject({
      status: 200,
      fault,
      sent: { bytes: half, of: Buffer.byteLength(whole) },
      responseBody: whole.slice(0, half),
    });
    expect(whole.startsWith(text)).toBe(true);
    expect(harOf()).toMatchObject({ status: 200, bodySize: half, _error: expect.stringMatching(/^net::/) });
  });

  test("does not split a character in the body that the journal stores", async () => {
    const event = { ...EVENT, name: "é".repeat(101), eventDescription: "漢".repeat(101) };
    sandbox.use({ when: { operation: CREATE }, at: "response", then: { fault } });
    await meet("POST /special-events", event);
    const { responseBody = "", sent } = sandbox.journal.last ?? {};
    expect(responseBody).not.toContain("\uFFFD");
    expect((sent?.bytes ?? 0) - Buffer.byteLength(responseBody)).toBeLessThan(3);
  });

  test("sends no response if there is no body to cut", async () => {
    sandbox.use({ when: { method: ["DELETE", "HEAD"] }, then: { fault } });
    const [event] = sandbox.data.museum.specialEvents.all();
    expect(await meet(`DELETE /special-events/${event?.eventId}`)).toEqual({});
    expect(sandbox.journal.last).toMatchObject({ fault: "empty", made: 204 });
    expect(sandbox.journal.last).not.toHaveProperty("status");
    expect(await meet("HEAD /museum-hours")).toEqual({});
    expect(sandbox.journal.last).toMatchObject({ fault: "empty", made: 200 });
    expect(harOf()).toMatchObject({ status: 0, _error: "net::ERR_EMPTY_RESPONSE" });
  });
});

test.each(thatSend("all"))("%s sends the whole response, and the journal names the fault", async (fault) => {
  sandbox.use(
    fault === "dribble"
      ? { when: { operation: HOURS }, then: { delay: { dribble: { chunks: 2, over: "4ms" } } } }
      : { when: { operation: HOURS }, then: { fault } },
  );
  const { status, text } = await meet("GET /museum-hours");
  expect(status).toBe(200);
  expect(sandbox.journal.last).toMatchObject({ status: 200, fault, responseBody: text });
  expect(sandbox.journal.last).not.toHaveProperty("sent");
});

test("`sandbox.answer` rejects as well if a fault loses the response", async () => {
  sandbox.use({ when: { operation: HOURS }, then: { fault: "reset" } });
  const request = new Request(`${museum}/museum-hours`, { headers: sandbox.auth.basic() });
  await expect(sandbox.answer(request)).rejects.toThrow("fetch failed");
  expect(sandbox.journal.last).not.toHaveProperty("status");
});

test("a client that left got no response, and its request was processed only if the work had begun", async () => {
  sandbox.use({ id: "late", when: { operation: CREATE }, at: "response", then: { hold: "late" } });
  sandbox.use({ id: "early", when: { operation: CREATE }, limit: { times: 1 }, then: { hold: "early" } });
  const headers = { ...sandbox.auth.basic(), "content-type": "application/json" };
  for (const gate of ["early", "late"]) {
    const leaving = new AbortController();
    const init = { method: "POST", headers, body: JSON.stringify(EVENT), signal: leaving.signal };
    const left = fetch(`${museum}/special-events`, init);
    await sandbox.gates.arrived(gate);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await sandbox.journal.waitFor({ gone: true, rule: gate });
  }
  const [undone, done] = sandbox.journal.list({ gone: true });
  expect(done).toMatchObject({ made: 201, changes: [{ kind: "created" }] });
  expect(undone).toMatchObject({ changes: [] });
  expect(undone?.rules.map(({ rule }) => rule)).toEqual(["early"]);
  for (const exchange of [undone, done]) expect(exchange).not.toHaveProperty("status");
  expect(undone).not.toHaveProperty("made");
  expect(harOf()).toMatchObject({ status: 0, _error: "net::ERR_ABORTED" });
});

test("rules see the lost response, but the next page of a lost list does not count as shown", async () => {
  sandbox.use({ when: { operation: "account.listConsumptions" }, at: "response", then: { fault: "reset" } });
  await expect(sandbox.account.listConsumptions()).rejects.toThrow("fetch failed");
  expect(sandbox.journal.last).toMatchObject({ made: 200, fault: "reset" });
  expect(sandbox.journal.last).not.toHaveProperty("nextPage");
});

test("a record of the world contains the lost and the cut responses", async () => {
  sandbox.use({ when: { operation: CREATE }, at: "response", limit: { times: 1 }, then: { fault: "reset" } });
  await meet("POST /special-events", EVENT);
  sandbox.use({ when: { operation: HOURS }, then: { fault: "truncate" } });
  await meet("GET /museum-hours");
  await using later = await SandboxValue.from(JSON.parse(JSON.stringify(sandbox.record())));
  expect(later.journal.list()).toEqual(sandbox.journal.list());
});

describe("a capsule with lost replies", () => {
  async function lost() {
    await using story = await frozenSandbox();
    const send = (path: string, init: RequestInit) => story.fetch(path, init).catch(() => undefined);
    const headers = { ...story.auth.basic("ada"), "content-type": "application/json" };
    const create = { method: "POST", headers, body: JSON.stringify(EVENT) };
    for (const [at, fault] of [
      ["response", "reset"],
      ["edge", "empty"],
      ["response", "truncate"],
    ] as const)
      story.use({ when: { operation: CREATE }, limit: { times: 1 }, at, then: { fault } });
    for (let times = 0; times < 4; times += 1) await send("/museum/v1.1/special-events", create);
    return structuredClone(story.capsule());
  }

  test("prints the status that was made, the bytes that were sent, and the reason", async () => {
    const capsule = await lost();
    expect(capsule.journal.map(({ status, made }) => [status, made])).toEqual([
      [undefined, undefined],
      [201, undefined],
      [undefined, 201],
      [201, undefined],
    ]);
    expect(describeCapsule(capsule)).toContain(`4 requests:
  #1 POST /museum/v1.1/special-events no response: empty · rule use-2
  #2 POST /museum/v1.1/special-events 201, truncate, 71 of 142 bytes · rule use-3
  #3 POST /museum/v1.1/special-events no response: reset, 201 was lost · rule use-1
  #4 POST /museum/v1.1/special-events 201
`);
  });
});
