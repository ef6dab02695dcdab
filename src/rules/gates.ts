// Owns the requests that wait: at a gate until a test releases them, for simulated time, or for wall time. Bounded, and
// whoever waits can always be let go.

import type { Clock, Wall } from "../world/clock.ts";

const MOST_PARKED = 500;
/** The gate that simulated time opens: requests with a virtual delay wait there. */
const CLOCK_GATE = "clock";

/** One request that waits at a gate; `exchange` is its number in the journal. */
export type Waiter = { readonly gate: string; readonly exchange: number };
type Held = Waiter & { readonly go: () => void };

export class Parking {
  readonly #clock: Clock;
  readonly #wall: Wall;
  readonly #parked = new Set<(passed: boolean) => void>();
  #held: readonly Held[] = [];
  #arrivals: (() => void)[] = [];

  constructor(clock: Clock, wall: Wall) {
    this.#clock = clock;
    this.#wall = wall;
  }

  /** False: as many wait as can wait. */
  get hasRoom(): boolean {
    return this.#parked.size < MOST_PARKED;
  }

  /** Who waits at gates, in order of arrival. Virtual delays wait at the gate `clock`. */
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
      await new Promise<void>((resolve) => this.#arrivals.push(resolve));
  }

  /** Waits until the gate is released. Like all waits: false when everybody was let go meanwhile. */
  hold(gate: string, exchange: number, signal?: AbortSignal): Promise<boolean> {
    return this.#park(signal, (go) => this.#enter({ gate, exchange, go }));
  }

  /** Waits until simulated time has moved on so far; on a ticking clock wall time does that too. */
  untilLater(delayMs: number, exchange: number, signal?: AbortSignal): Promise<boolean> {
    return this.#park(signal, (go) => {
      const callOff = this.#clock.schedule(this.#clock.now() + delayMs, go);
      const tick = this.#clock.state.mode === "ticking" ? this.#startPause(delayMs, go) : undefined;
      const leave = this.#enter({ gate: CLOCK_GATE, exchange, go });
      return () => {
        callOff();
        tick?.();
        leave();
      };
    });
  }

  /** Waits in wall time. */
  pause(delayMs: number, signal?: AbortSignal): Promise<boolean> {
    return this.#park(signal, (go) => this.#startPause(delayMs, go));
  }

  /** Nobody waits any longer, and none goes on: the world is reset, restored or closed. */
  letGo(): void {
    for (const end of this.#parked) end(false);
  }

  #enter(held: Held): () => void {
    this.#held = [...this.#held, held];
    for (const tell of this.#arrivals.splice(0)) tell();
    return () => {
      this.#held = this.#held.filter((other) => other !== held);
    };
  }

  #startPause(delayMs: number, go: () => void): () => void {
    const stop = new AbortController();
    void this.#wall.pause(delayMs, stop.signal).then(go);
    return () => stop.abort();
  }

  /** `start` begins a wait and returns what ends it; it also ends when the client has gone or everybody is let go. */
  #park(signal: AbortSignal | undefined, start: (go: () => void) => () => void): Promise<boolean> {
    if (signal?.aborted) return Promise.resolve(true);
    return new Promise((resolve) => {
      let stop = (): void => {};
      const go = (): void => end(true);
      const end = (passed: boolean): void => {
        if (!this.#parked.delete(end)) return;
        signal?.removeEventListener("abort", go);
        stop();
        resolve(passed);
      };
      this.#parked.add(end);
      signal?.addEventListener("abort", go);
      stop = start(go);
    });
  }
}
