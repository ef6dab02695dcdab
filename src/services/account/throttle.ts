/** The limit of one token per 24 hours. Source: common-account-billing, Limits; Assumed: in whole seconds, as `exp` is. */

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

/** The window is half open and rounded up to whole seconds. A future event, after a clock was set back, does not count. */
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
