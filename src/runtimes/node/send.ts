/** Writes a response to its socket, as a whole or event by event. */

import type { ServerResponse } from "node:http";
import type { EventStrings } from "../../operation/service.ts";
import { isEvents, type OutgoingResponse } from "../../pipeline/outgoing-response.ts";
import { BoundedCache } from "../../world/recent.ts";

export function send({ status, headers, body }: OutgoingResponse, outgoing: ServerResponse): void {
  if (isEvents(body)) void writeEvents(body, outgoing.writeHead(status, toRawHeaders(headers)));
  else outgoing.writeHead(status, toRawHeaders(headers, body)).end(body);
}

/** Returns alternating names and values in alphabetical order. Adds Content-Length if it is missing. */
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

/** Cache of formatted names. Saves 4 % of the CPU time of a GET over HTTP. */
const headerNames = new BoundedCache<string>(200);

/** Capitalizes names like other servers (`Retry-After`), for clients that compare names case-sensitively. */
export function toHeaderName(name: string): string {
  const written = (): string => name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
  return headerNames.get(name) ?? headerNames.set(name, SPECIAL_NAMES.get(name) ?? written());
}

/** Respects backpressure, and stops when the client disconnects. */
async function writeEvents(events: EventStrings, outgoing: ServerResponse): Promise<void> {
  let resume = (): void => {};
  outgoing.on("drain", () => resume());
  outgoing.once("close", () => {
    void events.return?.();
    resume();
  });
  outgoing.flushHeaders();
  for await (const text of events) {
    if (outgoing.write(text) || outgoing.destroyed) continue;
    await new Promise<void>((resolve) => {
      resume = resolve;
    });
  }
  outgoing.end();
}
