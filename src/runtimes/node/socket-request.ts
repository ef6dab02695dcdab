/** Adapts a request from a socket to `IncomingRequest`. */

import type { IncomingMessage } from "node:http";
import {
  type IncomingRequest,
  type RequestHeaders,
  splitUrl,
  type UrlParts,
} from "../../http/incoming-request.ts";
import { isAnnouncedEmpty } from "../../pipeline/web-request.ts";

export class SocketRequest implements IncomingRequest {
  readonly method: string;
  readonly address: UrlParts;
  readonly headers: RequestHeaders;
  readonly #request: Request;
  readonly #incoming: IncomingMessage;

  /** `request` is the web `Request` for the message `incoming`. It provides method, URL and abort signal. */
  constructor(request: Request, incoming: IncomingMessage) {
    this.method = request.method;
    this.address = splitUrl(request.url);
    this.headers = new SocketHeaders(incoming.rawHeaders);
    this.#request = request;
    this.#incoming = incoming;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  get isGone(): boolean {
    return this.#incoming.socket.destroyed;
  }

  /** Without Content-Length and Transfer-Encoding, an HTTP/1.1 request has no body. */
  isEmpty(): boolean {
    return isAnnouncedEmpty(this.headers) ?? true;
  }

  /** Resolves with undefined if the body exceeds the limit. */
  bytes(limitBytes: number): Promise<Uint8Array | undefined> {
    const incoming = this.#incoming;
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on("data", (chunk: Buffer) => {
        size += chunk.byteLength;
        if (size <= limitBytes) chunks.push(chunk);
        else resolve(undefined);
      });
      incoming.once("end", () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
      incoming.once("error", reject);
      incoming.once("close", () => {
        if (!incoming.complete) reject(new Error("The client has disconnected."));
      });
    });
  }
}

/** Stores only strings. The journal stores these headers, and a reference to the IncomingMessage would keep its socket in memory. */
class SocketHeaders implements RequestHeaders {
  /** Alternating names and values, in the order of the request. */
  readonly #raw: readonly string[];

  constructor(raw: readonly string[]) {
    this.#raw = raw;
  }

  get(name: string): string | null {
    const raw = this.#raw;
    let found: string | null = null;
    for (let index = 0; index < raw.length; index += 2) {
      const sent = raw[index] ?? "";
      if (sent.length !== name.length || (sent !== name && sent.toLowerCase() !== name)) continue;
      const value = trimWhitespace(raw[index + 1] ?? "");
      found = found === null ? value : `${found}${name === "cookie" ? "; " : ", "}${value}`;
    }
    return found;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  *[Symbol.iterator](): Generator<[string, string]> {
    const names = this.#raw.filter((_text, index) => index % 2 === 0).map((name) => name.toLowerCase());
    for (const name of [...new Set(names)].sort()) yield [name, this.get(name) ?? ""];
  }
}

/** Trims optional whitespace (OWS, RFC 9110): space and tab. */
function trimWhitespace(value: string): string {
  return /^[\t ]|[\t ]$/.test(value) ? value.replace(/^[\t ]+|[\t ]+$/g, "") : value;
}
