/** Subscribers to items as they are emitted, and waiting for the next item. Knows nothing of what the items are. */

import { assertFunction, readFields } from "../errors/arguments.ts";
import type { WallClock } from "./clock.ts";
import { parseTimeout } from "./time.ts";

/** `within` is a duration of wall time, in ms if it is a number; `signal` is aborted when whoever waits has gone. */
export type WaitForOptions = {
  readonly within?: string | number | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** What can end a wait besides the item it is for. */
export type WaitOptions = {
  readonly wall: WallClock;
  /** Aborted when the world ends; the wait then throws its reason. */
  readonly ended?: AbortSignal | undefined;
  /** Aborted when whoever waits has gone. */
  readonly signal?: AbortSignal | undefined;
};

/** The options with the limit in ms and, for messages, as a text. */
export function readWaitOptions(options: WaitForOptions | undefined, usual: string) {
  const { within = usual, signal } = readFields(options, ["within", "signal"]);
  return {
    limitMs: parseTimeout(within),
    within: typeof within === "number" ? `${within}ms` : within,
    signal,
  };
}

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
    this.all.add(assertFunction(listener, "A listener"));
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

  /** The next item that is wanted; undefined when `limitMs` of wall time pass without one, or nobody waits any more. */
  async next(
    isWanted: (item: T) => boolean,
    limitMs: number,
    { wall, ended, signal }: WaitOptions,
  ): Promise<T | undefined> {
    const found = new AbortController();
    const endings = [found.signal, ended, signal].filter((one) => one !== undefined);
    let next: T | undefined;
    const leave = this.add((item) => {
      if (next !== undefined || !isWanted(item)) return;
      next = item;
      found.abort();
    });
    await wall.pause(limitMs, AbortSignal.any(endings));
    leave();
    if (next === undefined) ended?.throwIfAborted();
    return next;
  }
}
