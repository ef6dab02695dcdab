/** Calls the control API. Each call except `stream` has a timeout. If such a call is slow, notifies the listener. */

/** Timeout for reads in ms. Shorter than for writes, because polling repeats reads. */
const READ_TIMEOUT_MS = 4_000;
const WRITE_TIMEOUT_MS = 15_000;
const LARGE = /\/(record|har|capsule)(\?|$)/;
const SLOW_MS = 1_000;

export type ApiOptions = {
  readonly base: () => string;
  readonly token: () => string | undefined;
  readonly slow: () => void;
};

export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export class Api {
  readonly #listener: ApiOptions;

  constructor(listener: ApiOptions) {
    this.#listener = listener;
  }

  /** `base`: URL of the control API. Default: the control API of the current world. */
  read(path: string, base: string = this.#listener.base()): Promise<unknown> {
    return this.#call("GET", base + path, undefined);
  }

  change(route: string, body: unknown, base: string = this.#listener.base()): Promise<unknown> {
    const [method = "", path = ""] = route.split(/ (.*)/s);
    return this.#call(method, base + path, method === "DELETE" ? undefined : (body ?? {}));
  }

  async stream(path: string, signal: AbortSignal): Promise<ReadableStream<string>> {
    const reply = await fetch(this.#listener.base() + path, { headers: this.#headers(), signal });
    if (!reply.ok || reply.body === null)
      throw new ApiError(reply.status, "The stream of events was refused.");
    return reply.body.pipeThrough(new TextDecoderStream());
  }

  async #call(method: string, url: string, body: unknown): Promise<unknown> {
    const slow = setTimeout(this.#listener.slow, SLOW_MS);
    try {
      const reply = await fetch(url, {
        method,
        headers: this.#headers(),
        signal: AbortSignal.timeout(
          method === "GET" && !LARGE.test(url) ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS,
        ),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      const value = text === "" ? undefined : JSON.parse(text);
      if (!reply.ok)
        throw new ApiError(
          reply.status,
          String(value?.detail ?? value?.title ?? `The sandbox answered ${reply.status}.`),
        );
      return value;
    } finally {
      clearTimeout(slow);
    }
  }

  #headers(): Record<string, string> {
    const token = this.#listener.token();
    return {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
  }
}
