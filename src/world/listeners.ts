/** Subscribers to items as they are emitted, and waiting for the next item. Knows nothing of what the items are. */

import type { Wall } from "./clock.ts";

export class Listeners<T> {
  /** For whoever need not emit where nobody listens. */
  readonly all = new Set<(item: T) => void>();
  readonly #onFailure: (message: string) => void;

  /** `onFailure` gets the message of a listener that throws: its author must know, the emitter need not. */
  constructor(onFailure: (message: string) => void) {
    this.#onFailure = onFailure;
  }

  /** Calls `listener` for each item from now on. Returns a function that ends it. */
  add(listener: (item: T) => void): () => void {
    this.all.add(listener);
    return () => void this.all.delete(listener);
  }

  emit(item: T): void {
    for (const listener of this.all) {
      try {
        listener(item);
      } catch (error) {
        this.#onFailure(error instanceof Error ? error.message : String(error));
      }
    }
  }

  /** The next item that is wanted; undefined when `limitMs` of wall time pass without one. */
  async next(isWanted: (item: T) => boolean, limitMs: number, wall: Wall): Promise<T | undefined> {
    const found = new AbortController();
    let next: T | undefined;
    const end = this.add((item) => {
      if (next !== undefined || !isWanted(item)) return;
      next = item;
      found.abort();
    });
    await wall.pause(limitMs, found.signal);
    end();
    return next;
  }
}
