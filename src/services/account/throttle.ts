/** Limits logins to one token per 24 hours. Source: common-account-billing, Limits; Assumed: time is counted in whole seconds. */

import type { Timestamp } from "../../world/time.ts";
import { toSeconds } from "./tokens.ts";

export type LoginEvent = {
  /** Time when a token was issued, or when a login failed. Failed logins are only recorded with the setting `countFailures`. */
  readonly at: Timestamp;
  /** The issued token. Undefined if the attempt failed. */
  readonly token?: string | undefined;
  /** Set by `clearThrottle`. The event no longer blocks logins. */
  readonly lifted?: true | undefined;
};

/** Number of login events to keep for each user. Older events are dropped. */
const MAX_EVENTS = 32;

/** `since`: the event that blocks the next login. `due`: the end of the block. */
export type LoginBlock = { readonly since: LoginEvent; readonly due: Timestamp };

/** Finds the event that blocks a login at `now`. Ignores events in the future, which exist if the clock was set back. */
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

/** Returns the seconds until the next login is allowed, rounded up. */
export function getRetryAfter({ due }: LoginBlock, now: Timestamp): number {
  return Math.ceil((due - now) / 1000);
}
