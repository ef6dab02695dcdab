/** Seeded random numbers. Each is a hash of the seed and a key, so that parallel requests do not influence each other. */

import { toHex } from "./bytes.ts";
import { getPlatform } from "./platform.ts";
import type { Store } from "./store.ts";

export class Random {
  #seed: number;
  readonly #store: Store;

  constructor(seed: number, store: Store) {
    this.#seed = seed;
    this.#store = store;
  }

  get seed(): number {
    return this.#seed;
  }

  /** Changes the seed. Each series of ids continues at its current number, and does not restart at 1. */
  reseed(seed: number): void {
    this.#seed = seed;
  }

  /** Returns the next id of a series as UUID version 4. The nth id depends only on seed, series and n. */
  uuid(series: string): string {
    return toUuid(toHex(this.bytes(series, this.#store.next(series)).subarray(0, 16)));
  }

  /** Returns the next code of a series: `length` lowercase letters and digits. */
  code(series: string, length: number): string {
    const bytes = this.bytes(series, this.#store.next(series));
    return Array.from(bytes.subarray(0, length), (byte) => (byte % 36).toString(36)).join("");
  }

  /** Returns a number from 0 to 1 (excluded) that depends only on seed and key. */
  fraction(...key: readonly (string | number)[]): number {
    const bytes = this.bytes(...key);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    return (view.getUint32(0) * 2 ** 16 + view.getUint16(4)) / 2 ** 48;
  }

  /** Returns 32 bytes that depend only on seed and key. */
  bytes(...key: readonly (string | number)[]): Uint8Array {
    return getPlatform().digest(JSON.stringify([this.#seed, ...key]));
  }
}

function toUuid(hex: string): string {
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20),
  ].join("-");
}
