/** Autoplay records the invoices of a whole day in each minute of the sandbox's clock, so that you can watch the credit decrease. */

import type { Random } from "../../world/random.ts";
import type { Timestamp } from "../../world/time.ts";
import type { World } from "../../world/world.ts";
import type { Invoices, UsageMethods } from "./usage.ts";

const MINUTE_MS = 60_000;
/** Interval between two calls of `clock.runDue()`, in ms of wall-clock time. */
const CHECK_INTERVAL_MS = 1_000;
/** Maximum numbers of invoices on a simulated working day. */
const MAX_WORKDAY: Invoices = { sent: 25, received: 12 };
const MAX_WEEKEND: Invoices = { sent: 3, received: 2 };

/** Generates the invoices of a simulated day (one minute of the clock). The same seed and time give the same numbers. */
export function generateInvoices(random: Random, at: Timestamp): Invoices {
  const day = Math.floor(at / MINUTE_MS);
  const max = day % 7 < 5 ? MAX_WORKDAY : MAX_WEEKEND;
  const draw = (kind: keyof Invoices) => Math.round(random.fraction("autoplay", day, kind) * max[kind]);
  return { sent: draw("sent"), received: draw("received") };
}

export type AutoplayOptions = {
  readonly world: World;
  readonly usage: UsageMethods;
  /** Called if a day cannot be recorded, for example without a user, or if a due task fails. Autoplay then continues. */
  readonly onFailure: (message: string, error: unknown) => void;
};

/** Records a simulated day at each full minute, for the first user. A jump of the clock skips minutes. Returns a stop function. */
export function startAutoplay(options: AutoplayOptions): () => void {
  const { world, usage, onFailure } = options;
  const { clock } = world;
  const stopped = new AbortController();
  let cancel = (): void => {};
  const scheduleNext = (): void => {
    cancel();
    const due = (Math.floor(clock.now() / MINUTE_MS) + 1) * MINUTE_MS;
    cancel = clock.schedule(due, () => recordDay(due));
  };
  const recordDay = (at: Timestamp): void => {
    try {
      usage.record({ ...generateInvoices(world.random, at), at: new Date(at) });
    } catch (error) {
      onFailure(`Autoplay: ${error instanceof Error ? error.message : String(error)}`, error);
    }
    scheduleNext();
  };
  const unsubscribe = clock.onJump(scheduleNext);
  scheduleNext();
  void runDueWork(options, stopped.signal);
  return () => {
    stopped.abort();
    unsubscribe();
    cancel();
  };
}

/** Runs the clock's due tasks every second. Without this loop, only requests would run them. */
async function runDueWork({ world, onFailure }: AutoplayOptions, stopped: AbortSignal) {
  for (;;) {
    await world.wall.pause(CHECK_INTERVAL_MS, stopped);
    if (stopped.aborted) return;
    await world.clock.runDue().catch((error: unknown) => onFailure("Scheduled work failed.", error));
  }
}
