// Owns the lock of a state folder: a file that names the process that has it. A process that died without a word
// leaves its lock behind; whoever comes next takes it over.

import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "../world/usage-error.ts";

const FILE = "state.lock";
const MOST_ATTEMPTS = 5;

/** `startedAt` tells a process from a later one with the same number; empty where the system does not say. */
type Holder = { readonly pid: number; readonly startedAt: string };

/** Resolves with a function that gives the lock back; rejects with `stateLocked` when a living process has it. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, FILE);
  const mine = join(folder, `.${FILE}.${randomUUID()}`);
  const text = JSON.stringify({ pid: process.pid, startedAt: await startOf(process.pid) });
  try {
    await writeFile(mine, text, { flag: "wx", mode: 0o600 });
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      if (await take(mine, file)) return () => release(file, text);
      await removeDead(file);
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    const message = `The state folder cannot be locked (${code}).`;
    throw new UsageError("stateUnreadable", message, { file: folder }, { cause: error });
  } finally {
    await rm(mine, { force: true });
  }
  throw new UsageError("stateLocked", "Others keep taking this state folder.", { file: folder });
}

/** A hard link is made with its whole content or not at all. */
async function take(mine: string, file: string): Promise<boolean> {
  try {
    await link(mine, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Removes the lock of a dead process; rejects when its holder lives. */
async function removeDead(file: string): Promise<void> {
  const text = await readFile(file, "utf8").catch(() => "");
  const holder = parseHolder(text);
  if (holder !== undefined && (await isAlive(holder))) {
    const message = `The state is in use by process ${holder.pid}. Stop it, or choose another --data folder.`;
    throw new UsageError("stateLocked", message, { file });
  }
  // Two may find the same dead lock: the second must not take away what the first has put in its place.
  const aside = `${file}.${randomUUID()}`;
  await rename(file, aside).catch(() => {}); // another was faster
  const moved = await readFile(aside, "utf8").catch(() => text);
  if (moved !== text) await link(aside, file).catch(() => {}); // a third has it: the next attempt tells
  await rm(aside, { force: true });
}

async function release(file: string, text: string): Promise<void> {
  const present = await readFile(file, "utf8").catch(() => "");
  if (present === text) await rm(file, { force: true });
}

function parseHolder(text: string): Holder | undefined {
  try {
    const { pid, startedAt } = JSON.parse(text) as Partial<Holder>;
    return Number.isInteger(pid) && typeof startedAt === "string"
      ? { pid: Number(pid), startedAt }
      : undefined;
  } catch {
    return undefined; // no lock that we wrote
  }
}

async function isAlive({ pid, startedAt }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  return startedAt === (await startOf(pid));
}

/** Ticks since the machine came up, as /proc tells; empty where there is no /proc. */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
