/**
 * Locks a data folder. The process with the lock stages its files in `lock/<id>/` and commits them with a rename.
 * A process that takes over a stale lock first renames `lock`, so that the previous process can no longer commit.
 */

import { randomUUID } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { UsageError } from "../../errors/usage-error.ts";
import { StorageError } from "../../pipeline/commit.ts";
import { wallClock } from "../../world/clock.ts";
import { clearInterval, setInterval } from "../../world/timers.ts";
import { describeFileError, getErrorCode } from "./file-errors.ts";

const LOCK = "lock";
const HOLDER = "holder.json";
const HEARTBEAT_MS = 500;
/** A lock is stale if its holder does not update the heartbeat for this time, in ms. */
const HEARTBEAT_TIMEOUT_MS = 2_500;
const MAX_ATTEMPTS = 5;

/** The process that holds the lock. `space` identifies the PID namespace of `pid`. */
type Holder = { readonly pid: number; readonly space: string };

export class LockLostError extends StorageError {
  constructor() {
    super("another process has taken over the data folder; restart this one", false);
  }
}

export class FolderLock {
  readonly #folder: string;
  readonly #id = randomUUID();
  readonly #heartbeat: NodeJS.Timeout;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#heartbeat = setInterval(() => this.#touch(), HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  /** Acquires the lock. Rejects with a UsageError `stateLocked` if a running process holds it. */
  static async take(folder: string): Promise<FolderLock> {
    const lock = new FolderLock(folder);
    try {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const id = findHolder(join(folder, LOCK));
        if (id !== undefined) {
          await assertStale(folder, id);
          lock.#moveAway(id);
        }
        if (lock.#create()) return lock;
      }
      const message = "Could not lock the data folder: other processes keep acquiring it.";
      throw new UsageError("stateLocked", message, { file: folder });
    } catch (error) {
      clearInterval(lock.#heartbeat);
      if (error instanceof UsageError) throw error;
      const message = `The data folder cannot be locked: ${describeFileError(error)}.`;
      throw new UsageError("stateUnreadable", message, { file: folder }, { cause: error });
    }
  }

  /** Returns the path where a file is staged until `commit` moves it. */
  toStagedPath(name: string): string {
    return join(this.#folder, LOCK, this.#id, name);
  }

  /** Moves a staged file into the folder. Throws ENOENT if this process has lost the lock. */
  commit(name: string, rename: (from: string, to: string) => void): void {
    rename(this.toStagedPath(name), join(this.#folder, name));
  }

  /** Deletes the staged files of a failed write, to free their disk space. */
  clear(): void {
    try {
      for (const name of readdirSync(this.toStagedPath("")))
        if (name !== HOLDER) rmSync(this.toStagedPath(name), { force: true });
    } catch {
      // Ignored: if the lock was lost, the folder with the staged files is missing.
    }
  }

  /** Whether this process holds the lock. Creates the lock again if it was deleted. */
  hold(): boolean {
    if (findHolder(join(this.#folder, LOCK)) === this.#id) return true;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    return this.#create();
  }

  release(): void {
    clearInterval(this.#heartbeat);
    this.#moveAway(this.#id);
  }

  /** Creates the lock with a rename, which is atomic. Returns false if another process holds it. */
  #create(): boolean {
    const own = join(this.#folder, `.lock-${this.#id}`);
    mkdirSync(join(own, this.#id), { recursive: true, mode: 0o700 });
    const holder: Holder = { pid: process.pid, space: readProcessSpace() };
    writeFileSync(join(own, this.#id, HOLDER), JSON.stringify(holder), { mode: 0o600 });
    try {
      renameSync(own, join(this.#folder, LOCK)); // Fails unless `lock` is missing or empty.
      return true;
    } catch (error) {
      rmSync(own, { recursive: true, force: true });
      if (["ENOTEMPTY", "EEXIST"].includes(getErrorCode(error))) return false;
      throw error;
    }
  }

  /** Removes the lock if the id of its holder is still `id`. */
  #moveAway(id: string): void {
    const [lock, away] = [join(this.#folder, LOCK), join(this.#folder, `.taken-${this.#id}`)];
    try {
      if (findHolder(lock) !== id) return;
      renameSync(lock, away);
      if (findHolder(away) !== id) renameSync(away, lock); // Another process took the lock in between: put it back.
    } catch {
      // Ignored: the lock was removed or has a new holder. The next attempt reads it again.
    }
    rmSync(away, { recursive: true, force: true });
  }

  #touch(): void {
    try {
      utimesSync(this.toStagedPath(HOLDER), new Date(), new Date());
    } catch {
      // Ignored: the next write reports a lost lock.
    }
  }
}

function findHolder(lock: string): string | undefined {
  try {
    return readdirSync(lock)[0];
  } catch {
    return undefined;
  }
}

/** Throws a UsageError if the holder updates its heartbeat. Returns without waiting if the holder's PID no longer exists. */
async function assertStale(folder: string, id: string): Promise<void> {
  const file = join(folder, LOCK, id, HOLDER);
  const holder = readHolder(file);
  if (holder?.space === readProcessSpace() && !isRunning(holder.pid)) return;
  const readHeartbeat = (): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const first = readHeartbeat();
  for (let waited = 0; waited < HEARTBEAT_TIMEOUT_MS; waited += HEARTBEAT_MS / 5) {
    await wallClock.pause(HEARTBEAT_MS / 5);
    const latest = readHeartbeat();
    if (latest === 0) return; // The holder has released the lock.
    if (latest === first) continue;
    const message = `The state is in use by process ${holder?.pid ?? "?"}. Stop it, or choose another --data folder.`;
    throw new UsageError("stateLocked", message, { file });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return getErrorCode(error) !== "ESRCH";
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Holder; // Safe cast: only `#create` writes this file.
  } catch {
    return undefined; // Ignored: the caller then checks only the heartbeat.
  }
}

/** Identifies the PID namespace of this process. */
function readProcessSpace(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname(); // Systems without /proc have one PID namespace, so the host name identifies it.
  }
}
