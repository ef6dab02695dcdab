/**
 * A folder with the state of one sandbox: its lock, and a file that is replaced as a whole or not at all. A file that
 * cannot be read is never overwritten and never treated as empty.
 */

import { randomUUID } from "node:crypto";
import { lstat, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Adapter } from "lowdb";
import type { StoreData } from "../../world/store.ts";
import { UsageError } from "../../world/usage-error.ts";
import { readDocument, writeDocument } from "./state-document.ts";
import { codeOf, lockFolder, reasonOf } from "./state-lock.ts";

const FILE = "state.json";
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

export type StateFolder = Adapter<StoreData> & {
  /** What was saved, or null in a new folder. */
  readonly saved: StoreData | null;
  /** Frees the folder for others. */
  release(): Promise<void>;
};

/** Locks a folder, created if missing, and reads its state. Nobody else can open it until it is released. */
export async function openStateFolder(folder: string): Promise<StateFolder> {
  await makeFolder(folder);
  const release = await lockFolder(folder);
  try {
    await removeLeftovers(folder);
    const saved = await readState(join(folder, FILE));
    return {
      saved,
      release,
      read: async () => saved,
      write: (data) => replaceFile(folder, writeDocument(data)),
    };
  } catch (error) {
    await release();
    throw error;
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  } catch (error) {
    const message = `The state folder cannot be made: ${reasonOf(error)}. Choose another --data folder.`;
    throw new UsageError("stateUnreadable", message, { file: folder }, { cause: error });
  }
}

/** A process that died while writing leaves a file that was never put in place. */
async function removeLeftovers(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(`.${FILE}.`));
  await Promise.all(names.map((name) => rm(join(folder, name), { force: true })));
}

async function readState(file: string): Promise<StoreData | null> {
  let text: string;
  try {
    if (!(await lstat(file)).isFile()) throw unreadable(file, "it is not a plain file");
    text = await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (codeOf(error) === "ENOENT") return null;
    throw unreadable(file, reasonOf(error), error);
  }
  const read = readDocument(text);
  if ("broken" in read) throw unreadable(file, read.broken);
  return read;
}

/** Writes next to the file under a name nobody can guess, and renames it into place once it is on disk. */
async function replaceFile(folder: string, text: string): Promise<void> {
  const beside = join(folder, `.${FILE}.${randomUUID()}`);
  try {
    const file = await open(beside, "wx", PRIVATE_FILE);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, join(folder, FILE));
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {}); // the first error is the one to report
    throw error;
  }
}

function unreadable(file: string, why: string, cause?: unknown): UsageError {
  const message = `The state cannot be read: ${why}. It was left as it is: move it away, or choose another --data folder.`;
  return new UsageError("stateUnreadable", message, { file }, { cause });
}
