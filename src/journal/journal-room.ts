/**
 * What the journals of all worlds of one server may weigh together. When they weigh more, the heaviest loses its oldest
 * exchanges, until there is some room again; each keeps its newest 20.
 */

/** The most that the journals of all worlds weigh, by their own estimate, which is never under what they cost. */
const MOST_BYTES = 128 * 1_048_576;
const LEAST_ENTRIES = 20;

type Occupant = {
  readonly weight: { readonly entries: number; readonly bytes: number };
  /** Also makes the room lighter. */
  dropOldest(): void;
};

export class JournalRoom {
  readonly mostBytes: number;
  /** What the journals weigh; each adds and takes away its own. */
  bytes = 0;
  readonly #journals = new Set<Occupant>();

  constructor(mostBytes: number = MOST_BYTES) {
    this.mostBytes = mostBytes;
  }

  enter(journal: Occupant): void {
    this.#journals.add(journal);
  }

  /** The world has ended. */
  leave(journal: Occupant): void {
    if (this.#journals.delete(journal)) this.bytes -= journal.weight.bytes;
  }

  /** Makes room for a while, so that not each exchange has to look for the heaviest journal. */
  relieve(): void {
    const target = this.mostBytes - this.mostBytes / 64;
    while (this.bytes > target) {
      const heaviest = this.#heaviest();
      if (heaviest === undefined) return;
      const { bytes } = heaviest.weight;
      // Down to what a second one of its kind may weigh, rather than one exchange at a time.
      while (
        this.bytes > target &&
        heaviest.weight.bytes > bytes * 0.9 &&
        heaviest.weight.entries > LEAST_ENTRIES
      )
        heaviest.dropOldest();
    }
  }

  #heaviest(): Occupant | undefined {
    let heaviest: Occupant | undefined;
    for (const journal of this.#journals)
      if (
        journal.weight.entries > LEAST_ENTRIES &&
        (heaviest === undefined || journal.weight.bytes > heaviest.weight.bytes)
      )
        heaviest = journal;
    return heaviest;
  }
}
