/** A cache with a maximum number of entries. A full cache drops its oldest entry. */
export class BoundedCache<T, Key extends string | number = string> {
  readonly #maxSize: number;
  readonly #results = new Map<Key, T>();

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get(key: Key): T | undefined {
    return this.#results.get(key);
  }

  set(key: Key, result: T): T {
    if (this.#results.size >= this.#maxSize) {
      const [oldest = key] = this.#results.keys();
      this.#results.delete(oldest);
    }
    this.#results.set(key, result);
    return result;
  }
}

type CacheEntry = { readonly results: Map<string, unknown>; readonly key: string; readonly bytes: number };

const MAX_CACHE_BYTES = 16 * 1_048_576;

/** Cached results by the immutable object that they are computed from. Above 16 MiB, the oldest results are dropped. */
const resultsBySource = new WeakMap<object, Map<string, unknown>>();
const entries = new Set<CacheEntry>();
let bytes = 0;

/** Returns the cached result for `source` and `key`, or computes it. `bytes` is the estimated size of the result. */
export function getCached<T>(
  source: object,
  key: string,
  compute: () => readonly [result: T, bytes: number],
): T {
  let results = resultsBySource.get(source);
  if (results === undefined) {
    results = new Map();
    resultsBySource.set(source, results);
  }
  const known = results.get(key);
  if (known !== undefined) return known as T; // Safe cast: each key has only one `compute`.
  const [result, size] = compute();
  results.set(key, result);
  entries.add({ results, key, bytes: size });
  bytes += size;
  for (const entry of entries) {
    if (bytes <= MAX_CACHE_BYTES) break;
    entries.delete(entry);
    entry.results.delete(entry.key);
    bytes -= entry.bytes;
  }
  return result;
}

const jsonStrings = new WeakMap<object, string>();

/** Like JSON.stringify, but caches the JSON of frozen objects and of the items of frozen arrays. */
export function toJsonString(value: unknown): string {
  if (typeof value !== "object" || value === null || !Object.isFrozen(value)) return JSON.stringify(value);
  let text = jsonStrings.get(value);
  if (text === undefined) {
    text = Array.isArray(value) ? `[${value.map(toJsonString).join(",")}]` : JSON.stringify(value);
    jsonStrings.set(value, text);
  }
  return text;
}
