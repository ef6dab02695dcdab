/** Stores each world in a file. Concurrent requests share one write. If it fails, all worlds return to their stored state. */

import { watch } from "node:fs";
import { UsageError } from "../../errors/usage-error.ts";
import { type Commit, StorageError } from "../../pipeline/commit.ts";
import type { DataVersions } from "../../sandbox/data-file.ts";
import type { SandboxCore } from "../../sandbox/sandbox.ts";
import type { StoredState } from "../../sandbox/sandbox-state.ts";
import type { Worlds } from "../../sandbox/worlds.ts";
import { clearTimeout, setImmediate, setTimeout } from "../../world/timers.ts";
import { MAIN_WORLD } from "../../world/world-name.ts";
import { applyEdits, describeEdits, findEdits } from "./data-edit.ts";
import type { DataFolder } from "./data-folder.ts";
import { describeFileError, getErrorCode, isDiskFull } from "./file-errors.ts";
import { LockLostError } from "./folder-lock.ts";
import { formatWorld, getData } from "./world-file.ts";

/** Delay in ms before an edited file is read, because an editor causes several file events when it saves once. */
const DEBOUNCE_MS = 60;
/** Time for an editor to finish a write, in ms. If the file is still invalid after that, it is rejected. */
const HALF_WRITTEN_MS = 240;

/** A world with its last stored state. */
type StoredWorld = {
  sandbox: SandboxCore;
  state: StoredState | undefined;
  data: DataVersions;
  /** Number of writes that changed the data. Detects an edit of an outdated file. */
  version: number;
  /** Result of `readMarks` at the last write. A different result shows a change that emitted no event. */
  marks: readonly unknown[];
  /** Mark of the file (inode, mtime and size) when this process last wrote or read it. */
  fileMark: string;
  /** Mark of a file that is still in the folder although its edit was rejected. Otherwise empty. */
  rejectedMark: string;
};

type Waiter = { readonly resolve: () => void; readonly reject: (error: Error) => void };

export class DataStore implements Commit {
  readonly #folder: DataFolder;
  readonly #worlds: Worlds;
  readonly #stored = new Map<string, StoredWorld>();
  readonly #changed = new Set<string>();
  readonly #seed: number;
  #made: number;
  #waiters: Waiter[] = [];
  #undone = 0;
  #failure: StorageError | undefined;
  #isLost = false;
  #isRestoring = false;
  #stopWatching = (): void => {};

  constructor(worlds: Worlds, folder: DataFolder) {
    this.#folder = folder;
    this.#worlds = worlds;
    this.#made = worlds.made;
    this.#seed = folder.server?.seed ?? worlds.main.world.random.seed;
    for (const sandbox of worlds.list()) this.#follow(sandbox);
    worlds.watch({
      put: (sandbox) => this.#follow(sandbox),
      ended: (id) => {
        if (!this.#isRestoring) this.#changed.add(id);
      },
    });
  }

  get undone(): number {
    return this.#undone;
  }

  flush(sandbox: SandboxCore, undone: number | undefined): Promise<void> | undefined {
    const isUndone = undone !== undefined && undone !== this.#undone;
    if (this.#failure !== undefined && (isUndone || this.#isLost)) return Promise.reject(this.#failure);
    const stored = this.#stored.get(sandbox.id);
    if (stored?.sandbox === sandbox && hasChanged(stored)) this.#changed.add(sandbox.id);
    return this.#changed.size > 0 ? this.#write() : undefined;
  }

  /** Watches the data files, and applies their edits to the worlds while the sandbox runs. */
  watch(): void {
    const seen = new Set<string>();
    let timer: NodeJS.Timeout | undefined;
    const readEdits = (isFinal: boolean): void => {
      for (const id of seen) this.#readEdit(id, isFinal);
      timer = isFinal ? undefined : setTimeout(() => readEdits(true), HALF_WRITTEN_MS);
      if (isFinal) seen.clear();
      if (this.#changed.size > 0) this.#write().catch(() => {}); // Ignored: the failed write has rolled the worlds back.
    };
    const watcher = watch(this.#folder.path, { persistent: false }, (_event, name) => {
      if (name === null || !name.endsWith(".json")) return;
      seen.add(name.slice(0, -".json".length));
      timer ??= setTimeout(() => readEdits(false), DEBOUNCE_MS);
    });
    watcher.on("error", () => watcher.close());
    this.#stopWatching = () => {
      clearTimeout(timer);
      watcher.close();
    };
  }

  /** Writes pending changes and releases the lock. */
  async close(): Promise<void> {
    this.#stopWatching();
    try {
      if (this.#isLost) return;
      for (const [id, stored] of this.#stored)
        if (hasChanged(stored) || this.#readEdit(id)) this.#changed.add(id);
      if (this.#changed.size > 0) await this.#write();
    } catch (error) {
      const message = `The last changes are not stored. ${(error as Error).message}`; // Safe cast: only Error objects are thrown.
      throw new UsageError("stateUnreadable", message, {}, { cause: error });
    } finally {
      this.#folder.lock.release();
    }
  }

  #follow(sandbox: SandboxCore): void {
    const { id, services } = sandbox;
    const found = this.#isRestoring ? undefined : this.#folder.found.get(id);
    const before = this.#stored.get(id);
    const state = found?.content.state ?? before?.state;
    this.#stored.set(id, {
      sandbox,
      state,
      data: state === undefined ? new Map() : getData(state, services),
      version: found?.content.version ?? before?.version ?? 0,
      marks: readMarks(sandbox),
      fileMark: found?.mark ?? before?.fileMark ?? "",
      rejectedMark: "",
    });
    this.#folder.found.delete(id);
    const markChanged = (): void => {
      if (!this.#isRestoring && this.#stored.get(id)?.sandbox === sandbox) this.#changed.add(id);
    };
    sandbox.world.store.onCommit(markChanged);
    sandbox.onAction = markChanged;
    if (found?.content.state === undefined) markChanged();
  }

  /** Adds the caller to the next batch: one write for all waiting callers. Resolves when all current changes are stored. */
  #write(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#waiters.push({ resolve, reject }) === 1) setImmediate(() => this.#runBatch());
    });
  }

  #runBatch(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    try {
      this.#writeOrRecover();
      for (const { resolve } of waiters) resolve();
    } catch (error) {
      const failure = this.#undo(error);
      for (const { reject } of waiters) reject(failure);
    }
  }

  #writeOrRecover(): void {
    try {
      this.#writeChanged();
    } catch (error) {
      // The folder or the lock was deleted. Write all worlds again unless another process holds the lock.
      if (getErrorCode(error) !== "ENOENT") throw error;
      if (!this.#folder.lock.hold()) throw new LockLostError();
      for (const id of this.#stored.keys()) this.#changed.add(id);
      this.#writeChanged();
    }
  }

  /** Stages the files of all changed worlds, then commits them. After an error, `#changed` still contains them for `#undo`. */
  #writeChanged(): void {
    const folder = this.#folder;
    for (const id of this.#changed) this.#readEdit(id);
    if (this.#made !== this.#worlds.made) this.#changed.add(MAIN_WORLD);
    const made = this.#worlds.made;
    const current = new Set(this.#worlds.list());
    const changed = [...this.#changed].flatMap((id) => this.#stored.get(id) ?? []);
    const written = changed
      .filter(({ sandbox }) => current.has(sandbox))
      .map((stored) => this.#stage(stored, made));
    for (const { stored, next } of written) {
      const { id } = stored.sandbox;
      if (!["", stored.fileMark].includes(folder.getMark(id))) this.#moveRejected(stored);
      folder.commit(id);
      Object.assign(stored, next, { rejectedMark: "" });
    }
    for (const { sandbox } of changed.filter((stored) => !current.has(stored.sandbox))) {
      if (!folder.lock.hold()) throw new LockLostError();
      folder.remove(sandbox.id);
      this.#stored.delete(sandbox.id);
    }
    this.#made = made;
    this.#changed.clear();
  }

  #stage(stored: StoredWorld, made: number) {
    const { sandbox } = stored;
    const state = sandbox.getStoredState();
    const data = getData(state, sandbox.services);
    const hasNewData = [...data].some(([id, version]) => stored.data.get(id) !== version);
    const version = stored.version + (hasNewData ? 1 : 0);
    const server = sandbox.id === MAIN_WORLD ? { seed: this.#seed, made } : null;
    const fileMark = this.#folder.stage(sandbox.id, formatWorld(state, data, { version, server }));
    return { stored, next: { state, data, version, marks: readMarks(sandbox), fileMark } };
  }

  /** Rolls all worlds back to their stored state. */
  #undo(cause: unknown): StorageError {
    this.#folder.lock.clear();
    this.#isRestoring = true;
    for (const [id, stored] of this.#stored) if (hasChanged(stored)) this.#changed.add(id);
    for (const id of [...this.#changed].reverse()) this.#undoWorld(id);
    this.#worlds.made = this.#made;
    this.#isRestoring = false;
    this.#changed.clear();
    this.#undone += 1;
    this.#isLost = cause instanceof LockLostError;
    this.#failure = toStorageError(cause);
    return this.#failure;
  }

  #undoWorld(id: string): void {
    const stored = this.#stored.get(id);
    if (stored === undefined) return;
    const { sandbox, state } = stored;
    const isThere = this.#worlds.list().includes(sandbox);
    if (state === undefined) {
      if (isThere && id !== MAIN_WORLD) this.#worlds.remove(id);
      this.#stored.delete(id);
    } else if (isThere) {
      sandbox.replace(state);
      // The next write reads the file again: the failed write may have rolled back an edit.
      const data = getData(state, sandbox.services);
      Object.assign(stored, { data, fileMark: "unread", marks: readMarks(sandbox) });
    } else this.#follow(this.#worlds.restoreWorld(id, state));
  }

  /** Applies the edits of a world's file. Returns whether the file must be written. If `isFinal`, reports an invalid file. */
  #readEdit(id: string, isFinal = true): boolean {
    const stored = this.#stored.get(id);
    const mark = this.#folder.getMark(id);
    if (stored === undefined || mark === stored.fileMark || mark === stored.rejectedMark) return false;
    if (mark === "") return true; // The file was deleted: write it again.
    const { sandbox, version } = stored;
    try {
      const content = this.#folder.read(id, stored.data);
      if (content.state !== undefined && content.version !== version) {
        const versions = `The edit is based on version ${content.version}, but the world has version ${version}.`;
        const message = `${versions} Open the file again and repeat the edit.`;
        throw new UsageError("badData", message, { file: `${id}.json` });
      }
      const edits = findEdits(stored.data, content.data, sandbox.services);
      stored.fileMark = mark;
      if (edits.length === 0) return false;
      applyEdits(sandbox, edits);
      stored.data = content.data;
      this.#changed.add(id);
      this.#report(sandbox, `${id}.json was edited: ${describeEdits(edits)}.`);
      return true;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      if (!isFinal) return false;
      stored.rejectedMark = mark;
      const next = `The next write moves the file to ${this.#folder.getRejectedName(id)}.`;
      this.#report(sandbox, `${error.message} The edit was not applied. ${next}`);
      return false;
    }
  }

  /** Renames a file that another program has changed, so that the next write does not overwrite it. */
  #moveRejected({ sandbox, rejectedMark }: StoredWorld): void {
    const name = this.#folder.moveRejected(sandbox.id);
    if (rejectedMark === "")
      this.#report(sandbox, `${sandbox.id}.json changed during a write. It is now ${name}.`);
  }

  #report({ journal }: SandboxCore, message: string): void {
    journal.notices.add({ key: "edited", message });
  }
}

function toStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  return new StorageError(describeFileError(error), isDiskFull(error), { cause: error });
}

function hasChanged({ sandbox, marks }: StoredWorld): boolean {
  return readMarks(sandbox).some((mark, index) => mark !== marks[index]);
}

/** Returns the parts of a world that can change without an event, such as its clock. Comparing them detects a change. */
function readMarks({ world, settings, ruleSet }: SandboxCore): readonly unknown[] {
  const { added, layers, named, counters } = ruleSet.present;
  const rules = [layers, added, named, counters.version];
  return [world.random.seed, world.clock.state, world.store.revision, settings, ...rules];
}
