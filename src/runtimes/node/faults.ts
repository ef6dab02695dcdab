/** Plays wire faults on a real socket. `pipeline/broken-reply.ts` does the same in process. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { type OutgoingResponse, toBodyBytes } from "../../pipeline/outgoing-response.ts";
import { type Fault, SLOW_CLOSE_MS, takeFirstHalf } from "../../rules/effect.ts";
import { clearTimeout, setTimeout } from "../../world/timers.ts";
import { toRawHeaders } from "./send.ts";

const GARBAGE = "\u0016\u0003\u0001 this is not HTTP\r\n\r\n";

/** Sends an answer as its fault wants it. */
export function injectFault(
  fault: Fault,
  sent: OutgoingResponse,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const { socket } = outgoing;
  if (socket === null || outgoing.destroyed) return; // the client has gone
  outgoing.on("error", () => {}); // it may leave while the fault is played: nobody is left to notify
  // Drain what the client still sends, so that closing the socket does not itself cause a reset.
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
      // Without a length, the end of the connection is the end of the body.
      outgoing.shouldKeepAlive = false;
      outgoing.useChunkedEncodingByDefault = false;
      head("Connection", "close");
      outgoing.write(body);
      runLater(SLOW_CLOSE_MS, outgoing, () => outgoing.end());
      break;
    case "dribble":
      head(); // includes the length; for HEAD, that of the body that is not sent
      dribble(outgoing, body, fault);
      break;
    default:
      fault satisfies never; // each fault has its case
  }
}

/** Sends the body in pieces of equal size, the last one at the end of the time. */
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

/** Runs `act` after this much wall time, unless the client leaves first. */
function runLater(delayMs: number, outgoing: ServerResponse, act: () => void): void {
  const timer = setTimeout(act, delayMs);
  outgoing.once("close", () => clearTimeout(timer));
}
