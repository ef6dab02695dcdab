/** `sandbox.fetch`: like fetch, but in process. Rejects URLs of other servers. */

import { UsageError } from "../errors/usage-error.ts";
import type { IncomingRequest } from "../http/incoming-request.ts";
import { LOCAL_ORIGIN, type SandboxUrls } from "../sandbox/addresses.ts";
import { toUtf8 } from "../world/bytes.ts";
import { raceAbort } from "./abort.ts";
import { isAnnouncedEmpty, WebRequest } from "./web-request.ts";

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export type LocalFetchOptions = {
  readonly addresses: SandboxUrls;
  /** Returns the path prefix of this world: `/~w1`, or empty for the main world. */
  readonly prefix: () => string;
  /** Processes a request. `owner`: the environment whose separate port is in the URL, or undefined for the main port. */
  readonly answer: (request: IncomingRequest, owner: string | undefined) => Response | Promise<Response>;
};

/** Resolves relative URLs against `addresses.common`. Adds the prefix of this world to paths without a world prefix. */
export function createLocalFetch({ addresses, prefix, answer }: LocalFetchOptions): Fetch {
  let world: string | undefined;
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, addresses.common);
    if (url.origin !== LOCAL_ORIGIN && !addresses.origins().includes(url.origin)) {
      const message = `${url.origin} is not this sandbox, and sandbox.fetch cannot use the network. Use a path, or ${addresses.common}.`;
      throw new UsageError("badOption", message);
    }
    const owner = url.origin === addresses.common ? undefined : addresses.findPortOwner(url.origin);
    world ??= prefix();
    if (world !== "" && !url.pathname.startsWith("/~")) url.pathname = world + url.pathname;
    const signal = findSignal(input, init);
    signal?.throwIfAborted();
    const answered = answer(toIncomingRequest(url, input, init ?? undefined), owner);
    return signal === undefined ? answered : raceAbort(answered, signal);
  };
}

/** Like fetch: `init.signal` replaces the signal of a Request, and `init.signal: null` removes it. */
function findSignal(input: string | URL | Request, init: RequestInit | undefined): AbortSignal | undefined {
  const { signal } = init ?? {};
  if (signal !== undefined) return signal ?? undefined;
  return input instanceof Request ? input.signal : undefined;
}

function toIncomingRequest(url: URL, input: string | URL | Request, init?: RequestInit): IncomingRequest {
  // The copy consumes the body of `input`, like the global fetch.
  if (input instanceof Request) return new WebRequest(new Request(input, init), url);
  return isPlain(init) ? new PlainRequest(url, init) : new WebRequest(new Request(url, init));
}

/** Methods that `PlainRequest` supports. Other methods need a web `Request`, which is slow to build. */
const PLAIN_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

type PlainInit = Pick<RequestInit, "method" | "headers" | "signal"> & { readonly body?: string | null };

function isPlain(init: RequestInit = {}): init is PlainInit {
  const { method = "GET", body, signal } = init;
  for (const name in init)
    if (name !== "method" && name !== "headers" && name !== "body" && name !== "signal") return false;
  if (!PLAIN_METHODS.includes(method) || !(signal == null || signal instanceof AbortSignal)) return false;
  const isBodied = body !== undefined && body !== null;
  return !isBodied || (typeof body === "string" && method !== "GET" && method !== "HEAD");
}

/** A faster `WebRequest`, because it builds no web `Request`. For calls with a URL, and options that `isPlain` accepts. */
class PlainRequest implements IncomingRequest {
  readonly method: string;
  readonly address: IncomingRequest["address"];
  readonly headers: Headers;
  readonly #init: PlainInit;

  constructor(url: URL, init: PlainInit = {}) {
    this.method = init.method ?? "GET";
    this.address = url;
    this.headers = new Headers(init.headers);
    this.#init = init;
    if (typeof init.body === "string" && !this.headers.has("content-type"))
      this.headers.set("content-type", "text/plain;charset=UTF-8");
  }

  get signal(): AbortSignal {
    return this.#init.signal ?? new AbortController().signal;
  }

  get isGone(): boolean {
    return this.#init.signal?.aborted === true;
  }

  isEmpty(): boolean {
    return isAnnouncedEmpty(this.headers) ?? !this.#init.body;
  }

  bytes(limitBytes: number): Uint8Array | undefined {
    const bytes = toUtf8(this.#init.body ?? "");
    return bytes.byteLength > limitBytes ? undefined : bytes;
  }
}
