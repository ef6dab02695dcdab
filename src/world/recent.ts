/** Bounded caches of what follows from its key alone: forgetting changes nothing but the time it takes. */

/** The newest results by a text or a number; the oldest is forgotten. */
export class BoundedCache<T, Key extends string | number = string> {
  readonly #maxSize: number;
  readonly #results = new Map<Key, T>();

  constructor(most: number) {
    this.#maxSize = most;
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

/**
 * Results computed from values that never change, such as the entities of a collection as they are at one time: a
 * change makes another value. They go with their source or, once all together exceed 16 MiB, the oldest first.
 */
const resultsBySource = new WeakMap<object, Map<string, unknown>>();
const entries = new Set<CacheEntry>();
let bytes = 0;

/** The result for this source and key; `compute` returns it with an estimate of its size in bytes. */
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
  if (known !== undefined) return known as T; // the same key means the same computation
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

/**
 * The JSON text of a value. That of a frozen one is written once and kept as long as the value exists: entities are
 * frozen in every part, and so are the pages made of them, whose text is joined from theirs.
 */
export function toJsonString(value: unknown): string {
  if (typeof value !== "object" || value === null || !Object.isFrozen(value)) return JSON.stringify(value);
  let text = jsonStrings.get(value);
  if (text === undefined) {
    text = Array.isArray(value) ? `[${value.map(toJsonString).join(",")}]` : JSON.stringify(value);
    jsonStrings.set(value, text);
  }
  return text;
}
