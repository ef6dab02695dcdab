/** Lets requests wait at gates and for delays. At most 500 requests wait at a time; every wait can be canceled. */

import { readText } from "../errors/arguments.ts";
import type { World } from "../world/world.ts";

const MAX_WAITING = 500;
/** Name of the gate where requests wait if the sandbox's clock ends their delay. */
const CLOCK_GATE = "clock";

/** A request that waits at a gate. `exchange` is its number in the journal. */
export type WaitingRequest = { readonly gate: string; readonly exchange: number };
type GateEntry = WaitingRequest & { readonly go: () => void };

/** `hold` waits at a gate, `pause` for wall-clock time, `later` for simulated time. `advance` moves the clock. */
export type WaitKind =
  | { readonly kind: "hold"; readonly gate: string }
  | { readonly kind: "pause" | "later"; readonly delayMs: number }
  | { readonly kind: "advance"; readonly by: string };
/** `why` describes the wait in the journal, such as `gate pay, rule slow`. */
export type Wait = WaitKind & { readonly why: string };

export class Gates {
  readonly #world: Pick<World, "clock" | "wall" | "ended">;
  readonly #waits = new Set<(passed: boolean) => void>();
  #waiting: readonly GateEntry[] = [];
  #arrivals: (() => void)[] = [];

  constructor(world: Pick<World, "clock" | "wall" | "ended">) {
    this.#world = world;
  }

  get hasRoom(): boolean {
    return this.#waits.size < MAX_WAITING;
  }

  /** Lists the requests at gates in order of arrival. Requests with a virtual delay wait at the gate `clock`. */
  waiting(): readonly WaitingRequest[] {
    return this.#waiting.map(({ gate, exchange }) => ({ gate, exchange }));
  }

  /** Releases all requests at a gate, or only the request with the number `exchange`. Returns how many it released. */
  release(gate: string, exchange?: number): number {
    readText(gate, "gate");
    const released = this.#waiting.filter(
      (entry) => entry.gate === gate && (exchange === undefined || entry.exchange === exchange),
    );
    for (const { go } of released) go();
    return released.length;
  }

  /** Resolves when at least `count` requests wait at the gate. Throws a UsageError if the sandbox closes first. */
  async arrived(gate: string, count = 1): Promise<void> {
    readText(gate, "gate");
    while (this.#waiting.filter((entry) => entry.gate === gate).length < count) {
      this.#world.ended.throwIfAborted();
      await this.arrival();
    }
  }

  /** Resolves when a request arrives at any gate, or when all waits are canceled. */
  arrival(): Promise<void> {
    return new Promise((resolve) => this.#arrivals.push(resolve));
  }

  /** Waits as `wait.kind` says. This and the methods below resolve with false if the wait is canceled. `advance` cannot be canceled. */
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

  hold(gate: string, exchange: number, signal?: AbortSignal): Promise<boolean> {
    return this.#start(signal, (go) => this.#enter({ gate, exchange, go }));
  }

  /** Waits until the sandbox's clock has moved by `delayMs`. A ticking clock also moves with wall-clock time. */
  waitForClock(delayMs: number, exchange: number, signal?: AbortSignal): Promise<boolean> {
    return this.#start(signal, (go) => {
      const { clock } = this.#world;
      const cancel = clock.schedule(clock.now() + delayMs, go);
      const goIfTicking = (): void => {
        if (clock.state.mode === "ticking") go();
      };
      const tick = clock.state.mode === "ticking" ? this.#startPause(delayMs, goIfTicking) : undefined;
      const leave = this.#enter({ gate: CLOCK_GATE, exchange, go });
      return () => {
        cancel();
        tick?.();
        leave();
      };
    });
  }

  pause(delayMs: number, signal?: AbortSignal): Promise<boolean> {
    return this.#start(signal, (go) => this.#startPause(delayMs, go));
  }

  /** Cancels every wait. Called when the world is reset, restored or ended. */
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

  /** `start` begins a wait and returns its cleanup function. Resolves with true when the wait ends or the client disconnects. */
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
