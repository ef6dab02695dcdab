/** Plays a plausible day of invoices each simulated minute, drawn from seed and clock, so that a person sees credit run low. */

import type { Random } from "../../world/random.ts";
import type { Timestamp } from "../../world/time.ts";
import type { World } from "../../world/world.ts";
import type { Invoices, UsageMethods } from "./usage.ts";

const MINUTE_MS = 60_000;
/** How often, in wall time, a ticking clock is checked. */
const CHECK_INTERVAL_MS = 1_000;
/** The most invoices of a day. */
const MAX_WORKDAY: Invoices = { sent: 25, received: 12 };
const MAX_WEEKEND: Invoices = { sent: 3, received: 2 };

/** The invoices of the day that a simulated minute represents; five workdays, then a weekend. */
export function generateInvoices(random: Random, at: Timestamp): Invoices {
  const day = Math.floor(at / MINUTE_MS);
  const most = day % 7 < 5 ? MAX_WORKDAY : MAX_WEEKEND;
  const some = (kind: keyof Invoices) => Math.round(random.fraction("autoplay", day, kind) * most[kind]);
  return { sent: some("sent"), received: some("received") };
}

export type AutoplayOptions = {
  readonly world: World;
  readonly usage: UsageMethods;
  /** Called when a day could not be recorded, such as for want of a user; the next day is tried again. */
  readonly onFailure: (message: string, error: unknown) => void;
};

/** Plays a day at each whole minute, for the default user. Returns its end. Time that the clock skips is not played. */
export function startAutoplay(options: AutoplayOptions): () => void {
  const { world, usage, onFailure } = options;
  const { clock } = world;
  const stopped = new AbortController();
  let cancel = (): void => {};
  const plan = (): void => {
    cancel();
    const due = (Math.floor(clock.now() / MINUTE_MS) + 1) * MINUTE_MS;
    cancel = clock.schedule(due, () => play(due));
  };
  const play = (at: Timestamp): void => {
    try {
      usage.record({ ...generateInvoices(world.random, at), at: new Date(at) });
    } catch (error) {
      onFailure(`Autoplay: ${error instanceof Error ? error.message : String(error)}`, error);
    }
    plan();
  };
  const forget = clock.onJump(plan);
  plan();
  void runDueWork(options, stopped.signal);
  return () => {
    stopped.abort();
    forget();
    cancel();
  };
}

/** Runs the due work of a ticking clock while no request comes to do so. */
async function runDueWork({ world, onFailure }: AutoplayOptions, stopped: AbortSignal) {
  for (;;) {
    await world.wall.pause(CHECK_INTERVAL_MS, stopped);
    if (stopped.aborted) return;
    await world.clock.runDue().catch((error: unknown) => onFailure("Work that fell due failed.", error));
  }
}
