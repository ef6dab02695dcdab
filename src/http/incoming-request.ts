/** The request type of the core, independent of the runtime. Members are computed on first use. */

/** Header fields by lowercase name. Joins fields with the same name. `Headers` implements this type. */
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

/** `fields` must have lowercase names. */
export function toRequestHeaders(fields: Readonly<Record<string, string>>): RequestHeaders {
  const has = (name: string): boolean => Object.hasOwn(fields, name);
  return {
    get: (name) => (has(name) ? (fields[name] ?? null) : null),
    has,
    [Symbol.iterator]: () => Object.entries(fields).sort(compareFields).values(),
  };
}

/** Sorts by name, like `Headers`. */
export function compareFields([left]: [string, string], [right]: [string, string]): number {
  return left < right ? -1 : 1;
}

/** Parts of a URL, for example `http://localhost:4010`, `localhost`, `/account/login`, and `?page=2` or empty. */
export type UrlParts = {
  readonly origin: string;
  readonly hostname: string;
  readonly pathname: string;
  readonly search: string;
};

export type IncomingRequest = {
  /** Uppercase for the methods that the Fetch standard normalizes. Other methods are unchanged. */
  readonly method: string;
  readonly address: UrlParts;
  readonly headers: RequestHeaders;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Whether the client disconnected. Costs less than `signal`. */
  readonly isGone: boolean;
  isEmpty(): boolean | Promise<boolean>;
  /** Reads the whole body; undefined if it exceeds the limit. Rejects if the connection ends early. */
  bytes(limitBytes: number): Uint8Array | undefined | Promise<Uint8Array | undefined>;
};

const URL_PATTERN = /^(https?:\/\/([^/?#@:[\]]+)(?::\d+)?)(\/[^?#]*)(\?[^#]+)?$/;

/** Splits an absolute, normalized URL. */
export function splitUrl(url: string): UrlParts {
  const [, origin, hostname, pathname, search = ""] = URL_PATTERN.exec(url) ?? [];
  return origin === undefined || hostname === undefined || pathname === undefined
    ? new URL(url) // The pattern rejects, for example, an IPv6 host, user info, a fragment or an empty query.
    : { origin, hostname, pathname, search };
}
