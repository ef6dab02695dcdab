/** A set of listeners that receive items, and a way to wait for the next wanted item. */

import { assertFunction, readFields } from "../errors/arguments.ts";
import type { WallClock } from "./clock.ts";
import { parseTimeout } from "./time.ts";

/** `within` is a timeout in wall-clock time: a duration or a number of ms. Abort `signal` to stop waiting. */
export type WaitForOptions = {
  readonly within?: string | number | undefined;
  readonly signal?: AbortSignal | undefined;
};

export type WaitOptions = {
  readonly wall: WallClock;
  /** Aborted when the world ends. The wait then rejects with the reason of this signal. */
  readonly ended?: AbortSignal | undefined;
  /** Aborted when the caller stops waiting. */
  readonly signal?: AbortSignal | undefined;
};

/** Returns the timeout in ms (`limitMs`) and as text for messages (`within`). */
export function readWaitOptions(options: WaitForOptions | undefined, defaultWithin: string) {
  const { within = defaultWithin, signal } = readFields(options, ["within", "signal"]);
  return {
    limitMs: parseTimeout(within),
    within: typeof within === "number" ? `${within}ms` : within,
    signal,
  };
}

export class Listeners<T> {
  /** All listeners. Public, so that the caller can skip `emit` if the set is empty. */
  readonly all = new Set<(item: T) => void>();
  readonly #onFailure: (message: string) => void;

  /** `onFailure` receives the error message if a listener throws. */
  constructor(onFailure: (message: string) => void) {
    this.#onFailure = onFailure;
  }

  /** Returns a function that unsubscribes the listener. */
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

  /** Resolves with the next wanted item, or with undefined when the timeout `limitMs` passes or `signal` aborts. */
  async next(
    isWanted: (item: T) => boolean,
    limitMs: number,
    { wall, ended, signal }: WaitOptions,
  ): Promise<T | undefined> {
    const found = new AbortController();
    const endings = [found.signal, ended, signal].filter((each) => each !== undefined);
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
