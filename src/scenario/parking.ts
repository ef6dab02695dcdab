// Owns the requests that wait: at a gate until a test releases them, for simulated time, or for wall time. Bounded, and
// whoever waits can always be let go.

import { type Clock, type Wall, wallClock } from "../world/clock.ts";

const MOST_PARKED = 500;

export type Waiter = { readonly gate: string; readonly exchange: number };
type Held = Waiter & { readonly go: () => void };

export class Parking {
  readonly #clock: Clock;
  readonly #wall: Wall;
  #held: Held[] = [];
  #parked = 0;
  #letGo = new AbortController();
  readonly #arrivals = new Set<() => void>();

  constructor(clock: Clock, wall: Wall = wallClock) {
    this.#clock = clock;
    this.#wall = wall;
  }

  /** False: as many wait as can wait. */
  get hasRoom(): boolean {
    return this.#parked < MOST_PARKED;
  }

  /** Who waits at gates, in order of arrival. */
  held(): readonly Waiter[] {
    return this.#held.map(({ gate, exchange }) => ({ gate, exchange }));
  }

  /** Lets go who waits at a gate: all, or the one exchange. Returns how many that were. */
  release(gate: string, exchange?: number): number {
    const released = this.#held.filter(
      (one) => one.gate === gate && (exchange === undefined || one.exchange === exchange),
    );
    for (const { go } of released) go();
    return released.length;
  }

  /** Resolves once `count` requests wait at the gate. */
  async arrived(gate: string, count = 1): Promise<void> {
    while (this.#held.filter((one) => one.gate === gate).length < count)
      await new Promise<void>((resolve) => this.#arrivals.add(resolve));
  }

  hold(gate: string, exchange: number, signal?: AbortSignal): Promise<void> {
    return this.#park(signal, (go) => {
      const held = { gate, exchange, go };
      this.#held.push(held);
      for (const tell of this.#arrivals) tell();
      this.#arrivals.clear();
      return () => {
        this.#held = this.#held.filter((other) => other !== held);
      };
    });
  }

  /** Waits until simulated time has moved on; on a ticking clock wall time does that too. */
  untilLater(delayMs: number, signal?: AbortSignal): Promise<void> {
    return this.#park(signal, (go) => {
      const cancel = this.#clock.schedule(this.#clock.now() + delayMs, go);
      if (this.#clock.state.mode === "frozen") return cancel;
      const stop = new AbortController();
      this.#wall.pause(delayMs, stop.signal).then(go);
      return () => {
        cancel();
        stop.abort();
      };
    });
  }

  pause(delayMs: number, signal?: AbortSignal): Promise<void> {
    return this.#park(signal, (go) => {
      const stop = new AbortController();
      this.#wall.pause(delayMs, stop.signal).then(go);
      return () => stop.abort();
    });
  }

  /** Everybody who waits goes on at once: the world is reset, restored or closed. */
  letGo(): void {
    this.#letGo.abort();
    this.#letGo = new AbortController();
  }

  /** `start` begins the wait and returns what ends it; it ends early when the client goes or everybody is let go. */
  async #park(signal: AbortSignal | undefined, start: (go: () => void) => () => void): Promise<void> {
    const everybody = this.#letGo.signal;
    this.#parked += 1;
    let stop: (() => void) | undefined;
    let leave: (() => void) | undefined;
    try {
      await new Promise<void>((resolve) => {
        leave = () => resolve();
        if (signal?.aborted) return resolve();
        signal?.addEventListener("abort", leave);
        everybody.addEventListener("abort", leave);
        stop = start(leave);
      });
    } finally {
      stop?.();
      if (leave !== undefined) {
        signal?.removeEventListener("abort", leave);
        everybody.removeEventListener("abort", leave);
      }
      this.#parked -= 1;
    }
  }
}
