/** The request type of the pipeline. Node sockets, web requests and `sandbox.fetch` each have an implementation. */

/** Header fields. `name` must be lowercase. Values of fields with the same name are joined, as in the web `Headers`. */
export type RequestHeaders = {
  get(name: string): string | null;
  has(name: string): boolean;
  /** Entries in alphabetical order, with lowercase names. */
  [Symbol.iterator](): IterableIterator<[string, string]>;
};

export const NO_HEADERS: RequestHeaders = {
  get: () => null,
  has: () => false,
  [Symbol.iterator]: () => new Map<string, string>().entries(),
};

/** Converts an object whose keys are lowercase field names. */
export function toRequestHeaders(fields: Readonly<Record<string, string>>): RequestHeaders {
  const has = (name: string): boolean => Object.hasOwn(fields, name);
  return {
    get: (name) => (has(name) ? (fields[name] ?? null) : null),
    has,
    [Symbol.iterator]: () => Object.entries(fields).sort(compareFields).values(),
  };
}

/** Compares two fields by name. `Headers` lists its fields in the same order. */
export function compareFields([left]: [string, string], [right]: [string, string]): number {
  return left < right ? -1 : 1;
}

/** Parts of a URL, in order: `http://localhost:4010`, `localhost`, `/account/login`, and `?page=2` or an empty string. */
export type UrlParts = {
  readonly origin: string;
  readonly hostname: string;
  readonly pathname: string;
  readonly search: string;
};

export type IncomingRequest = {
  /** Uppercase, if the Fetch standard normalizes the method: `get` becomes `GET`. Other methods stay as sent. */
  readonly method: string;
  readonly address: UrlParts;
  readonly headers: RequestHeaders;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Whether the client disconnected. Faster than `signal`, which some runtimes create on first use. */
  readonly isGone: boolean;
  isEmpty(): boolean | Promise<boolean>;
  /** Reads the whole body. Returns undefined if the body exceeds the limit. Rejects if the connection ends before the body. */
  bytes(limitBytes: number): Uint8Array | undefined | Promise<Uint8Array | undefined>;
};

const URL_PATTERN = /^(https?:\/\/([^/?#@:[\]]+)(?::\d+)?)(\/[^?#]*)(\?[^#]+)?$/;

/** Splits an absolute URL that is already normalized, such as `Request.url`. */
export function splitUrl(url: string): UrlParts {
  const [, origin, hostname, pathname, search = ""] = URL_PATTERN.exec(url) ?? [];
  return origin === undefined || hostname === undefined || pathname === undefined
    ? new URL(url) // Parses the rare URLs that the pattern does not match, such as an IPv6 host or an empty query.
    : { origin, hostname, pathname, search };
}
