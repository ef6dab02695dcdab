/**
 * Simulated time: moved only by the methods below or, when not frozen, running at an offset to the wall clock.
 * Due work runs in order as time passes, each task at its own instant. Knows no requests or services.
 */

import { quoted } from "../errors/quote.ts";
import { UsageError } from "../errors/usage-error.ts";
import {
  EARLIEST,
  type Instant,
  isInstant,
  LATEST,
  parseDuration,
  parseInstant,
  parseOffset,
  toIso,
} from "./time.ts";
import { clearTimeout, setTimeout } from "./timers.ts";

/** The state of a clock: frozen at an instant, or ticking with the wall clock plus `offsetMs`. */
export type ClockState =
  | { readonly mode: "frozen"; readonly at: Instant }
  | { readonly mode: "ticking"; readonly offsetMs: number };

/** Where wall time comes from; `pause` waits in wall time. */
export type Wall = { now(): Instant; pause(delayMs: number, signal?: AbortSignal): Promise<void> };

/** `rebase`: the dates of the base data go along; otherwise they stay where they are. */
export type Jump = { readonly rebase?: boolean | undefined };

type Task = { readonly due: Instant; readonly order: number; readonly run: () => void | Promise<void> };

export class Clock {
  readonly #wall: Wall;
  #state: ClockState;
  #tasks: Task[] = [];
  #order = 0;
  readonly #onJump = new Set<() => void>();
  #rebase = (): void => {};

  constructor(wall: Wall, state: ClockState = { mode: "ticking", offsetMs: 0 }) {
    this.#wall = wall;
    this.#state = state;
  }

  /** The current instant. While frozen, only the methods below change it. */
  now(): Instant {
    return this.#state.mode === "frozen" ? this.#state.at : this.#wall.now() + this.#state.offsetMs;
  }

  get state(): ClockState {
    return this.#state;
  }

  /** Stops time, at `at` when given, otherwise now. May set the clock back; nothing that happened is undone. */
  freeze(at?: string | Date, { rebase = false }: Jump = {}): void {
    this.#state = { mode: "frozen", at: inRange(at === undefined ? this.now() : parseInstant(at)) };
    this.#jumped();
    if (rebase) this.#rebase();
  }

  /** Jumps to `at` and keeps the mode: a ticking clock goes on ticking from there. */
  set(at: string | Date, { rebase = false }: Jump = {}): void {
    this.#moveTo(inRange(parseInstant(at)));
    this.#jumped();
    if (rebase) this.#rebase();
  }

  /** Lets time run again from the current instant. */
  resume(): void {
    if (this.#state.mode === "ticking") return;
    this.#state = { mode: "ticking", offsetMs: this.now() - this.#wall.now() };
  }

  /** Runs with the wall clock plus a signed duration: `+3d`, `-2h`. */
  offset(by: string): void {
    this.#state = { mode: "ticking", offsetMs: parseOffset(by) };
    inRange(this.now());
    this.#jumped();
  }

  /** Moves time forward by a duration (`24h`) and runs all work that falls due, in order, each at its own instant. */
  async advance(by: string): Promise<void> {
    await this.advanceTo(this.now() + parseDuration(by));
  }

  async advanceTo(target: Instant): Promise<void> {
    inRange(target);
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
  schedule(due: Instant, run: () => void | Promise<void>): () => void {
    const task: Task = { due, order: this.#order++, run };
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
    this.#jumped();
  }

  #jumped(): void {
    for (const listener of this.#onJump) listener();
  }

  #moveTo(instant: Instant): void {
    this.#state =
      this.#state.mode === "frozen"
        ? { mode: "frozen", at: instant }
        : { mode: "ticking", offsetMs: instant - this.#wall.now() };
  }

  #takeDue(limit: Instant): Task | undefined {
    let first: Task | undefined;
    for (const task of this.#tasks) {
      if (task.due > limit) continue;
      if (first === undefined || task.due < first.due || (task.due === first.due && task.order < first.order))
        first = task;
    }
    if (first !== undefined) this.#tasks = this.#tasks.filter((task) => task !== first);
    return first;
  }
}

/** The machine's own clock: the one place that reads wall time and waits in it. */
export const wallClock: Wall = {
  now: () => Date.now(),
  pause: (delayMs, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, delayMs);
      signal?.addEventListener("abort", end);
    }),
};

/** `2026-03-01T09:00:00Z` freezes there; `+3d` or `-2h` runs with an offset; undefined leaves the clock as it is. */
export function parseClock(text: string | Date | undefined): (clock: Clock) => void {
  if (text === undefined) return () => {};
  if (typeof text === "string" && /^[+-]/.test(text)) return (clock) => clock.offset(text);
  if (typeof text === "string" && !isInstant(text)) {
    throw new UsageError(
      "badInstant",
      `${quoted(text)} is not an instant such as "2026-03-01T09:00:00Z", nor an offset with its sign such as "+3d" or "-2h".`,
    );
  }
  return (clock) => clock.freeze(text);
}

function inRange(instant: Instant): Instant {
  if (instant < EARLIEST || instant > LATEST) {
    throw new UsageError("badInstant", `The clock goes from ${toIso(EARLIEST)} to ${toIso(LATEST)}.`);
  }
  return instant;
}
