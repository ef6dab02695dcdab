/** Writes an answer to the socket that waits for it: in one piece, event by event, or broken as its fault wants it. */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { EventText } from "../../operation/service.ts";
import type { Sent } from "../../request/sent.ts";
import { play } from "./faults.ts";

export function send(sent: Sent, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { status, headers, body, fault } = sent;
  if (fault !== undefined) play(fault, sent, incoming, outgoing);
  else if (body === undefined) outgoing.writeHead(status, headers).end();
  else if (typeof body === "string" || body instanceof Uint8Array)
    outgoing.writeHead(status, measured(headers, body)).end(body);
  else void stream(body, outgoing.writeHead(status, headers));
}

function measured(headers: Sent["headers"], body: string | Uint8Array): Record<string, string> {
  return headers["content-length"] === undefined
    ? { ...headers, "content-length": String(Buffer.byteLength(body)) }
    : headers;
}

/** No faster than the client reads, and no longer than it stays. */
async function stream(events: EventText, outgoing: ServerResponse): Promise<void> {
  let goOn = (): void => {};
  outgoing.on("drain", () => goOn());
  outgoing.once("close", () => {
    void events.return?.();
    goOn();
  });
  outgoing.flushHeaders();
  for await (const text of events) {
    if (outgoing.write(text) || outgoing.destroyed) continue;
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
  }
  outgoing.end();
}
