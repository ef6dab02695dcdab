/** Simulates connection faults for in-process calls. Errors have the names and codes that `fetch` uses over a network. */

import { type Fault, SLOW_CLOSE_MS, takeFirstHalf } from "../rules/effect.ts";
import type { World } from "../world/world.ts";
import { type OutgoingResponse, toBodyBytes, toResponse } from "./outgoing-response.ts";

export type LocalClient = {
  /** Aborted when the client cancels the request. */
  readonly signal: AbortSignal;
  /** World of the request. When the world ends, every simulated connection closes. */
  readonly world: Pick<World, "wall" | "ended">;
  /** Format of the errors that fetch throws for malformed HTTP in this runtime. */
  readonly parserErrors: ParserErrors;
};

/** `codes`: whether the error has a `code`, as in older Node versions. `expected`: text of the message after “Expected”. */
export type ParserErrors = { readonly codes: boolean; readonly expected: string };

/** Default timeout of fetch for response headers. */
export const HEADERS_TIMEOUT_MS = 300_000;

/** Returns the response that the client receives. A fault changes it, or makes the promise reject with the error of `fetch`. */
export function receive(sent: OutgoingResponse, client: () => LocalClient): Response | Promise<Response> {
  return sent.fault === undefined ? toResponse(sent) : simulateFault(sent.fault, sent, client());
}

async function simulateFault(fault: Fault, sent: OutgoingResponse, client: LocalClient): Promise<Response> {
  const closed = (): AbortSignal => AbortSignal.any([client.signal, client.world.ended]);
  switch (fault.kind) {
    case "reset":
      throw createFetchError("fetch failed", "Error", "ECONNRESET", "read ECONNRESET");
    case "empty":
      throw createClosedError("fetch failed");
    case "garbage":
      throw createParserError(
        "fetch failed",
        "HPE_INVALID_CONSTANT",
        `Expected ${client.parserErrors.expected}`,
        client.parserErrors,
      );
    case "hang":
      return waitForTimeout(client);
    case "truncate":
      return withBody(sent, async function* (body) {
        yield takeFirstHalf(body);
        throw createClosedError("terminated");
      });
    case "bad-chunk":
      return withBody(sent, async function* (body) {
        yield takeFirstHalf(body);
        const detail = "Invalid character in chunk size";
        throw createParserError("terminated", "HPE_INVALID_CHUNK_SIZE", detail, client.parserErrors);
      });
    case "slow-close":
      return withBody(sent, async function* (body) {
        yield body;
        await client.world.wall.pause(SLOW_CLOSE_MS, closed());
      });
    case "dribble":
      return withBody(sent, async function* (body) {
        const size = Math.max(1, Math.ceil(body.length / fault.chunks));
        for (let at = 0; at < body.length; at += size) {
          await client.world.wall.pause(fault.overMs / fault.chunks, closed());
          client.signal.throwIfAborted();
          if (client.world.ended.aborted) throw createClosedError("terminated");
          yield body.subarray(at, at + size);
        }
      });
  }
}

function createParserError(message: string, code: string, detail: string, { codes }: ParserErrors) {
  const text = `Response does not match the HTTP/1.1 protocol (${detail})`;
  return createFetchError(message, "HTTPParserError", codes ? code : undefined, text);
}

function createClosedError(message: string): TypeError {
  return createFetchError(message, "SocketError", "UND_ERR_SOCKET", "other side closed");
}

function createFetchError(message: string, name: string, code: string | undefined, detail: string) {
  const cause = Object.assign(new Error(detail), { name, code });
  return new TypeError(message, { cause });
}

async function waitForTimeout({ signal, world: { wall, ended } }: LocalClient): Promise<never> {
  await wall.pause(HEADERS_TIMEOUT_MS, AbortSignal.any([signal, ended]));
  signal.throwIfAborted();
  if (ended.aborted) throw createClosedError("fetch failed");
  const [name, code] = ["HeadersTimeoutError", "UND_ERR_HEADERS_TIMEOUT"];
  throw createFetchError("fetch failed", name, code, "Headers Timeout Error");
}

/** Returns a response with the status and headers of `sent`, and the body that `write` generates. */
function withBody(sent: OutgoingResponse, write: (body: Uint8Array) => AsyncGenerator<Uint8Array>): Response {
  const { status, headers } = sent;
  const chunks = write(toBodyBytes(sent));
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  return new Response([204, 205, 304].includes(status) ? null : body, { status, headers: { ...headers } });
}
