/** Limits logins to one token per 24 hours. Source: common-account-billing, Limits; Assumed: whole seconds, like `exp`. */

import type { Timestamp } from "../../world/time.ts";
import { toSeconds } from "./tokens.ts";

export type LoginEvent = {
  /** When a token was issued, or an attempt failed if failures count. */
  readonly at: Timestamp;
  /** The issued token. Undefined if the attempt failed. */
  readonly token?: string | undefined;
  /** Excludes the event from the limit, after `clearThrottle`. */
  readonly lifted?: true | undefined;
};

/** Number of login events to keep. Older events are dropped. */
const MAX_EVENTS = 32;

/** The event that blocks the next token, and the end of the block. */
export type LoginBlock = { readonly since: LoginEvent; readonly due: Timestamp };

/** The window is half-open, in whole seconds. Events in the future do not count, because the clock was set back. */
export function findBlock(
  events: readonly LoginEvent[],
  now: Timestamp,
  everyMs: number,
): LoginBlock | undefined {
  const every = Math.ceil(everyMs / 1000);
  let latest: LoginEvent | undefined;
  for (const event of events) {
    if (event.lifted === true) continue;
    const age = toSeconds(now) - toSeconds(event.at);
    const counts = age >= 0 && age < every;
    if (counts && (latest === undefined || event.at >= latest.at)) latest = event;
  }
  return latest === undefined ? undefined : { since: latest, due: (toSeconds(latest.at) + every) * 1000 };
}

export function withEvent(events: readonly LoginEvent[], event: LoginEvent): readonly LoginEvent[] {
  return [...events, event].slice(-MAX_EVENTS);
}

/** Returns the seconds until the next token, rounded up. */
export function getRetryAfter({ due }: LoginBlock, now: Timestamp): number {
  return Math.ceil((due - now) / 1000);
}
