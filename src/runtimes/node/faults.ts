/** Simulates faults of an HTTP connection, such as a reset, on its socket. For in-process calls, see `pipeline/broken-reply.ts`. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { type OutgoingResponse, toBodyBytes } from "../../pipeline/outgoing-response.ts";
import { type Fault, SLOW_CLOSE_MS, takeFirstHalf } from "../../rules/effect.ts";
import { clearTimeout, setTimeout } from "../../world/timers.ts";
import { toRawHeaders } from "./send.ts";

const GARBAGE = "\u0016\u0003\u0001 this is not HTTP\r\n\r\n";

export function injectFault(
  fault: Fault,
  sent: OutgoingResponse,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const { socket } = outgoing;
  if (socket === null || outgoing.destroyed) return; // The client has disconnected.
  outgoing.on("error", () => {}); // Ignored: the client may disconnect during the fault.
  // Read the request body: if a socket with unread data is closed, the client gets a reset instead of this fault.
  incoming.resume();
  const body = toBodyBytes(sent);
  const half = takeFirstHalf(body);
  const head = (...more: readonly string[]): void => {
    outgoing.writeHead(sent.status, [...toRawHeaders(sent.headers), ...more]);
  };
  switch (fault.kind) {
    case "reset":
      socket.resetAndDestroy();
      break;
    case "empty":
      socket.destroySoon();
      break;
    case "garbage":
      socket.write(GARBAGE);
      socket.destroySoon();
      break;
    case "hang":
      break;
    case "truncate":
      head("Content-Length", String(body.length));
      outgoing.flushHeaders();
      outgoing.write(half, () => socket.destroySoon());
      break;
    case "bad-chunk":
      head("Transfer-Encoding", "chunked");
      outgoing.write(half, () => {
        socket.write("not a length\r\n");
        socket.destroySoon();
      });
      break;
    case "slow-close":
      // Without Content-Length, the body ends when the connection closes.
      outgoing.shouldKeepAlive = false;
      outgoing.useChunkedEncodingByDefault = false;
      head("Connection", "close");
      outgoing.write(body);
      runLater(SLOW_CLOSE_MS, outgoing, () => outgoing.end());
      break;
    case "dribble":
      head(); // The headers already include Content-Length.
      dribble(outgoing, body, fault);
      break;
    default:
      fault satisfies never;
  }
}

/** Sends the body in chunks of equal size, spread over `overMs`. */
function dribble(
  outgoing: ServerResponse,
  body: Uint8Array,
  { chunks, overMs }: Extract<Fault, { kind: "dribble" }>,
): void {
  const size = Math.max(1, Math.ceil(body.length / chunks));
  const step = (sent: number): void => {
    const rest = sent + size;
    outgoing.write(body.subarray(sent, rest));
    if (rest >= body.length) outgoing.end();
    else runLater(overMs / chunks, outgoing, () => step(rest));
  };
  outgoing.flushHeaders();
  runLater(overMs / chunks, outgoing, () => step(0));
}

/** Runs `act` after a delay in wall-clock time, unless the client disconnects first. */
function runLater(delayMs: number, outgoing: ServerResponse, act: () => void): void {
  const timer = setTimeout(act, delayMs);
  outgoing.once("close", () => clearTimeout(timer));
}
