/** The clock of a world: frozen, or at an offset to wall-clock time. `advance` runs each due task, in order, at the task's own time. */

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

export type ClockState =
  | { readonly mode: "frozen"; readonly at: Timestamp }
  | { readonly mode: "ticking"; readonly offsetMs: number };

/** Wall-clock time. The promise of `pause` resolves after `delayMs`, or when `signal` aborts. */
export type WallClock = { now(): Timestamp; pause(delayMs: number, signal?: AbortSignal): Promise<void> };

/** If `rebase` is true, the dates of the base data move to the new day of the clock. */
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

  /** Freezes the clock at `at`, by default at its current time. Going back in time does not undo changes of data. */
  freeze(at?: string | Date, jump?: JumpOptions): void {
    const { rebase } = readFields(jump, ["rebase"]);
    this.#state = { mode: "frozen", at: assertInRange(at === undefined ? this.now() : parseTimestamp(at)) };
    this.#notifyJump(rebase);
  }

  set(at: string | Date, jump?: JumpOptions): void {
    const { rebase } = readFields(jump, ["rebase"]);
    this.#moveTo(assertInRange(parseTimestamp(at)));
    this.#notifyJump(rebase);
  }

  resume(): void {
    if (this.#state.mode === "ticking") return;
    this.#state = { mode: "ticking", offsetMs: this.now() - this.#wall.now() };
  }

  /** Lets the clock run at wall-clock time plus a signed duration: `+3d`, `-2h`. */
  offset(by: string): void {
    this.#state = { mode: "ticking", offsetMs: parseOffset(by) };
    assertInRange(this.now());
    this.#notifyJump();
  }

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

  /** Whether the clock has reached the time of a scheduled task. */
  get hasDue(): boolean {
    return this.#tasks.some(({ due }) => due <= this.now());
  }

  /** Runs the tasks that are due. The pipeline calls this method before each request. */
  async runDue(): Promise<void> {
    const now = this.now();
    for (let task = this.#takeDue(now); task !== undefined; task = this.#takeDue(now)) await task.run();
  }

  /** Schedules a task for the time `due`. `advance` and `runDue` run it. Returns a function that cancels the task. */
  schedule(due: Timestamp, run: () => void | Promise<void>): () => void {
    const task: ClockTask = { due, order: this.#order++, run };
    this.#tasks.push(task);
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== task);
    };
  }

  /** Calls `listener` after a jump (`freeze`, `set`, `offset`, `restore`), so that it can reschedule recurring tasks. */
  onJump(listener: () => void): () => void {
    this.#onJump.add(listener);
    return () => void this.#onJump.delete(listener);
  }

  /** Sets the function that moves the dates of the base data after a jump with `rebase`. */
  onRebase(rebase: () => void): void {
    this.#rebase = rebase;
  }

  get pending(): number {
    return this.#tasks.length;
  }

  /** Replaces the state of the clock, and drops all scheduled tasks. */
  restore(state: ClockState): void {
    this.#state = state;
    this.#tasks = [];
    this.#notifyJump();
  }

  #notifyJump(rebase = false): void {
    for (const listener of this.#onJump) listener();
    if (rebase) this.#rebase();
  }

  #moveTo(time: Timestamp): void {
    this.#state =
      this.#state.mode === "frozen"
        ? { mode: "frozen", at: time }
        : { mode: "ticking", offsetMs: time - this.#wall.now() };
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

/** Maximum delay of a JavaScript timer, in ms. Timers with a longer delay fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The system clock. */
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

/** Returns a function that sets a clock. A time freezes the clock, an offset lets it run, and undefined changes nothing. */
export function parseClock(text: string | Date | undefined): (clock: Clock) => void {
  if (text === undefined) return () => {};
  if (typeof text === "string" && /^[+-]/.test(text)) return (clock) => clock.offset(text);
  if (typeof text === "string" && !isTimestamp(text)) {
    throw new UsageError(
      "badInstant",
      `${quote(text)} is not a time such as "2026-03-01T09:00:00Z", or an offset with a sign such as "+3d" or "-2h".`,
    );
  }
  return (clock) => clock.freeze(text);
}

function assertInRange(time: Timestamp): Timestamp {
  if (time < MIN_TIMESTAMP || time > MAX_TIMESTAMP) {
    const range = `${toIso(MIN_TIMESTAMP)} to ${toIso(MAX_TIMESTAMP)}`;
    throw new UsageError("badInstant", `The time must be from ${range}.`);
  }
  return time;
}
