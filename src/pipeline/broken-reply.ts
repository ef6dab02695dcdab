/**
 * Wire faults as a client in this process meets them: with the same error, by name and code, that the global
 * fetch raises over a real connection.
 */

import { type Fault, firstHalf, SLOW_CLOSE_MS } from "../rules/effect.ts";
import type { World } from "../world/world.ts";
import { type OutgoingResponse, toResponse, wholeBody } from "./outgoing-response.ts";

export type Client = {
  /** Aborted when the client gives up. */
  readonly signal: AbortSignal;
  /** Its end is the end of every connection. */
  readonly world: Pick<World, "wall" | "ended">;
  /** How this runtime's own fetch reports bytes that are not HTTP. */
  readonly parserErrors: ParserErrors;
};

/** Newer runtimes leave the code out, and name more protocols. */
export type ParserErrors = { readonly codes: boolean; readonly expected: string };

/** How long fetch waits for the head of a reply before it gives up. */
const HEADERS_TIMEOUT_MS = 300_000;

/** The response as it arrives: a fault alters it, or rejects as fetch does. Only then is `client` called. */
export function receive(sent: OutgoingResponse, client: () => Client): Response | Promise<Response> {
  return sent.fault === undefined ? toResponse(sent) : play(sent.fault, sent, client());
}

async function play(fault: Fault, sent: OutgoingResponse, client: Client): Promise<Response> {
  const gone = (): AbortSignal => AbortSignal.any([client.signal, client.world.ended]);
  switch (fault.kind) {
    case "reset":
      throw failed("fetch failed", "Error", "ECONNRESET", "read ECONNRESET");
    case "empty":
      throw otherSideClosed("fetch failed");
    case "garbage":
      throw notHttp(
        "fetch failed",
        "HPE_INVALID_CONSTANT",
        `Expected ${client.parserErrors.expected}`,
        client.parserErrors,
      );
    case "hang":
      return hang(client);
    case "truncate":
      return withBody(sent, async function* (body) {
        yield firstHalf(body);
        throw otherSideClosed("terminated");
      });
    case "bad-chunk":
      return withBody(sent, async function* (body) {
        yield firstHalf(body);
        throw notHttp(
          "terminated",
          "HPE_INVALID_CHUNK_SIZE",
          "Invalid character in chunk size",
          client.parserErrors,
        );
      });
    case "slow-close":
      return withBody(sent, async function* (body) {
        yield body;
        await client.world.wall.pause(SLOW_CLOSE_MS, gone());
      });
    case "dribble":
      return withBody(sent, async function* (body) {
        const size = Math.max(1, Math.ceil(body.length / fault.chunks));
        for (let at = 0; at < body.length; at += size) {
          await client.world.wall.pause(fault.overMs / fault.chunks, gone());
          client.signal.throwIfAborted();
          if (client.world.ended.aborted) throw otherSideClosed("terminated");
          yield body.subarray(at, at + size);
        }
      });
  }
}

function notHttp(message: string, code: string, detail: string, { codes }: ParserErrors): TypeError {
  const text = `Response does not match the HTTP/1.1 protocol (${detail})`;
  return failed(message, "HTTPParserError", codes ? code : undefined, text);
}

function otherSideClosed(message: string): TypeError {
  return failed(message, "SocketError", "UND_ERR_SOCKET", "other side closed");
}

function failed(message: string, name: string, code: string | undefined, detail: string): TypeError {
  const cause = Object.assign(new Error(detail), { name, code });
  return new TypeError(message, { cause });
}

async function hang({ signal, world: { wall, ended } }: Client): Promise<never> {
  await wall.pause(HEADERS_TIMEOUT_MS, AbortSignal.any([signal, ended]));
  signal.throwIfAborted();
  if (ended.aborted) throw otherSideClosed("fetch failed");
  throw failed("fetch failed", "HeadersTimeoutError", "UND_ERR_HEADERS_TIMEOUT", "Headers Timeout Error");
}

/** The same head with another body. */
function withBody(sent: OutgoingResponse, write: (body: Uint8Array) => AsyncGenerator<Uint8Array>): Response {
  const { status, headers } = sent;
  const chunks = write(wholeBody(sent));
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  return new Response([204, 205, 304].includes(status) ? null : body, { status, headers: { ...headers } });
}
