/** Limits the memory of all journals of a server. Above the limit, the largest journals drop their oldest exchanges. */

export const MAX_JOURNAL_ENTRIES = 1_000;
export const MAX_JOURNAL_BYTES = 16 * 1_048_576;
/** Limit of the estimated size of all journals together, in bytes. The estimates are higher than the real sizes. */
const MAX_TOTAL_BYTES = 128 * 1_048_576;
/** Number of newest exchanges that each journal keeps, even above the memory limit. */
const MIN_ENTRIES = 20;

type LimitedJournal = {
  readonly weight: { readonly entries: number; readonly bytes: number };
  /** Drops the oldest exchange and subtracts its size from `MemoryLimit.bytes`. */
  dropOldest(): void;
};

export class MemoryLimit {
  readonly maxBytes: number;
  /** Total size of all journals, in bytes. The journals update it. */
  bytes = 0;
  readonly #journals = new Set<LimitedJournal>();
  /** Number of journals created so far, plus the number of clears, resets and restores. Makes journal ids unique. */
  journalCount = 0;

  constructor(maxBytes: number = MAX_TOTAL_BYTES) {
    this.maxBytes = maxBytes;
  }

  enter(journal: LimitedJournal): void {
    this.#journals.add(journal);
  }

  leave(journal: LimitedJournal): void {
    if (this.#journals.delete(journal)) this.bytes -= journal.weight.bytes;
  }

  /** Drops exchanges until the total is 1/64 below the limit. Without this margin, the next exchange would exceed it again. */
  relieve(): void {
    const target = this.maxBytes - this.maxBytes / 64;
    while (this.bytes > target) {
      const heaviest = this.#heaviest();
      if (heaviest === undefined) return;
      const { bytes } = heaviest.weight;
      // Shrinks this journal by up to 10 % before the next search for the largest.
      while (
        this.bytes > target &&
        heaviest.weight.bytes > bytes * 0.9 &&
        heaviest.weight.entries > MIN_ENTRIES
      )
        heaviest.dropOldest();
    }
  }

  #heaviest(): LimitedJournal | undefined {
    let heaviest: LimitedJournal | undefined;
    for (const journal of this.#journals)
      if (
        journal.weight.entries > MIN_ENTRIES &&
        (heaviest === undefined || journal.weight.bytes > heaviest.weight.bytes)
      )
        heaviest = journal;
    return heaviest;
  }
}
