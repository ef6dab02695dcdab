/**
 * The lock of a state folder: a file that names the process that has it, and the socket on which that one can be reached.
 * A process that was killed leaves its lock behind; the next one to come takes it over.
 */

import { createHash, randomUUID } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { UsageError } from "../../errors/usage-error.ts";
import { beat, type Holder, isAlive, listenIn, startOf, stopListening } from "./lock-holder.ts";
import { codeOf, reasonOf } from "./state-files.ts";

const FILE = "state.lock";
const MOST_ATTEMPTS = 5;

/** Resolves with a function that releases the lock; rejects with `stateLocked` when a living process has it. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, FILE);
  const mine = join(folder, `.${FILE}.${randomUUID()}`);
  const socket = `.lock-${randomUUID().slice(0, 8)}`;
  const { pid } = process;
  // It can be reached before its lock is there, so that nobody finds a lock whose holder seems dead.
  const server = await listenIn(folder, socket);
  const reach = server === undefined ? { beats: true } : { socket };
  const holder: Holder = { pid, startedAt: await startOf(pid), ...reach };
  const text = JSON.stringify({ ...holder, id: randomUUID() });
  let isTaken = false;
  try {
    await writeFile(mine, text, { flag: "wx", mode: 0o600 });
    for (let attempt = 1; attempt <= MOST_ATTEMPTS && !isTaken; attempt += 1)
      isTaken = (await take(mine, file)) || (await takeOver(mine, file));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const message = `The state folder cannot be locked: ${reasonOf(error)}.`;
    throw new UsageError("stateUnreadable", message, { file: folder }, { cause: error });
  } finally {
    await rm(mine, { force: true });
    if (!isTaken && server !== undefined) await stopListening(server, folder, socket);
  }
  if (!isTaken) {
    const message = "Could not lock the state folder: other processes keep acquiring it.";
    throw new UsageError("stateLocked", message, { file: folder });
  }
  const stopBeating = server === undefined ? beat(file) : undefined;
  return async () => {
    stopBeating?.();
    if ((await readLock(file)) === text) await removeLock(file);
    if (server !== undefined) await stopListening(server, folder, socket);
  };
}

async function removeLock(file: string): Promise<void> {
  try {
    await rm(file, { force: true });
  } catch (error) {
    const message = `The lock of the state folder cannot be removed: ${reasonOf(error)}. The next start takes it over.`;
    throw new UsageError("stateUnreadable", message, { file }, { cause: error });
  }
}

/** A hard link is created with its whole content or not at all. */
async function take(mine: string, file: string): Promise<boolean> {
  try {
    await link(mine, file);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Replaces the lock of a dead process by ours; false when another process did that meanwhile. Rejects when its holder is
 * alive. Only the creator of a dead lock's marker may replace that lock, so of many that find it exactly one wins.
 */
async function takeOver(mine: string, file: string): Promise<boolean> {
  const dead = await readLock(file);
  await refuseAlive(dead, file);
  const marker = `${file}.${createHash("sha256").update(dead).digest("hex").slice(0, 16)}`;
  if (!(await take(mine, marker))) {
    await refuseAlive(await readLock(marker), file);
    await rm(marker, { force: true }); // its process died during the takeover
    return false;
  }
  try {
    if ((await readLock(file)) !== dead) return false;
    await rename(mine, file);
    const left = parseHolder(dead)?.socket;
    if (left !== undefined) await rm(join(dirname(file), left), { force: true });
    return true;
  } finally {
    await rm(marker, { force: true });
  }
}

function readLock(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}

async function refuseAlive(text: string, file: string): Promise<void> {
  const holder = parseHolder(text);
  if (holder === undefined || !(await isAlive(dirname(file), file, holder))) return;
  const message = `The state is in use by process ${holder.pid}. Stop it, or choose another --data folder.`;
  throw new UsageError("stateLocked", message, { file });
}

function parseHolder(text: string): Holder | undefined {
  try {
    const { pid, startedAt, socket, beats } = JSON.parse(text) as Partial<Holder>;
    return Number.isInteger(pid) && typeof startedAt === "string"
      ? { pid: Number(pid), startedAt, socket: socket && basename(socket), beats }
      : undefined;
  } catch {
    return undefined; // not a lock that we wrote
  }
}
