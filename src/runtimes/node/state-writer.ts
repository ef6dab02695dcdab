/**
 * Writes the state: lines at the end of a log, and now and then a snapshot of all worlds, after which older logs are no
 * longer needed. A snapshot is written beside the log that goes on; what is in force stays so until it is complete.
 */

import { join } from "node:path";
import { type LogHead, ReplayedWorlds } from "../worker/world-log.ts";
import type { ChangedWorlds, Moment } from "./changed-worlds.ts";
import { checkedLine } from "./checked-lines.ts";
import { codeOf } from "./state-files.ts";
import { MOST_ENTITY_BYTES, type StateFolder } from "./state-folder.ts";
import { writeGeneration } from "./state-generation.ts";
import { LogPlayer, OpenLog } from "./state-logs.ts";
import { Unsynced } from "./state-manifest.ts";
import { logFile } from "./state-names.ts";

const MOST_LINES = 10_000;
const MOST_LOG_BYTES = 8 * 1_048_576;

export class StateWriter {
  readonly #state: StateFolder;
  readonly #worlds: ChangedWorlds;
  readonly #onSnapshotFailure: (code: string) => void;
  /** What the logs continue. */
  #base: Moment = { lastSeq: 0, made: 0, worlds: new Map() };
  #logs: readonly OpenLog[] = [];
  #generation: number;
  #snapshot: Promise<void> | undefined;
  /** Doubles with every snapshot that fails, so that not each write tries again. */
  #patience = 1;
  /** Nothing may be added to the last log any more: the next write makes a snapshot and a new one. */
  #isSuspect = false;
  /** Where power must undo nothing: it might, and all that follows. */
  #unsynced: Unsynced | undefined;

  constructor(state: StateFolder, worlds: ChangedWorlds, onSnapshotFailure: (code: string) => void) {
    this.#state = state;
    this.#worlds = worlds;
    this.#onSnapshotFailure = onSnapshotFailure;
    this.#generation = state.newest;
  }

  /** Opens the logs that were found; in a new folder makes the first snapshot. */
  async open(seed: number): Promise<void> {
    const { found, files, manifest } = this.#state;
    if (found === undefined) {
      manifest.data = { ...manifest.data, seed };
      return this.#renew(this.#worlds.moment());
    }
    const { lastSeq, made } = found.manifest;
    this.#base = { lastSeq, made, worlds: found.base };
    for (const log of found.logs)
      this.#logs = [...this.#logs, new OpenLog(log, await files.open(this.#pathOf(log.generation)))];
  }

  /** Writes lines that were just taken, or all worlds in their place. When it rejects, none of them counts. */
  async write(lines: readonly string[]): Promise<void> {
    if (this.#unsynced !== undefined) throw this.#unsynced;
    const { isPowerSafe, mostLines = MOST_LINES, mostLogBytes = MOST_LOG_BYTES } = this.#state.options;
    const text = lines.map(checkedLine).join("");
    const log = this.#logs.at(-1);
    const logged = this.#logged();
    const size = this.#state.manifest.data.entities.bytes + logged.bytes + text.length;
    if (log === undefined || this.#isSuspect || size > this.#mostEntityBytes)
      return this.#renew(this.#worlds.moment());
    const much = Math.max(logged.lines / mostLines, logged.bytes / mostLogBytes);
    const isDue = this.#snapshot === undefined && much >= this.#patience;
    const moment = isDue ? this.#worlds.moment() : undefined;
    try {
      await log.append(text, lines.length, isPowerSafe);
    } catch (error) {
      // Which part of a failed write power may still undo is not known, and a removed log gets nobody's lines back.
      this.#isSuspect ||= isPowerSafe || codeOf(error) === "ENOENT";
      throw error;
    }
    if (moment !== undefined) await this.#startSnapshot(moment);
  }

  /** The worlds as the disk has them, after a write that failed. */
  async readAgain(): Promise<ReplayedWorlds> {
    await this.#snapshot;
    if (this.#unsynced !== undefined) throw this.#unsynced;
    await this.#logs
      .at(-1)
      ?.cutBack()
      .catch(() => {
        this.#isSuspect = true;
      });
    const { lastSeq, made, worlds } = this.#base;
    const played = new ReplayedWorlds(this.#state.services, worlds, made);
    let last = lastSeq;
    for (const log of this.#logs) {
      const refuse = (reason: string): never => {
        throw new Error(`${logFile(log.generation)}: ${reason}`);
      };
      const { storeId } = this.#state.manifest.data;
      const player = new LogPlayer({ store: storeId, generation: log.generation }, last, played);
      const broken = player.play(await log.read(), refuse);
      if (broken !== undefined) refuse(broken.reason);
      last = player.lastSeq;
    }
    return played;
  }

  /** Makes a snapshot if there are lines since the last. */
  async finish(): Promise<void> {
    await this.#snapshot;
    // The logs have it all: a snapshot that fails costs the next start some time, and no more.
    if (this.#logged().lines > 0) await this.#renew(this.#worlds.moment()).catch(() => {});
  }

  async close(): Promise<void> {
    await this.#snapshot;
    await Promise.allSettled(this.#logs.map((log) => log.close()));
  }

  #logged(): { readonly lines: number; readonly bytes: number } {
    let [lines, bytes] = [0, 0];
    for (const log of this.#logs) {
      lines += log.lines;
      bytes += log.bytes;
    }
    return { lines, bytes };
  }

  get #mostEntityBytes(): number {
    return this.#state.options.mostEntityBytes ?? MOST_ENTITY_BYTES;
  }

  /** All lines so far are in this moment; those to come go to a new log while the snapshot is written. */
  async #startSnapshot(moment: Moment): Promise<void> {
    const failed = (error: unknown): void => {
      this.#patience *= 2;
      this.#onSnapshotFailure(codeOf(error));
    };
    try {
      const log = await this.#newLog(moment.lastSeq);
      this.#logs = [...this.#logs, log];
      this.#snapshot = this.#finish(moment, log)
        .catch(failed)
        .finally(() => {
          this.#snapshot = undefined;
        });
    } catch (error) {
      failed(error);
    }
  }

  /** A snapshot in place of lines: it is in force when this resolves. */
  async #renew(moment: Moment): Promise<void> {
    await this.#snapshot;
    const log = await this.#newLog(moment.lastSeq);
    try {
      await this.#finish(moment, log);
    } catch (error) {
      await log.close().catch(() => {});
      if (this.#unsynced === undefined)
        await this.#state.files.remove(this.#pathOf(log.generation)).catch(() => {}); // the first error counts
      throw error;
    }
    this.#logs = [log];
    this.#isSuspect = false;
  }

  async #finish(moment: Moment, log: OpenLog): Promise<void> {
    const { folder, files, manifest } = this.#state;
    await log.sync();
    const mostBytes = this.#mostEntityBytes;
    try {
      await writeGeneration({ folder, files, manifest, mostBytes }, log.generation, moment);
    } catch (error) {
      if (!(error instanceof Unsynced)) throw error;
      if (!this.#state.options.isPowerSafe) return this.#rebase(moment, log); // a kill does not undo it
      this.#unsynced = error;
      throw error;
    }
    await this.#rebase(moment, log);
  }

  /** Older logs are no longer needed. */
  async #rebase(moment: Moment, log: OpenLog): Promise<void> {
    this.#base = moment;
    this.#patience = 1;
    const older = this.#logs.filter(({ generation }) => generation < log.generation);
    this.#logs = this.#logs.filter(({ generation }) => generation >= log.generation);
    await Promise.allSettled(older.map((one) => one.close()));
  }

  async #newLog(after: number): Promise<OpenLog> {
    this.#generation += 1;
    const generation = this.#generation;
    const path = this.#pathOf(generation);
    const file = await this.#state.files.create(path);
    try {
      const log = new OpenLog({ generation, bytes: 0, lines: 0 }, file);
      const head: LogHead = { store: this.#state.manifest.data.storeId, generation, after };
      const { files, folder, options } = this.#state;
      await log.append(checkedLine(JSON.stringify(head)), 0, options.isPowerSafe);
      if (options.isPowerSafe) await files.syncFolder(folder);
      return log;
    } catch (error) {
      await file.close().catch(() => {});
      await this.#state.files.remove(path).catch(() => {}); // the first error counts
      throw error;
    }
  }

  #pathOf(generation: number): string {
    return join(this.#state.folder, logFile(generation));
  }
}
