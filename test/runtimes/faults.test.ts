// Each fault as the two HTTP clients of Node meet it over real sockets, and the same in process.

import { type ClientRequest, request as send } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import { FAULTS as ALL_FAULTS, type FaultKind } from "../../src/rules/effect.ts";
import { exchangeRaw } from "./raw-client.ts";

const HOURS = { operation: "museum.getMuseumHours" } as const;
let sandbox: Awaited<ReturnType<typeof createSandbox>>;
let base: string;

beforeAll(async () => {
  sandbox = await createSandbox({ clock: "2026-03-02T09:00:00Z" });
  base = `${(await sandbox.listen()).urls["museum"]}/museum-hours`;
});
afterAll(() => sandbox.close());
beforeEach(() => {
  sandbox.reset();
  parserTexts.clear();
});

/** The messages of the parser's errors, over TCP and in process. */
const parserTexts = new Set<string>();

type Met = { readonly status?: number; readonly body?: string; readonly error?: string };

/** What fetch reports: of the head, or of the body. */
async function byFetch(fetch: typeof sandbox.fetch, signal?: AbortSignal): Promise<Met> {
  let status: number | undefined;
  try {
    const reply = await fetch(base, { headers: sandbox.auth.basic(), signal: signal ?? null });
    status = reply.status;
    return { status, body: await reply.text() };
  } catch (error) {
    const { name, message, cause } = error as Error & {
      cause?: { name: string; code: string; message: string };
    };
    const told = cause === undefined ? name : `${name}: ${message} (${cause.name} ${cause.code})`;
    if (cause?.name === "HTTPParserError") parserTexts.add(cause.message);
    return status === undefined ? { error: told } : { status, error: told };
  }
}

/** What node:http reports, with the first error of request or response. */
function byHttp(): Promise<Met> {
  return new Promise((resolve) => {
    const outgoing: ClientRequest = send(base, { headers: sandbox.auth.basic() }, (reply) => {
      const chunks: Buffer[] = [];
      const status = reply.statusCode ?? 0;
      reply.on("data", (chunk: Buffer) => chunks.push(chunk));
      reply.on("end", () => resolve({ status, body: Buffer.concat(chunks).toString() }));
      reply.on("error", (error: NodeJS.ErrnoException) => resolve({ status, error: error.code ?? "" }));
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) => resolve({ error: error.code ?? "" }));
    outgoing.end();
  });
}

const socket = "(SocketError UND_ERR_SOCKET)";
/** Newer Nodes leave the code of the parser's error out. */
const [major = 0] = process.versions.node.split(".").map(Number);
const parser = (code: string): string => `(HTTPParserError ${major < 24 ? code : "undefined"})`;
/** By fetch and by node:http. The others, which are slow by name, are further down. */
const MET = {
  reset: [{ error: "TypeError: fetch failed (Error ECONNRESET)" }, { error: "ECONNRESET" }],
  empty: [{ error: `TypeError: fetch failed ${socket}` }, { error: "ECONNRESET" }],
  garbage: [
    { error: `TypeError: fetch failed ${parser("HPE_INVALID_CONSTANT")}` },
    { error: "HPE_INVALID_CONSTANT" },
  ],
  truncate: [
    { status: 200, error: `TypeError: terminated ${socket}` },
    { status: 200, error: "ECONNRESET" },
  ],
  "bad-chunk": [
    { status: 200, error: `TypeError: terminated ${parser("HPE_INVALID_CHUNK_SIZE")}` },
    { error: "HPE_INVALID_CHUNK_SIZE" },
  ],
} satisfies Readonly<Record<Exclude<FaultKind, "hang" | "slow-close" | "dribble">, readonly [Met, Met]>>;
const FAULTS = (Object.keys(MET) as (keyof typeof MET)[]).map((fault) => [fault, ...MET[fault]] as const);

describe.each(FAULTS)("the fault %s", (fault, met, metByHttp) => {
  test("is the same for fetch over TCP, fetch in process, and node:http", async () => {
    sandbox.use({ when: HOURS, then: { fault } });
    expect(await byFetch(globalThis.fetch)).toEqual(met);
    expect(await byFetch(sandbox.fetch)).toEqual(met);
    expect(await byHttp()).toEqual(metByHttp);
    expect(parserTexts.size, [...parserTexts].join()).toBeLessThan(2);
    expect(sandbox.journal.count({ operation: HOURS.operation })).toBe(3);
    expect(sandbox.journal.last?.fault).toBe(fault);
    sandbox.rules.clear();
    expect((await byFetch(globalThis.fetch)).status).toBe(200);
  });
});

test("a fault that is not slow by definition waits for no timer", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
  try {
    for (const [fault, met, metByHttp] of FAULTS) {
      sandbox.reset();
      sandbox.use({ when: HOURS, then: { fault } });
      expect(await byFetch(globalThis.fetch)).toEqual(met);
      expect(await byFetch(sandbox.fetch)).toEqual(met);
      expect(await byHttp()).toEqual(metByHttp);
    }
  } finally {
    vi.useRealTimers();
  }
});

describe("the fault", () => {
  test.for(["HEAD", "DELETE"])("in a response to %s, which has no body, is no success", async (method) => {
    const { host, port } = new URL(base);
    const headers = sandbox.auth.basic();
    for (const [fault] of FAULTS) {
      sandbox.reset();
      sandbox.use({ when: { method }, at: "response", then: { fault } });
      const [one, two, three] = sandbox.data.museum.specialEvents.all().map(({ eventId }) => eventId);
      const url = (id = "") => `${sandbox.urls["museum"]}/special-events/${id}`;
      await expect(fetch(url(one), { method, headers }), fault).rejects.toThrow("fetch failed");
      await expect(sandbox.fetch(url(two), { method, headers }), fault).rejects.toThrow("fetch failed");
      const lines = [
        `${method} ${new URL(url(three)).pathname} HTTP/1.1`,
        `host: ${host}`,
        `authorization: ${headers.authorization}`,
      ];
      const raw = exchangeRaw(Number(port), [`${lines.join("\r\n")}\r\n\r\n`], () => false);
      const { text } = await raw.catch(() => ({ text: "" })); // a reset
      expect(text).toMatch(fault === "garbage" ? /this is not HTTP/ : /^$/);
      const told = {
        fault: fault === "truncate" || fault === "bad-chunk" ? "empty" : fault,
        made: method === "HEAD" ? 200 : 204,
      };
      expect(sandbox.journal.list()).toMatchObject([told, told, told]);
      expect(sandbox.journal.count({ status: { $exists: false } })).toBe(3);
    }
  });

  test("hang never responds, until the client gives up", async () => {
    sandbox.use({ when: HOURS, then: { fault: "hang" } });
    for (const fetch of [globalThis.fetch, sandbox.fetch]) {
      const enough = new AbortController();
      const reply = byFetch(fetch, enough.signal);
      await sandbox.journal.waitFor({ operation: HOURS.operation, fault: "hang", state: "open" });
      enough.abort();
      expect(await reply).toEqual({ error: "AbortError" });
      await sandbox.journal.expect({ fault: "hang", gone: true, times: 1 });
      sandbox.journal.clear();
    }
  });

  test("hang ends when the sandbox closes", async () => {
    const other = await createSandbox({ clock: "2026-03-02T09:00:00Z" });
    other.use({ when: HOURS, then: { fault: "hang" } });
    const met = byFetch((_url, init) => other.fetch("/museum/v1.1/museum-hours", init));
    await other.journal.waitFor({ operation: HOURS.operation, fault: "hang", state: "open" });
    await other.close();
    expect(await met).toEqual({ error: `TypeError: fetch failed ${socket}` });
  });

  test("dribble sends the whole reply in pieces", async () => {
    const whole = await byFetch(globalThis.fetch);
    sandbox.use({ when: HOURS, then: { delay: { dribble: { chunks: 4, over: "20ms" } } } });
    for (const met of [await byFetch(globalThis.fetch), await byFetch(sandbox.fetch), await byHttp()])
      expect(met).toEqual(whole);
  });

  test("dribble answers HEAD with the content-length of the whole body", async () => {
    const whole = Buffer.byteLength(
      await (await sandbox.fetch(base, { headers: sandbox.auth.basic() })).text(),
    );
    sandbox.use({ when: HOURS, then: { delay: { dribble: { chunks: 4, over: "20ms" } } } });
    for (const fetch of [globalThis.fetch, sandbox.fetch]) {
      const reply = await fetch(base, { method: "HEAD", headers: sandbox.auth.basic() });
      expect([reply.status, reply.headers.get("content-length"), await reply.text()]).toEqual([
        200,
        String(whole),
        "",
      ]);
    }
  });

  test("slow-close sends the whole response", async () => {
    const whole = await byFetch(globalThis.fetch);
    sandbox.use({ when: HOURS, then: { fault: "slow-close" } });
    const [one, two, three] = await Promise.all([
      byFetch(globalThis.fetch),
      byFetch(sandbox.fetch),
      byHttp(),
    ]);
    expect([one, two, three]).toEqual([whole, whole, whole]);
  });

  test("reaches a page of another origin as well", async () => {
    sandbox.use({ when: HOURS, then: { fault: "reset" } });
    const headers = { ...sandbox.auth.basic(), origin: "http://localhost:3000" };
    await expect(sandbox.fetch(base, { headers })).rejects.toThrow("fetch failed");
  });

  test.each(ALL_FAULTS.filter((fault) => fault !== "hang"))(
    "%s causes no error if the client has left",
    async (fault) => {
      sandbox.use({ when: HOURS, at: "response", then: { fault } });
      sandbox.use({ when: HOURS, then: { hold: "gate" } });
      const enough = new AbortController();
      const reply = byFetch(globalThis.fetch, enough.signal);
      await sandbox.gates.arrived("gate");
      enough.abort();
      expect(await reply).toEqual({ error: "AbortError" });
      sandbox.gates.release("gate");
      await sandbox.journal.waitFor({ operation: HOURS.operation });
      sandbox.reset();
      expect((await byFetch(globalThis.fetch)).status).toBe(200);
    },
  );
});

test("fifty of each fault leave no socket behind", async () => {
  const { hostname, port, pathname } = new URL(base);
  const head = `GET ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: ${sandbox.auth.basic().authorization}\r\n\r\n`;
  const meet = () =>
    new Promise<void>((resolve) => {
      const client = connect(Number(port), "127.0.0.1", () => client.write(head));
      client.on("error", () => {}); // a reset is one
      client.on("close", () => resolve());
      client.resume();
    });
  const before = openSockets();
  for (const [fault] of FAULTS) {
    sandbox.use({ id: fault, when: HOURS, then: { fault } });
    await Promise.all(Array.from({ length: 50 }, meet));
    expect(sandbox.rules.list().find(({ id }) => id === fault)?.acted).toBe(50);
    sandbox.rules.clear();
  }
  await new Promise((resolve) => setImmediate(resolve));
  expect(openSockets()).toBeLessThanOrEqual(before);
  expect((await byHttp()).status).toBe(200);
});

/** Of this process, which is client and server here. */
function openSockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap").length;
}
