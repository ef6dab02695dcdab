// Chance from a seed: the same draws for the same seed, on every machine and in every version of anything.

export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
    for (let round = 0; round < 8; round += 1) this.fraction(); // neighbouring seeds must not begin alike
  }

  /** From 0 to 1, excluded (mulberry32). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to `limit`, excluded. */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  /** A number to pick with: `at(list, number)`. */
  pick(): number {
    return this.below(1_000_000);
  }

  /** True in `percent` of a hundred draws. */
  happens(percent: number): boolean {
    return this.fraction() * 100 < percent;
  }

  of<T>(list: readonly T[]): T {
    return at(list, this.pick()) as T; // no list here is empty
  }

  /** One of several, each as likely as its weight says. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
    let left = this.fraction() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, choice] of choices) {
      left -= weight;
      if (left < 0) return choice;
    }
    return choices[0]?.[1] as T; // no list here is empty
  }
}

/** The item that a number stands for in a list of any length; undefined where it is empty. */
export function at<T>(list: readonly T[], pick: number): T | undefined {
  return list[pick % list.length];
}
