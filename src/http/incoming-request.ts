/** What the core asks of a request, whatever brought it. Nothing here is made before somebody looks at it. */

/** Header fields by name in lower case. Several of one name are joined, as `Headers` does it, which fits this type. */
export type RequestHeaders = {
  get(name: string): string | null;
  has(name: string): boolean;
  /** Names in lower case, in alphabetical order. */
  [Symbol.iterator](): IterableIterator<[string, string]>;
};

export const NO_HEADERS: RequestHeaders = {
  get: () => null,
  has: () => false,
  [Symbol.iterator]: () => new Map<string, string>().entries(),
};

/** Headers whose names are in lower case already. */
export function toRequestHeaders(fields: Readonly<Record<string, string>>): RequestHeaders {
  const has = (name: string): boolean => Object.hasOwn(fields, name);
  return {
    get: (name) => (has(name) ? (fields[name] ?? null) : null),
    has,
    [Symbol.iterator]: () => Object.entries(fields).sort(compareFields).values(),
  };
}

/** By name, as `Headers` sorts. */
export function compareFields([one]: [string, string], [other]: [string, string]): number {
  return one < other ? -1 : 1;
}

/** An address in parts: `http://localhost:4010`, `localhost`, `/account/login`, and the query with its `?` or empty. */
export type UrlParts = {
  readonly origin: string;
  readonly hostname: string;
  readonly pathname: string;
  readonly search: string;
};

export type IncomingRequest = {
  /** In upper case for the methods that the web normalises, otherwise as sent. */
  readonly method: string;
  readonly address: UrlParts;
  readonly headers: RequestHeaders;
  /** Aborted when the client gives up. */
  readonly signal: AbortSignal;
  /** Whether it has done so. Costs less than the signal. */
  readonly isGone: boolean;
  /** Whether there is no body. */
  isEmpty(): boolean | Promise<boolean>;
  /** The whole body; undefined when it is longer than the limit. Rejects when the connection ends before it does. */
  bytes(limitBytes: number): Uint8Array | undefined | Promise<Uint8Array | undefined>;
};

const URL_PATTERN = /^(https?:\/\/([^/?#@:[\]]+)(?::\d+)?)(\/[^?#]*)(\?[^#]+)?$/;

/** The parts of an absolute address in its normal form, as `URL` and web requests have it. */
export function splitUrl(url: string): UrlParts {
  const [, origin, hostname, pathname, search = ""] = URL_PATTERN.exec(url) ?? [];
  return origin === undefined || hostname === undefined || pathname === undefined
    ? new URL(url) // such as an IPv6 host, user info, a fragment or an empty query
    : { origin, hostname, pathname, search };
}
