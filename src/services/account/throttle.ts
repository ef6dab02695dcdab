// Owns the rule "a token can be requested once every 24 hours": when the next one is due. A pure function of what was
// handed out and the time; it knows neither users nor tokens. Source: common-account-billing, Limits.

import type { Instant } from "../../world/time.ts";

export type LoginEvent = {
  /** When a token was handed out, or, where failures count, an attempt failed. */
  readonly at: Instant;
  /** What was handed out; undefined: the attempt failed. */
  readonly token?: string | undefined;
};

/** More than any window needs; the eldest are forgotten. */
const MOST_EVENTS = 32;

/** The event that keeps the next token back, and when that ends. */
export type Block = { readonly since: LoginEvent; readonly due: Instant };

/**
 * What stands against a token now, or undefined. The window is half open: an event exactly `everyMs` old no longer
 * counts. One that lies in the future, since the clock was set back, does not count until time catches up with it.
 */
export function blockAt(events: readonly LoginEvent[], now: Instant, everyMs: number): Block | undefined {
  let latest: LoginEvent | undefined;
  for (const event of events) {
    const counts = event.at <= now && now - event.at < everyMs;
    if (counts && (latest === undefined || event.at >= latest.at)) latest = event;
  }
  return latest === undefined ? undefined : { since: latest, due: latest.at + everyMs };
}

export function withEvent(events: readonly LoginEvent[], event: LoginEvent): readonly LoginEvent[] {
  return [...events, event].slice(-MOST_EVENTS);
}

/** Whole seconds to wait; having waited them, the next token is due. */
export function retryAfter({ due }: Block, now: Instant): number {
  return Math.ceil((due - now) / 1000);
}
