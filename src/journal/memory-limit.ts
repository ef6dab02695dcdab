/** What the journals of one server may weigh together: beyond it, the heaviest loses its oldest, down to 20. */

/** Limits of one journal. */
export const MAX_JOURNAL_ENTRIES = 1_000;
export const MAX_JOURNAL_BYTES = 16 * 1_048_576;
/** Memory limit of all journals together, estimated from above. */
const MAX_TOTAL_BYTES = 128 * 1_048_576;
const MIN_ENTRIES = 20;

type LimitedJournal = {
  readonly weight: { readonly entries: number; readonly bytes: number };
  /** Also takes its weight from the limit's `bytes`. */
  dropOldest(): void;
};

export class MemoryLimit {
  readonly maxBytes: number;
  /** What the journals weigh; each adds and takes away its own. */
  bytes = 0;
  readonly #journals = new Set<LimitedJournal>();
  /** How many journals there were, each cleared one included: a part of their ids. */
  journalCount = 0;

  constructor(maxBytes: number = MAX_TOTAL_BYTES) {
    this.maxBytes = maxBytes;
  }

  enter(journal: LimitedJournal): void {
    this.#journals.add(journal);
  }

  /** The world has ended. */
  leave(journal: LimitedJournal): void {
    if (this.#journals.delete(journal)) this.bytes -= journal.weight.bytes;
  }

  /** Makes room for a while, so that not each exchange has to look for the heaviest journal. */
  relieve(): void {
    const target = this.maxBytes - this.maxBytes / 64;
    while (this.bytes > target) {
      const heaviest = this.#heaviest();
      if (heaviest === undefined) return;
      const { bytes } = heaviest.weight;
      // Down to what a second one of its kind may weigh, rather than one exchange at a time.
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
