/**
 * Keeps all worlds in a folder. What changes waits as lines for one writer, which takes all that wait and writes them at
 * once; then the answers leave. When a write fails nothing of it was acknowledged, and all worlds become again what the
 * disk has. `state-writer.ts` knows the files, `changed-worlds.ts` the lines.
 */

import { UsageError } from "../../errors/usage-error.ts";
import { type Commit, StorageError } from "../../pipeline/commit.ts";
import type { SandboxCore } from "../../sandbox/sandbox.ts";
import type { Worlds } from "../../sandbox/worlds.ts";
import { setImmediate } from "../../world/timers.ts";
import { ChangedWorlds } from "./changed-worlds.ts";
import type { KeptJournals } from "./kept-journals.ts";
import { codeOf, reasonOf } from "./state-files.ts";
import type { StateFolder } from "./state-folder.ts";
import { StateWriter } from "./state-writer.ts";

/** Those who wait for one write. */
type Batch = {
  readonly written: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
};

export class Persistence implements Commit {
  readonly #state: StateFolder;
  readonly #worlds: ChangedWorlds;
  readonly #journals: KeptJournals | undefined;
  readonly #writer: StateWriter;
  #writtenSeq: number;
  /** The one that the writer takes next, and the one that it writes. */
  #next: Batch | undefined;
  #current: Batch | undefined;
  #isWriting = false;
  #undone = 0;
  #failure: StorageError | undefined;
  /** Memory has what the disk has not, and nothing can be done about it. */
  #isBroken = false;

  private constructor(worlds: Worlds, state: StateFolder, journals: KeptJournals | undefined) {
    this.#state = state;
    this.#journals = journals;
    this.#writtenSeq = state.found?.lastSeq ?? 0;
    this.#worlds = new ChangedWorlds(worlds, this.#writtenSeq, journals);
    this.#writer = new StateWriter(state, this.#worlds, (code) => {
      const message = `A snapshot of the state could not be written (${code}). Nothing is lost: the log goes on.`;
      worlds.main.journal.notices.add({ key: "snapshotFailed", message });
    });
  }

  /** Keeps these worlds from now on, which are as the folder had them, or new. */
  static async open(worlds: Worlds, state: StateFolder, journals?: KeptJournals): Promise<Persistence> {
    const persistence = new Persistence(worlds, state, journals);
    await persistence.#writer.open(worlds.main.world.random.seed);
    return persistence;
  }

  get undone(): number {
    return this.#undone;
  }

  flush(sandbox: SandboxCore, undone: number | undefined): Promise<void> | undefined {
    const isUndone = undone !== undefined && undone !== this.#undone;
    if (this.#failure !== undefined && (isUndone || this.#isBroken)) return Promise.reject(this.#failure);
    this.#worlds.look(sandbox);
    return this.#worlds.hasChanged ? this.#write() : this.#current?.written;
  }

  /** Writes what is left, and frees the folder. */
  async close(): Promise<void> {
    try {
      this.#worlds.lookAtAll();
      if (this.#worlds.hasChanged && !this.#isBroken) await this.#write();
      await this.#current?.written;
    } catch (error) {
      const message = `The last changes could not be stored: ${reasonOf(error)}.`;
      throw new UsageError("stateUnreadable", message, {}, { cause: error });
    } finally {
      if (!this.#isBroken) await this.#writer.finish();
      await this.#writer.close();
      await this.#journals?.close();
      await this.#state.release();
    }
  }

  /** Resolves when all changes so far are written, with those that come until the writer takes them. */
  #write(): Promise<void> {
    this.#next ??= newBatch();
    if (!this.#isWriting) {
      this.#isWriting = true;
      setImmediate(() => void this.#writeAll());
    }
    return this.#next.written;
  }

  async #writeAll(): Promise<void> {
    for (let batch = this.#next; batch !== undefined; batch = this.#next) {
      this.#next = undefined;
      this.#current = batch;
      const { lines, lastSeq } = this.#worlds.take();
      try {
        if (lines.length > 0) await this.#writer.write(lines);
        this.#writtenSeq = lastSeq;
        this.#current = undefined;
        batch.resolve();
      } catch (error) {
        await this.#undo(error, batch);
      }
    }
    this.#isWriting = false;
  }

  /** Nothing of this batch is stored, nor of what changed since. */
  async #undo(error: unknown, batch: Batch): Promise<void> {
    let failure = toNotStored(error);
    try {
      const played = await this.#writer.readAgain();
      // From here on in one go, so that no request sees it half done.
      this.#worlds.become(played, this.#writtenSeq);
    } catch (cause) {
      this.#isBroken = true;
      const why = `the file system refused, and what it has could not be read again (${codeOf(cause)}); restart`;
      failure = new StorageError(why, false, { cause });
    }
    this.#undone += 1;
    this.#failure = failure;
    const refused = [batch, this.#next];
    this.#next = undefined;
    this.#current = undefined;
    for (const one of refused) one?.reject(failure);
  }
}

function newBatch(): Batch {
  let [resolve, reject] = [(): void => {}, (_error: Error): void => {}];
  const written = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  written.catch(() => {}); // reported by those who wait, if anybody does
  return { written, resolve, reject };
}

function toNotStored(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const isFull = codeOf(error) === "ENOSPC";
  return new StorageError(isFull ? "the disk is full" : "the file system refused", isFull, { cause: error });
}
