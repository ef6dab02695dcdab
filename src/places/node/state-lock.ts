/**
 * The lock of a state folder: a file that names the process that has it. A process that was killed leaves its lock
 * behind; the next one to come takes it over.
 */

import { createHash, randomUUID } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "../../world/usage-error.ts";
import { codeOf } from "./state-files.ts";

const FILE = "state.lock";
const MOST_ATTEMPTS = 5;

/** `startedAt` distinguishes a process from a later one with the same pid; empty where the system lacks it. */
type Holder = { readonly pid: number; readonly startedAt: string };

/** Resolves with a function that releases the lock; rejects with `stateLocked` when a living process has it. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, FILE);
  const mine = join(folder, `.${FILE}.${randomUUID()}`);
  const { pid } = process;
  const text = JSON.stringify({ pid, startedAt: await startOf(pid), id: randomUUID() });
  try {
    await writeFile(mine, text, { flag: "wx", mode: 0o600 });
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1)
      if ((await take(mine, file)) || (await takeOver(mine, file))) return () => release(file, text);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const message = `The state folder cannot be locked (${codeOf(error)}).`;
    throw new UsageError("stateUnreadable", message, { file: folder }, { cause: error });
  } finally {
    await rm(mine, { force: true });
  }
  const message = "Could not lock the state folder: other processes keep acquiring it.";
  throw new UsageError("stateLocked", message, { file: folder });
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
  if (holder === undefined || !(await isAlive(holder))) return;
  const message = `The state is in use by process ${holder.pid}. Stop it, or choose another --data folder.`;
  throw new UsageError("stateLocked", message, { file });
}

async function release(file: string, text: string): Promise<void> {
  if ((await readLock(file)) === text) await rm(file, { force: true });
}

function parseHolder(text: string): Holder | undefined {
  try {
    const { pid, startedAt } = JSON.parse(text) as Partial<Holder>;
    return Number.isInteger(pid) && typeof startedAt === "string"
      ? { pid: Number(pid), startedAt }
      : undefined;
  } catch {
    return undefined; // not a lock that we wrote
  }
}

async function isAlive({ pid, startedAt }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) === "ESRCH") return false;
  }
  return startedAt === (await startOf(pid));
}

/** When a process started, in ticks since boot, from /proc; empty where there is no /proc. */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
