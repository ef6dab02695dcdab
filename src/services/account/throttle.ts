/**
 * The limit "a token can be requested once every 24 hours": when the next one is due. A pure function of the
 * tokens handed out and the time; it knows no users. Source: common-account-billing, Limits; Assumed: it is counted in
 * whole seconds, as the life of a token is, so that the next token is due no later than the last one expires.
 */

import type { Timestamp } from "../../world/time.ts";
import { toSeconds } from "./tokens.ts";

export type LoginEvent = {
  /** When a token was handed out, or, where failures count, an attempt failed. */
  readonly at: Timestamp;
  /** The token handed out; undefined if the attempt failed. */
  readonly token?: string | undefined;
  /** It no longer counts: its user may log in again. */
  readonly lifted?: true | undefined;
};

/** More than any window needs; the oldest are dropped. */
const MAX_EVENTS = 32;

/** The event that blocks the next token, and when that ends. */
export type LoginBlock = { readonly since: LoginEvent; readonly due: Timestamp };

/**
 * What blocks a token now, or undefined. The window is half open: an event exactly `everyMs` old, rounded up to whole
 * seconds, no longer counts. One in the future, since the clock was set back, does not count until time catches up.
 */
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

/** Whole seconds to wait, after which the next token is due. */
export function getRetryAfter({ due }: LoginBlock, now: Timestamp): number {
  return Math.ceil((due - now) / 1000);
}
