/** A web Request as the core wants it. Also reads its body, which a request from a socket has in the same way. */

import { type Address, type Asked, type RequestHeaders, splitAddress } from "../operation/asked.ts";

export class WebRequest implements Asked {
  readonly method: string;
  readonly address: Address;
  readonly headers: RequestHeaders;
  readonly #request: Request;

  /** `headers`: where there is a cheaper way to read them. */
  constructor(request: Request, headers: RequestHeaders = request.headers) {
    this.method = request.method;
    this.address = splitAddress(request.url);
    this.headers = headers;
    this.#request = request;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  /** Checks the headers first: over a socket, accessing `body` costs more than anything else. */
  isEmpty(): boolean | Promise<boolean> {
    const announced = isAnnouncedEmpty(this.headers);
    return announced ?? (this.#request.body === null || startsWithNothing(this.#request));
  }

  /** What exceeds the limit is not stored. */
  async bytes(limitBytes: number): Promise<Uint8Array | undefined> {
    const announced = this.headers.get("content-length");
    if (Number(announced ?? 0) > limitBytes) return undefined;
    // Much cheaper than a stream, and the HTTP server admits no more than was announced.
    if (announced !== null) {
      const whole = await this.#request.arrayBuffer();
      return whole.byteLength > limitBytes ? undefined : new Uint8Array(whole);
    }
    return collect(this.#request.body, limitBytes);
  }
}

/** Whether the headers say that there is no body; undefined where they say nothing. */
export function isAnnouncedEmpty(headers: RequestHeaders): boolean | undefined {
  const length = headers.get("content-length");
  if (headers.has("transfer-encoding") || Number(length ?? 0) > 0) return false;
  return length === null ? undefined : true;
}

/** From a socket there is a stream even where neither header announces a body: its first chunk decides. */
async function startsWithNothing(request: Request): Promise<boolean> {
  const reader = request.clone().body?.getReader();
  const first = await reader?.read().catch(() => undefined);
  void reader?.cancel();
  return first?.done === true;
}

async function collect(
  body: ReadableStream<Uint8Array> | null,
  limitBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > limitBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
