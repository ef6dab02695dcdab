/** Records invoices of one day in every minute of the sandbox's clock, so that you can watch the credit decrease. */

import type { Random } from "../../world/random.ts";
import type { Timestamp } from "../../world/time.ts";
import type { World } from "../../world/world.ts";
import type { Invoices, UsageMethods } from "./usage.ts";

const MINUTE_MS = 60_000;
/** Interval between checks for due work, in ms of wall-clock time. */
const CHECK_INTERVAL_MS = 1_000;
/** Maximum number of invoices of a day. */
const MAX_WORKDAY: Invoices = { sent: 25, received: 12 };
const MAX_WEEKEND: Invoices = { sent: 3, received: 2 };

/** Generates invoices for a simulated day. Deterministic for seed and clock. Two of seven days have fewer invoices. */
export function generateInvoices(random: Random, at: Timestamp): Invoices {
  const day = Math.floor(at / MINUTE_MS);
  const max = day % 7 < 5 ? MAX_WORKDAY : MAX_WEEKEND;
  const draw = (kind: keyof Invoices) => Math.round(random.fraction("autoplay", day, kind) * max[kind]);
  return { sent: draw("sent"), received: draw("received") };
}

export type AutoplayOptions = {
  readonly world: World;
  readonly usage: UsageMethods;
  /** Called if a day cannot be recorded, for example without a user. Autoplay continues with the next day. */
  readonly onFailure: (message: string, error: unknown) => void;
};

/** Records a day at each full minute, for the default user. If the clock jumps, skips minutes. Returns a stop function. */
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

/** Runs due work of the clock every second. Otherwise only requests would run it. */
async function runDueWork({ world, onFailure }: AutoplayOptions, stopped: AbortSignal) {
  for (;;) {
    await world.wall.pause(CHECK_INTERVAL_MS, stopped);
    if (stopped.aborted) return;
    await world.clock.runDue().catch((error: unknown) => onFailure("Scheduled work failed.", error));
  }
}
