/** Adapts a web Request to `IncomingRequest`. */

import {
  type IncomingRequest,
  type RequestHeaders,
  splitUrl,
  toRequestHeaders,
  type UrlParts,
} from "../http/incoming-request.ts";
import { concat } from "../world/bytes.ts";

export class WebRequest implements IncomingRequest {
  readonly method: string;
  readonly address: UrlParts;
  readonly headers: RequestHeaders;
  readonly #request: Request;

  /** `address` overrides the URL of the request. It avoids a copy with a new URL, which loses fields in some runtimes. */
  constructor(request: Request, address: UrlParts = splitUrl(request.url)) {
    this.method = request.method;
    this.address = address;
    this.headers = toRequestHeaders(Object.fromEntries(request.headers)); // The journal keeps them, and native Headers need more memory.
    this.#request = request;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  get isGone(): boolean {
    return this.#request.signal.aborted;
  }

  isEmpty(): boolean | Promise<boolean> {
    const announced = isAnnouncedEmpty(this.headers);
    return announced ?? (this.#request.body === null || isEmptyStream(this.#request));
  }

  /** Resolves with undefined if the body exceeds the limit. */
  bytes(limitBytes: number): Promise<Uint8Array | undefined> {
    return readChunks(this.#request.body, limitBytes);
  }
}

/** Whether the headers announce an empty body. Undefined if they do not specify its length. */
export function isAnnouncedEmpty(headers: RequestHeaders): boolean | undefined {
  const length = headers.get("content-length");
  if (headers.has("transfer-encoding") || Number(length ?? 0) > 0) return false;
  return length === null ? undefined : true;
}

/** Whether the body stream ends without a chunk. Reads from a clone, so that the request keeps its body. */
async function isEmptyStream(request: Request): Promise<boolean> {
  const reader = request.clone().body?.getReader();
  const first = await reader?.read().catch(() => undefined);
  void reader?.cancel();
  return first?.done === true;
}

async function readChunks(body: ReadableStream<Uint8Array> | null, limitBytes: number) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > limitBytes) return undefined;
    chunks.push(chunk);
  }
  return concat(chunks);
}
