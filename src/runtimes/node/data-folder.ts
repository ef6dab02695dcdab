/** A locked folder with one data file per world. A file has a mark (inode, mtime and size), which changes with each edit. */

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { LowSync } from "lowdb";
import { TextFileSync } from "lowdb/node";
import { quote } from "../../errors/quote.ts";
import { UsageError } from "../../errors/usage-error.ts";
import type { Service } from "../../operation/service.ts";
import { toIso } from "../../world/time.ts";
import { isWorldName, MAIN_WORLD } from "../../world/world-name.ts";
import { describeFileError } from "./file-errors.ts";
import { FolderLock } from "./folder-lock.ts";
import { readWorld, type WorldContent } from "./world-file.ts";

/** File operations that tests can replace to inject errors. */
export type FileCalls = {
  readonly write: (path: string, text: string) => void;
  readonly rename: (from: string, to: string) => void;
};

const nodeCalls: FileCalls = {
  write(path, text) {
    new LowSync(new TextFileSync(path), text).write();
    chmodSync(path, 0o600);
  },
  rename: renameSync,
};

export type DataFolderOptions = {
  /** Whether to move existing files into a subfolder and start with new data. */
  readonly reset: boolean;
  readonly calls?: FileCalls | undefined;
};

type FoundWorld = { readonly content: WorldContent; readonly mark: string };

const EXTENSION = ".json";
const STATE_WAYS = "Correct the file, move all files aside with --state-reset, or start without --data.";

export class DataFolder {
  readonly path: string;
  readonly services: readonly Service[];
  readonly lock: FolderLock;
  /** Messages to print for the user. */
  readonly notices: string[] = [];
  /** Worlds that had a file when the folder was opened. */
  readonly found = new Map<string, FoundWorld>();
  readonly #calls: FileCalls;

  private constructor(path: string, services: readonly Service[], lock: FolderLock, calls: FileCalls) {
    this.path = path;
    this.services = services;
    this.lock = lock;
    this.#calls = calls;
  }

  /** Creates the folder if it is missing, locks it and reads its worlds. Rejects with a UsageError. */
  static async open(
    path: string,
    services: readonly Service[],
    { reset, calls = nodeCalls }: DataFolderOptions,
  ): Promise<DataFolder> {
    try {
      await mkdir(path, { recursive: true, mode: 0o700 }); // Not mkdirSync(), which never returns for a path in /proc.
    } catch (error) {
      const message = `The data folder cannot be created: ${describeFileError(error)}. Choose another --data folder.`;
      throw new UsageError("stateUnreadable", message, { file: path }, { cause: error });
    }
    const folder = new DataFolder(path, services, await FolderLock.take(path), calls);
    try {
      if (reset) folder.#moveAside();
      for (const name of readdirSync(path)) folder.#open(name);
      return folder;
    } catch (error) {
      folder.lock.release();
      throw error;
    }
  }

  /** Returns the mark of a world's file. Empty if the file is missing. */
  getMark(id: string): string {
    return toMark(this.#toPath(id));
  }

  /** Reads and checks the file of a world. Throws a UsageError with file, line and column. */
  read(id: string, before?: WorldContent["data"]): WorldContent {
    const path = this.#toPath(id);
    return readWorld(readFileSync(path, "utf8"), this.services, path, before);
  }

  /** Writes a world's file to a staging folder. `commit` moves the file into the data folder. Returns the file's mark. */
  stage(id: string, text: string): string {
    const path = this.lock.toStagedPath(id + EXTENSION);
    this.#calls.write(path, text);
    return toMark(path);
  }

  commit(id: string): void {
    this.lock.commit(id + EXTENSION, this.#calls.rename);
  }

  remove(id: string): void {
    rmSync(this.#toPath(id), { force: true });
  }

  /** Renames an edited file whose edit was not applied, so that a write cannot overwrite it. Returns the new name. */
  moveRejected(id: string): string {
    const name = this.getRejectedName(id);
    renameSync(this.#toPath(id), join(this.path, name));
    return name;
  }

  /** Returns `main.json.rejected-1`, or the same name with the next unused number. The sandbox never reads such files. */
  getRejectedName(id: string): string {
    const toName = (number: number): string => `${id}${EXTENSION}.rejected-${number}`;
    let number = 1;
    while (existsSync(join(this.path, toName(number)))) number += 1;
    return toName(number);
  }

  #toPath(id: string): string {
    return join(this.path, id + EXTENSION);
  }

  #open(name: string): void {
    if (/^\.(lock|taken)-/.test(name)) rmSync(join(this.path, name), { recursive: true, force: true }); // A crashed process left it.
    const id = name.slice(0, -EXTENSION.length);
    if (!name.endsWith(EXTENSION) || name.startsWith(".")) return;
    const file = join(this.path, name);
    try {
      if (!isWorldName(id))
        throw new UsageError("badData", `${quote(id)} is not a world name. Rename the file.`, { file });
      const twin = [...this.found.keys()].find((other) => other.toLowerCase() === id.toLowerCase());
      if (twin !== undefined)
        throw new UsageError("badData", `The world ${quote(twin)} differs only in case. Rename one file.`, {
          file,
        });
      const mark = this.getMark(id);
      this.found.set(id, { content: this.read(id), mark });
    } catch (error) {
      const why = error instanceof UsageError ? error.message : `${file}: ${describeFileError(error)}`;
      const message = `${why}\nNothing was changed. ${STATE_WAYS}`;
      throw new UsageError("stateUnreadable", message, {}, { cause: error });
    }
  }

  /** Moves all data files, including rejected ones, into a subfolder. */
  #moveAside(): void {
    const names = readdirSync(this.path).filter((name) => name.includes(EXTENSION));
    if (names.length === 0) return;
    const aside = join(this.path, `reset-${toIso(Date.now()).replaceAll(":", "-")}`);
    mkdirSync(aside, { mode: 0o700 });
    for (const name of names) renameSync(join(this.path, name), join(aside, name));
    this.notices.push(`The files of the earlier state are now in ${aside}.`);
  }

  /** Server state (`seed` and `made`), which only the file of the main world contains. */
  get server(): WorldContent["server"] {
    return this.found.get(MAIN_WORLD)?.content.server;
  }
}

function toMark(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? "" : `${stats.ino} ${stats.mtimeNs} ${stats.size}`;
}
