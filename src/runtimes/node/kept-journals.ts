/**
 * Keeps the journals of all worlds, and coverage, in one file of the state folder: exchanges as they end, behind the
 * answers, which never wait for it. When the file has twice what the journals had it is written anew, as it is after a
 * write that failed. A kill takes what was not written yet, and no more.
 */

import { join } from "node:path";
import type { Coverage } from "../../journal/coverage.ts";
import type { Journal } from "../../journal/journal.ts";
import type { SandboxCore } from "../../sandbox/sandbox.ts";
import { setImmediate } from "../../world/timers.ts";
import { formatLines, type PendingEntry, snapshotJournal } from "../worker/journal-lines.ts";
import { checkedLine } from "./checked-lines.ts";
import { readJournals } from "./journal-file.ts";
import { codeOf, type OpenFile } from "./state-files.ts";
import type { StateFolder } from "./state-folder.ts";
import { besideFile, JOURNAL } from "./state-names.ts";

/** A smaller file is never written anew for its size. */
const MOST_SPARE_BYTES = 8 * 1_048_576;
const MOST_WAITING = 10_000;

export class KeptJournals {
  readonly #state: StateFolder;
  readonly #coverage: Coverage;
  readonly #onFailure: (code: string) => void;
  readonly #journals = new Map<string, Journal>();
  #waiting: PendingEntry[] = [];
  /** The counts of coverage that are written. */
  #counted = new Map<string, ReadonlyMap<string, number>>();
  #file: OpenFile | undefined;
  #bytes = 0;
  /** The file lacks something, which the journals still have. */
  #isIncomplete = false;
  /** As it was last written anew. */
  #leastBytes = 0;
  #writing: Promise<void> | undefined;
  /** So many may wait; more with every write that failed, so that not each exchange tries again. */
  #patience = 0;

  private constructor(state: StateFolder, coverage: Coverage, onFailure: (code: string) => void) {
    this.#state = state;
    this.#coverage = coverage;
    this.#onFailure = onFailure;
  }

  /** Gives the worlds the journals that the folder has for them, and keeps them from now on. */
  static async open(
    state: StateFolder,
    worlds: readonly SandboxCore[],
    coverage: Coverage,
    onFailure: (code: string) => void,
  ): Promise<KeptJournals> {
    const kept = new KeptJournals(state, coverage, onFailure);
    const bytes = await readJournals(state, worlds, coverage);
    coverage.toRecord(kept.#counted);
    for (const world of worlds) kept.#listen(world);
    if (bytes !== undefined) {
      kept.#file = await state.files.open(kept.#path);
      kept.#bytes = bytes;
    }
    return kept;
  }

  /** Keeps the journal of a world that is new, or has come back. */
  follow(sandbox: SandboxCore): void {
    if (this.#journals.get(sandbox.id) === sandbox.journal) return;
    this.#listen(sandbox);
    this.#add(snapshotJournal(sandbox.id, sandbox.journal));
  }

  /** The world has ended. */
  leave(world: string): void {
    this.#journals.delete(world);
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    await this.#writing;
    if (this.#isIncomplete || this.#waiting.length > 0) await this.#writeSome();
    await this.#file?.close().catch(() => {}); // what matters was written
  }

  #listen({ id, journal }: SandboxCore): void {
    this.#journals.set(id, journal);
    journal.onChange((exchange) => {
      if (this.#journals.get(id) === journal)
        this.#add(exchange === undefined ? snapshotJournal(id, journal) : [id, exchange]);
    });
  }

  #add(one: PendingEntry): void {
    this.#isIncomplete ||= this.#waiting.length === MOST_WAITING;
    if (this.#waiting.length === MOST_WAITING) this.#take();
    this.#waiting.push(one);
    if (this.#waiting.length > this.#patience) this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    do {
      await new Promise<void>(setImmediate); // the answers first
      await this.#writeSome();
    } while (this.#waiting.length > this.#patience);
    this.#writing = undefined;
  }

  /** Never rejects. */
  async #writeSome(): Promise<void> {
    try {
      const isLarge = this.#bytes > Math.max(MOST_SPARE_BYTES, 2 * this.#leastBytes);
      if (this.#file === undefined || this.#isIncomplete || isLarge) await this.#writeAnew();
      else this.#bytes += await this.#append(this.#file, this.#take());
      this.#patience = 0;
    } catch (error) {
      if (this.#patience === 0) this.#onFailure(codeOf(error));
      this.#patience = Math.min(2 * this.#patience + 16, MOST_WAITING / 2);
      this.#isIncomplete = true;
    }
  }

  #take(): readonly PendingEntry[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }

  /** Returns how many bytes that were. */
  async #append(file: OpenFile, waiting: readonly PendingEntry[]): Promise<number> {
    let bytes = 0;
    for (const line of formatLines(waiting, () => this.#coverage.toRecord(this.#counted))) {
      const text = Buffer.from(checkedLine(line));
      await file.append(text);
      bytes += text.length;
    }
    return bytes;
  }

  /** A file with all that the journals have, in place of the one that is there. */
  async #writeAnew(): Promise<void> {
    const { files, folder, manifest } = this.#state;
    const beside = join(folder, besideFile(JOURNAL));
    const moments = Array.from(this.#journals, ([world, journal]) => snapshotJournal(world, journal));
    this.#take();
    this.#counted = new Map();
    this.#isIncomplete = false;
    const file = await files.create(beside);
    try {
      const head = checkedLine(JSON.stringify({ store: manifest.data.storeId }));
      await file.append(Buffer.from(head));
      this.#bytes = head.length + (await this.#append(file, moments));
      await file.sync();
      await files.rename(beside, this.#path);
    } catch (error) {
      await file.close().catch(() => {});
      await files.remove(beside).catch(() => {}); // the first error is the one to report
      throw error;
    }
    this.#leastBytes = this.#bytes;
    await this.#file?.close().catch(() => {}); // nobody relies on it any more
    this.#file = file;
  }

  get #path(): string {
    return join(this.#state.folder, JOURNAL);
  }
}
