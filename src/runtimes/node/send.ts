/** Writes an answer to the socket that waits for it, in one piece or event by event. */

import type { ServerResponse } from "node:http";
import type { EventStrings } from "../../operation/service.ts";
import { isEvents, type OutgoingResponse } from "../../pipeline/outgoing-response.ts";
import { BoundedCache } from "../../world/recent.ts";

export function send({ status, headers, body }: OutgoingResponse, outgoing: ServerResponse): void {
  if (isEvents(body)) void writeEvents(body, outgoing.writeHead(status, toRawHeaders(headers)));
  else outgoing.writeHead(status, toRawHeaders(headers, body)).end(body);
}

/** Name, value, name, value, … in alphabetical order, and the length where it is not among them. */
export function toRawHeaders(headers: OutgoingResponse["headers"], body?: string | Uint8Array): string[] {
  const fields: string[] = [];
  for (const name of Object.keys(headers).sort()) fields.push(toHeaderName(name), headers[name] ?? "");
  if (body !== undefined && headers["content-length"] === undefined)
    fields.push("Content-Length", String(Buffer.byteLength(body)));
  return fields;
}

const SPECIAL_NAMES = new Map([
  ["etag", "ETag"],
  ["www-authenticate", "WWW-Authenticate"],
]);

/** Cached names. Without this cache a get over HTTP takes 4 % more CPU. */
const headerNames = new BoundedCache<string>(200);

/** `Retry-After`: a client that compares names letter by letter finds it as on other servers. */
export function toHeaderName(name: string): string {
  const written = (): string => name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
  return headerNames.get(name) ?? headerNames.set(name, SPECIAL_NAMES.get(name) ?? written());
}

/** No faster than the client reads, and no longer than it stays. */
async function writeEvents(events: EventStrings, outgoing: ServerResponse): Promise<void> {
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
