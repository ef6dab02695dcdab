/**
 * Plays wire faults on a real socket: what a rule chose happens to the bytes, so that every client meets what it would
 * meet if the network broke. `request/broken-reply.ts` does the same in process.
 */

import type { ServerResponse } from "node:http";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { faultOf } from "../../request/sent.ts";
import { type Fault, SLOW_CLOSE_MS } from "../../rules/effect.ts";

/** What node-server passes along with the request. Our HTTP server is HTTP/1.1, so the pair is `HttpBindings`. */
type Sockets = HttpBindings | Http2Bindings;
type Fetch = (request: Request) => Response | Promise<Response>;

const GARBAGE = "\u0016\u0003\u0001 this is not HTTP\r\n\r\n";

/** Answers as `fetch` does, and plays the faults that its responses are marked with. */
export function playFaults(
  fetch: Fetch,
): (request: Request, sockets: Sockets) => Promise<Response> | Response {
  return (request, sockets) => {
    const reply = fetch(request);
    return reply instanceof Promise
      ? reply.then((response) => send(response, sockets))
      : send(reply, sockets);
  };
}

function send(response: Response, sockets: Sockets): Response | Promise<Response> {
  const fault = faultOf(response);
  return fault === undefined ? response : play(fault, response, sockets);
}

async function play(fault: Fault, response: Response, sockets: Sockets): Promise<Response> {
  const { incoming, outgoing } = sockets as HttpBindings; // see Sockets
  const body = Buffer.from(await response.arrayBuffer());
  const { socket } = outgoing;
  if (socket === null || outgoing.destroyed) return RESPONSE_ALREADY_SENT; // the client has gone
  outgoing.on("error", () => {}); // it may leave while the fault is played: nobody is left to notify
  // Drain what the client still sends, so that closing the socket does not itself cause a reset.
  incoming.resume();
  const half = body.subarray(0, Math.ceil(body.length / 2));
  const head = (headers: Readonly<Record<string, string | number>>): void => {
    outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), ...headers });
  };
  if (response.body === null && (fault.kind === "truncate" || fault.kind === "bad-chunk")) {
    // There is no body to break, so the head breaks off.
    socket.write(`HTTP/1.1 ${response.status}`);
    socket.destroySoon();
    return RESPONSE_ALREADY_SENT;
  }
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
      head({ "content-length": body.length });
      outgoing.flushHeaders();
      outgoing.write(half, () => socket.destroySoon());
      break;
    case "bad-chunk":
      head({ "transfer-encoding": "chunked" });
      outgoing.write(half, () => {
        socket.write("not a length\r\n");
        socket.destroySoon();
      });
      break;
    case "slow-close":
      // Without a length, the end of the connection is the end of the body.
      outgoing.shouldKeepAlive = false;
      outgoing.useChunkedEncodingByDefault = false;
      head({ connection: "close" });
      outgoing.write(body);
      later(SLOW_CLOSE_MS, outgoing, () => outgoing.end());
      break;
    case "dribble":
      head({}); // includes the length; for HEAD, that of the body that is not sent
      dribble(outgoing, body, fault);
      break;
  }
  return RESPONSE_ALREADY_SENT;
}

/** Sends the body in pieces of equal size, the last one at the end of the time. */
function dribble(
  outgoing: ServerResponse,
  body: Buffer,
  { chunks, overMs }: Extract<Fault, { kind: "dribble" }>,
): void {
  const size = Math.max(1, Math.ceil(body.length / chunks));
  const step = (sent: number): void => {
    const rest = sent + size;
    outgoing.write(body.subarray(sent, rest));
    if (rest >= body.length) outgoing.end();
    else later(overMs / chunks, outgoing, () => step(rest));
  };
  outgoing.flushHeaders();
  later(overMs / chunks, outgoing, () => step(0));
}

/** Runs `act` after this much wall time, unless the client leaves first. */
function later(delayMs: number, outgoing: ServerResponse, act: () => void): void {
  const timer = setTimeout(act, delayMs);
  outgoing.once("close", () => clearTimeout(timer));
}
