/** A queue of bounded length: putting one in and taking the oldest out cost the same at any length. */
export class Ring<T> {
  readonly #most: number;
  readonly #items: (T | undefined)[] = [];
  #start = 0;
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  /** There must be room for it. */
  push(item: T): void {
    this.#items[(this.#start + this.#size) % this.#most] = item;
    this.#size += 1;
  }

  /** Takes out the oldest. */
  shift(): T | undefined {
    const oldest = this.#items[this.#start];
    if (this.#size === 0) return undefined;
    this.#items[this.#start] = undefined;
    this.#start = (this.#start + 1) % this.#most;
    this.#size -= 1;
    return oldest;
  }

  /** The oldest first. */
  all(): T[] {
    const items: T[] = [];
    for (let index = 0; index < this.#size; index += 1) {
      const item = this.#items[(this.#start + index) % this.#most];
      if (item !== undefined) items.push(item);
    }
    return items;
  }
}
