// Owns the exchanges of one world in order: bounded, with secrets cut out, to be counted, queried and waited for.

import { createHash } from "node:crypto";
import type { Exchange } from "../operation/exchange.ts";

export type JournalFilter = {
  /** A name, or several; `*` stands for any part: `account.list*`. */
  readonly operation?: string | readonly string[] | undefined;
  readonly service?: string | undefined;
  readonly environment?: string | undefined;
  readonly status?: number | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  /** The key of the problem that was answered. */
  readonly problem?: string | undefined;
  readonly identity?: string | undefined;
  /** The id of a rule that was applied. */
  readonly rule?: string | undefined;
  /** Only exchanges after this number. */
  readonly after?: number | undefined;
};

const MOST_ENTRIES = 1_000;
const MOST_BODY_CHARACTERS = 8_192;
const SECRET_HEADERS = ["authorization", "cookie", "set-cookie", "proxy-authorization", "x-api-key"];
const SECRET_FIELDS = /("(?:password|token|secret|apiKey|api_key)"\s*:\s*)"((?:[^"\\]|\\.)*)"/gi;

export class Journal {
  #entries: Exchange[] = [];
  #opened = 0;
  #evicted = 0;
  readonly #listeners = new Set<(exchange: Exchange) => void>();

  /** The number of the next exchange. */
  nextSeq(): number {
    this.#opened += 1;
    return this.#opened;
  }

  /** Keeps a finished exchange, its secrets cut, and tells the subscribers. */
  record(exchange: Exchange): void {
    const entry = withoutSecrets(exchange);
    const at = this.#entries.findLastIndex((other) => other.seq < entry.seq);
    this.#entries.splice(at + 1, 0, entry);
    if (this.#entries.length > MOST_ENTRIES) {
      this.#entries.shift();
      this.#evicted += 1;
    }
    for (const listener of this.#listeners) listener(entry);
  }

  /** In order of arrival. */
  list(filter: JournalFilter = {}): readonly Exchange[] {
    return this.#entries.filter((exchange) => matchesFilter(exchange, filter));
  }

  count(filter: JournalFilter = {}): number {
    return this.list(filter).length;
  }

  /** How many of the oldest exchanges were dropped. */
  get evicted(): number {
    return this.#evicted;
  }

  get last(): Exchange | undefined {
    return this.#entries.at(-1);
  }

  /** Forgets everything and starts again at number 1. */
  clear(): void {
    this.#entries = [];
    this.#opened = 0;
    this.#evicted = 0;
  }

  /** Calls `listener` for each exchange that ends from now on. Returns a function that ends it. */
  subscribe(listener: (exchange: Exchange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export function matchesFilter(exchange: Exchange, filter: JournalFilter): boolean {
  const { operation, service, environment, status, method, path, problem, identity, rule, after } = filter;
  return (
    (operation === undefined || matchesName(exchange.operation ?? "", operation)) &&
    (service === undefined || exchange.service === service) &&
    (environment === undefined || exchange.environment === environment) &&
    (status === undefined || exchange.status === status) &&
    (method === undefined || exchange.method === method.toUpperCase()) &&
    (path === undefined || exchange.path === path) &&
    (problem === undefined || exchange.problem === problem) &&
    (identity === undefined || exchange.identity === identity) &&
    (after === undefined || exchange.seq > after) &&
    (rule === undefined || exchange.rules.some((trace) => trace.rule === rule && trace.outcome === "applied"))
  );
}

function matchesName(name: string, wanted: string | readonly string[]): boolean {
  if (typeof wanted !== "string") return wanted.some((one) => matchesName(name, one));
  const [head = "", ...rest] = wanted.split("*");
  if (rest.length === 0) return name === wanted;
  if (!name.startsWith(head)) return false;
  let from = head.length;
  for (const part of rest.slice(0, -1)) {
    const found = name.indexOf(part, from);
    if (found < 0) return false;
    from = found + part.length;
  }
  const tail = rest.at(-1) ?? "";
  return name.length - from >= tail.length && name.endsWith(tail);
}

/** Secrets never enter the journal: of each, length, last four characters and a hash prefix for equality stay. */
function withoutSecrets(exchange: Exchange): Exchange {
  const { body: _parsed, ...kept } = exchange;
  const entry: Exchange = { ...kept, headers: cutHeaders(exchange.headers) };
  if (exchange.responseHeaders !== undefined) entry.responseHeaders = cutHeaders(exchange.responseHeaders);
  if (exchange.requestText !== undefined) entry.requestText = cutText(exchange.requestText);
  if (typeof exchange.responseBody === "string") entry.responseBody = cutText(exchange.responseBody);
  return entry;
}

function cutHeaders(headers: Headers): Headers {
  if (!SECRET_HEADERS.some((name) => headers.has(name))) return headers;
  const copy = new Headers(headers);
  for (const name of SECRET_HEADERS) {
    const value = copy.get(name);
    if (value !== null) copy.set(name, cut(value));
  }
  return copy;
}

function cutText(text: string): string {
  const shown = text.replace(
    SECRET_FIELDS,
    (_whole, label: string, secret: string) => `${label}"${cut(secret)}"`,
  );
  return shown.length > MOST_BODY_CHARACTERS ? `${shown.slice(0, MOST_BODY_CHARACTERS)}…` : shown;
}

function cut(secret: string): string {
  const hash = createHash("sha256").update(secret).digest("hex").slice(0, 8);
  return `[cut ${secret.length} characters, ${secret.length > 12 ? `…${secret.slice(-4)}, ` : ""}#${hash}]`;
}
