/** The requests that wait at gates or for a time: their number is bounded, and every wait can be cancelled. */

import { readText } from "../errors/arguments.ts";
import type { World } from "../world/world.ts";

const MAX_WAITING = 500;
/** The gate that simulated time opens: requests with a virtual delay wait there. */
const CLOCK_GATE = "clock";

/** One request that waits at a gate; `exchange` is its number in the journal. */
export type WaitingRequest = { readonly gate: string; readonly exchange: number };
type GateEntry = WaitingRequest & { readonly go: () => void };

/** What a request waits for: a gate, a time of the wall or of the clock; or it moves the clock itself. */
export type WaitKind =
  | { readonly kind: "hold"; readonly gate: string }
  | { readonly kind: "pause" | "later"; readonly delayMs: number }
  | { readonly kind: "advance"; readonly by: string };
/** `why`: what the journal shows while it waits. */
export type Wait = WaitKind & { readonly why: string };

export class Gates {
  readonly #world: Pick<World, "clock" | "wall" | "ended">;
  readonly #waits = new Set<(passed: boolean) => void>();
  #waiting: readonly GateEntry[] = [];
  #arrivals: (() => void)[] = [];

  constructor(world: Pick<World, "clock" | "wall" | "ended">) {
    this.#world = world;
  }

  /** False when as many wait as may. */
  get hasRoom(): boolean {
    return this.#waits.size < MAX_WAITING;
  }

  /** The requests that wait at gates, in order of arrival. Virtual delays wait at the gate `clock`. */
  waiting(): readonly WaitingRequest[] {
    return this.#waiting.map(({ gate, exchange }) => ({ gate, exchange }));
  }

  /** Releases the requests at a gate: all, or the one exchange. Returns how many there were. */
  release(gate: string, exchange?: number): number {
    readText(gate, "gate");
    const released = this.#waiting.filter(
      (one) => one.gate === gate && (exchange === undefined || one.exchange === exchange),
    );
    for (const { go } of released) go();
    return released.length;
  }

  /** Resolves once `count` requests wait at the gate. Throws a UsageError when the sandbox is closed before. */
  async arrived(gate: string, count = 1): Promise<void> {
    readText(gate, "gate");
    while (this.#waiting.filter((one) => one.gate === gate).length < count) {
      this.#world.ended.throwIfAborted();
      await this.arrival();
    }
  }

  /** Resolves when the next request arrives at a gate, or all waits are cancelled. */
  arrival(): Promise<void> {
    return new Promise((resolve) => this.#arrivals.push(resolve));
  }

  /** False when it was cancelled. */
  async wait(wait: Wait, exchange: number, signal?: AbortSignal): Promise<boolean> {
    switch (wait.kind) {
      case "hold":
        return this.hold(wait.gate, exchange, signal);
      case "later":
        return this.waitForClock(wait.delayMs, exchange, signal);
      case "pause":
        return this.pause(wait.delayMs, signal);
      case "advance":
        await this.#world.clock.advance(wait.by);
        return true;
    }
  }

  /** Waits until the gate is released. Like all waits: false when it was cancelled. */
  hold(gate: string, exchange: number, signal?: AbortSignal): Promise<boolean> {
    return this.#start(signal, (go) => this.#enter({ gate, exchange, go }));
  }

  /** Waits until simulated time has moved on by `delayMs`; on a ticking clock it moves with wall time, too. */
  waitForClock(delayMs: number, exchange: number, signal?: AbortSignal): Promise<boolean> {
    return this.#start(signal, (go) => {
      const { clock } = this.#world;
      const callOff = clock.schedule(clock.now() + delayMs, go);
      const tick = clock.state.mode === "ticking" ? this.#startPause(delayMs, go) : undefined;
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
    return this.#start(signal, (go) => this.#startPause(delayMs, go));
  }

  /** Cancels every wait, so that no request goes on: the world is reset, restored or has ended. */
  cancelAll(): void {
    for (const end of this.#waits) end(false);
    this.#countArrivals();
  }

  #enter(waiting: GateEntry): () => void {
    this.#waiting = [...this.#waiting, waiting];
    this.#countArrivals();
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
    };
  }

  #countArrivals(): void {
    for (const count of this.#arrivals.splice(0)) count();
  }

  #startPause(delayMs: number, go: () => void): () => void {
    const stop = new AbortController();
    void this.#world.wall.pause(delayMs, stop.signal).then(go);
    return () => stop.abort();
  }

  /** `start` begins a wait and returns what ends it; it also ends when the client has gone or all are cancelled. */
  #start(signal: AbortSignal | undefined, start: (go: () => void) => () => void): Promise<boolean> {
    if (this.#world.ended.aborted) return Promise.resolve(false);
    if (signal?.aborted) return Promise.resolve(true);
    return new Promise((resolve) => {
      let stop = (): void => {};
      const go = (): void => end(true);
      const end = (passed: boolean): void => {
        if (!this.#waits.delete(end)) return;
        signal?.removeEventListener("abort", go);
        stop();
        resolve(passed);
      };
      this.#waits.add(end);
      signal?.addEventListener("abort", go);
      stop = start(go);
    });
  }
}
