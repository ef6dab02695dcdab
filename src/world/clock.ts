/** Simulated time: frozen, or at an offset to the wall clock. Due work runs in order, each task at its own instant. */

import { readFields } from "../errors/arguments.ts";
import { quote } from "../errors/quote.ts";
import { UsageError } from "../errors/usage-error.ts";
import {
  isTimestamp,
  MAX_TIMESTAMP,
  MIN_TIMESTAMP,
  parseDuration,
  parseOffset,
  parseTimestamp,
  type Timestamp,
  toIso,
} from "./time.ts";
import { clearTimeout, setTimeout } from "./timers.ts";

/** The state of a clock: frozen at an instant, or ticking with the wall clock plus `offsetMs`. */
export type ClockState =
  | { readonly mode: "frozen"; readonly at: Timestamp }
  | { readonly mode: "ticking"; readonly offsetMs: number };

/** Where wall time comes from; `pause` waits in wall time. */
export type WallClock = { now(): Timestamp; pause(delayMs: number, signal?: AbortSignal): Promise<void> };

/** `rebase`: the dates of the base data go along; otherwise they stay where they are. */
export type JumpOptions = { readonly rebase?: boolean | undefined };

type ClockTask = {
  readonly due: Timestamp;
  readonly order: number;
  readonly run: () => void | Promise<void>;
};

export class Clock {
  readonly #wall: WallClock;
  #state: ClockState;
  #tasks: ClockTask[] = [];
  #order = 0;
  readonly #onJump = new Set<() => void>();
  #rebase = (): void => {};

  constructor(wall: WallClock, state: ClockState = { mode: "ticking", offsetMs: 0 }) {
    this.#wall = wall;
    this.#state = state;
  }

  now(): Timestamp {
    return this.#state.mode === "frozen" ? this.#state.at : this.#wall.now() + this.#state.offsetMs;
  }

  get state(): ClockState {
    return this.#state;
  }

  /** Stops time, at `at` when given, otherwise now. May set the clock back; nothing that happened is undone. */
  freeze(at?: string | Date, jump?: JumpOptions): void {
    const { rebase } = readFields(jump, ["rebase"]);
    this.#state = { mode: "frozen", at: assertInRange(at === undefined ? this.now() : parseTimestamp(at)) };
    this.#notifyJump(rebase);
  }

  /** Jumps to `at` and keeps the mode: a ticking clock goes on ticking from there. */
  set(at: string | Date, jump?: JumpOptions): void {
    const { rebase } = readFields(jump, ["rebase"]);
    this.#moveTo(assertInRange(parseTimestamp(at)));
    this.#notifyJump(rebase);
  }

  /** Lets time run again from the current instant. */
  resume(): void {
    if (this.#state.mode === "ticking") return;
    this.#state = { mode: "ticking", offsetMs: this.now() - this.#wall.now() };
  }

  /** Runs with the wall clock plus a signed duration: `+3d`, `-2h`. */
  offset(by: string): void {
    this.#state = { mode: "ticking", offsetMs: parseOffset(by) };
    assertInRange(this.now());
    this.#notifyJump();
  }

  /** Moves time forward by a duration (`24h`) and runs all work that falls due, in order, each at its own instant. */
  async advance(by: string | number): Promise<void> {
    await this.advanceTo(this.now() + parseDuration(by));
  }

  async advanceTo(target: Timestamp): Promise<void> {
    assertInRange(target);
    for (let task = this.#takeDue(target); task !== undefined; task = this.#takeDue(target)) {
      this.#moveTo(Math.max(task.due, this.now()));
      await task.run();
    }
    if (target > this.now()) this.#moveTo(target);
  }

  /** Whether work has fallen due while a ticking clock ran on. */
  get hasDue(): boolean {
    return this.#tasks.some(({ due }) => due <= this.now());
  }

  /** Runs what has fallen due; called when a request opens. */
  async runDue(): Promise<void> {
    const now = this.now();
    for (let task = this.#takeDue(now); task !== undefined; task = this.#takeDue(now)) await task.run();
  }

  /** Runs `run` once time reaches `due`. Returns a function that cancels it. */
  schedule(due: Timestamp, run: () => void | Promise<void>): () => void {
    const task: ClockTask = { due, order: this.#order++, run };
    this.#tasks.push(task);
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== task);
    };
  }

  /** Calls `listener` when time is set instead of passing: recurring work then computes its next instant again. */
  onJump(listener: () => void): () => void {
    this.#onJump.add(listener);
    return () => void this.#onJump.delete(listener);
  }

  /** What a jump calls that asks for `rebase`. */
  onRebase(rebase: () => void): void {
    this.#rebase = rebase;
  }

  get pending(): number {
    return this.#tasks.length;
  }

  /** Takes over another clock's state and drops scheduled work. */
  restore(state: ClockState): void {
    this.#state = state;
    this.#tasks = [];
    this.#notifyJump();
  }

  #notifyJump(rebase = false): void {
    for (const listener of this.#onJump) listener();
    if (rebase) this.#rebase();
  }

  #moveTo(instant: Timestamp): void {
    this.#state =
      this.#state.mode === "frozen"
        ? { mode: "frozen", at: instant }
        : { mode: "ticking", offsetMs: instant - this.#wall.now() };
  }

  #takeDue(limit: Timestamp): ClockTask | undefined {
    let first: ClockTask | undefined;
    for (const task of this.#tasks) {
      if (task.due > limit) continue;
      if (first === undefined || task.due < first.due || (task.due === first.due && task.order < first.order))
        first = task;
    }
    if (first !== undefined) this.#tasks = this.#tasks.filter((task) => task !== first);
    return first;
  }
}

const MAX_TIMER_MS = 2 ** 31 - 1; // a longer timer ends at once

/** The machine's own clock: the one place that reads wall time and waits in it. */
export const wallClock: WallClock = {
  now: () => Date.now(),
  pause: (delayMs, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      let timer: ReturnType<typeof setTimeout>;
      const wait = (leftMs: number): void => {
        const next = leftMs > MAX_TIMER_MS ? () => wait(leftMs - MAX_TIMER_MS) : end;
        timer = setTimeout(next, Math.min(leftMs, MAX_TIMER_MS));
      };
      wait(delayMs);
      signal?.addEventListener("abort", end);
    }),
};

/** `2026-03-01T09:00:00Z` freezes there; `+3d` or `-2h` runs with an offset; undefined leaves the clock as it is. */
export function parseClock(text: string | Date | undefined): (clock: Clock) => void {
  if (text === undefined) return () => {};
  if (typeof text === "string" && /^[+-]/.test(text)) return (clock) => clock.offset(text);
  if (typeof text === "string" && !isTimestamp(text)) {
    throw new UsageError(
      "badInstant",
      `${quote(text)} is not an instant such as "2026-03-01T09:00:00Z", nor an offset with its sign such as "+3d" or "-2h".`,
    );
  }
  return (clock) => clock.freeze(text);
}

function assertInRange(instant: Timestamp): Timestamp {
  if (instant < MIN_TIMESTAMP || instant > MAX_TIMESTAMP) {
    const range = `${toIso(MIN_TIMESTAMP)} to ${toIso(MAX_TIMESTAMP)}`;
    throw new UsageError("badInstant", `The clock goes from ${range}.`);
  }
  return instant;
}
