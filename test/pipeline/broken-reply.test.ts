// What a client in this process meets in place of a whole reply: the error, by name and code, that fetch has over a
// connection, after as much of the body as had left.

import { expect, test } from "vitest";
import { type LocalClient, receive } from "../../src/pipeline/broken-reply.ts";
import type { OutgoingResponse } from "../../src/pipeline/outgoing-response.ts";
import type { Fault, FaultKind } from "../../src/rules/effect.ts";

const HEADERS = { "content-type": "text/plain" };
const SENT: OutgoingResponse = { status: 200, headers: HEADERS, body: "0123456789" };

type Met = { readonly status?: number; readonly text: string; readonly error?: unknown };

/** Everything that the client sees, and the pauses in which it waited. */
async function meet(fault: Fault, change: Partial<OutgoingResponse & LocalClient> = {}) {
  const pauses: number[] = [];
  const wall = { now: () => 0, pause: async (ms: number) => void pauses.push(ms) };
  const signal = change.signal ?? new AbortController().signal;
  const world = change.world ?? { wall, ended: new AbortController().signal };
  const parserErrors = change.parserErrors ?? { codes: true, expected: "HTTP/, RTSP/ or ICE/" };
  let text = "";
  let status: number | undefined;
  const met = async (): Promise<Met> => {
    try {
      const response = await receive({ ...SENT, ...change, fault }, () => ({ signal, world, parserErrors }));
      status = response.status;
      expect(response.headers.get("content-type")).toBe("text/plain");
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) text += `${decoder.decode(chunk)}|`;
      return { status, text };
    } catch (error) {
      return { ...(status === undefined ? {} : { status }), text, error };
    }
  };
  return { ...(await met()), pauses };
}

const failed = (message: string, name: string, code: string | undefined, detail: string) => ({
  message,
  cause: { name, code, message: detail },
});
const CLOSED = ["SocketError", "UND_ERR_SOCKET", "other side closed"] as const;
const NOT_HTTP = "Response does not match the HTTP/1.1 protocol";

const OF_NOTHING = {
  reset: [failed("fetch failed", "Error", "ECONNRESET", "read ECONNRESET"), []],
  empty: [failed("fetch failed", ...CLOSED), []],
  garbage: [
    failed(
      "fetch failed",
      "HTTPParserError",
      "HPE_INVALID_CONSTANT",
      `${NOT_HTTP} (Expected HTTP/, RTSP/ or ICE/)`,
    ),
    [],
  ],
  hang: [
    failed("fetch failed", "HeadersTimeoutError", "UND_ERR_HEADERS_TIMEOUT", "Headers Timeout Error"),
    [300_000],
  ],
} satisfies Readonly<Partial<Record<FaultKind, readonly [error: object, pauses: readonly number[]]>>>;
/** Of the others all arrives, as is told further down. */
const OF_HALF = {
  truncate: failed("terminated", ...CLOSED),
  "bad-chunk": failed(
    "terminated",
    "HTTPParserError",
    "HPE_INVALID_CHUNK_SIZE",
    `${NOT_HTTP} (Invalid character in chunk size)`,
  ),
} satisfies Readonly<Record<Exclude<FaultKind, keyof typeof OF_NOTHING | "slow-close" | "dribble">, object>>;
const keysOf = <K extends string>(table: Readonly<Record<K, unknown>>) => Object.keys(table) as K[]; // which has no others

test.each(keysOf(OF_NOTHING))("the client receives no response from the fault %s", async (kind) => {
  const [error, pauses] = OF_NOTHING[kind];
  const met = await meet({ kind });
  expect(met.error).toBeInstanceOf(TypeError);
  expect(met).toMatchObject({ text: "", error, pauses });
  expect(met).not.toHaveProperty("status");
});

test.each(keysOf(OF_HALF))("the client receives half of the body from the fault %s", async (kind) => {
  expect(await meet({ kind })).toMatchObject({ status: 200, text: "01234|", error: OF_HALF[kind] });
});

test("the error for a response that is not HTTP has no code in newer runtimes", async () => {
  const parserErrors = { codes: false, expected: "HTTP/" };
  const { error } = await meet({ kind: "garbage" }, { parserErrors });
  expect(error).toMatchObject(
    failed("fetch failed", "HTTPParserError", undefined, `${NOT_HTTP} (Expected HTTP/)`),
  );
});

test("slow-close ends after the whole body, and dribble sends the given number of chunks", async () => {
  expect(await meet({ kind: "slow-close" })).toEqual({ status: 200, text: "0123456789|", pauses: [500] });
  const dribble = { kind: "dribble", chunks: 4, overMs: 1_000 } as const;
  expect(await meet(dribble)).toEqual({ status: 200, text: "012|345|678|9|", pauses: [250, 250, 250, 250] });
  expect(await meet({ ...dribble, chunks: 100 }, { body: "ab" })).toMatchObject({
    text: "a|b|",
    pauses: [10, 10],
  });
  expect(await meet(dribble, { status: 204, body: undefined as never })).toMatchObject({
    status: 204,
    text: "",
  });
});

test.each<Fault>([{ kind: "hang" }, { kind: "dribble", chunks: 2, overMs: 10 }, { kind: "slow-close" }])(
  "the fault %o ends when the client aborts, and breaks the connection when the world ends",
  async (fault) => {
    const seen: (boolean | undefined)[] = [];
    const wall = {
      now: () => 0,
      pause: async (_ms: number, signal?: AbortSignal) => void seen.push(signal?.aborted),
    };
    const reason = new Error("enough");
    const left = await meet(fault, {
      signal: AbortSignal.abort(reason),
      world: { wall, ended: new AbortController().signal },
    });
    const ended = await meet(fault, { world: { wall, ended: AbortSignal.abort() } });
    expect(seen).toEqual([true, true]);
    if (fault.kind === "slow-close") return; // all of it has come
    expect(left.error).toBe(reason);
    const message = fault.kind === "hang" ? "fetch failed" : "terminated";
    expect(ended.error).toMatchObject(failed(message, ...CLOSED));
  },
);
