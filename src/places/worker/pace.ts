/** How many requests are let through: a steady rate, of which some seconds may be saved up for a burst. */

const SAVED_SECONDS = 10;

export class Pace {
  #saved = Number.POSITIVE_INFINITY;
  #at = 0;

  /** True for a request that may pass now, in milliseconds since 1970. */
  admits(now: number, perSecond: number): boolean {
    const gained = (Math.max(0, now - this.#at) / 1000) * perSecond;
    this.#saved = Math.min(this.#saved + gained, SAVED_SECONDS * perSecond);
    this.#at = now;
    if (this.#saved < 1) return false;
    this.#saved -= 1;
    return true;
  }
}
