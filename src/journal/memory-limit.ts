/** Limits the memory of all journals of a server. Beyond it, the largest journals drop their oldest exchanges. */

export const MAX_JOURNAL_ENTRIES = 1_000;
export const MAX_JOURNAL_BYTES = 16 * 1_048_576;
/** Memory limit of all journals together, in bytes. The estimate is an upper bound. */
const MAX_TOTAL_BYTES = 128 * 1_048_576;
/** Number of exchanges of each journal that the total limit never drops. */
const MIN_ENTRIES = 20;

type LimitedJournal = {
  readonly weight: { readonly entries: number; readonly bytes: number };
  /** Also subtracts the exchange's size from `MemoryLimit.bytes`. */
  dropOldest(): void;
};

export class MemoryLimit {
  readonly maxBytes: number;
  /** Total size of the journals, which they update. */
  bytes = 0;
  readonly #journals = new Set<LimitedJournal>();
  /** Number of journals so far. Counts a cleared journal again. Part of journal ids. */
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

  /** Frees a little more than necessary, so that not every exchange searches for the largest journal. */
  relieve(): void {
    const target = this.maxBytes - this.maxBytes / 64;
    while (this.bytes > target) {
      const heaviest = this.#heaviest();
      if (heaviest === undefined) return;
      const { bytes } = heaviest.weight;
      // Shrinks this journal by up to 10 % before it searches again.
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
