/** The calls of the file system that keep a state, as one value, so that a test can let any of them fail. */

import { fstatSync } from "node:fs";
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  truncate,
} from "node:fs/promises";

export type OpenFile = {
  /** Writes at the end. Rejects when less than all was written, and when the file no longer has a name. */
  append(bytes: Uint8Array): Promise<void>;
  /** The first `length` bytes. */
  read(length: number): Promise<Buffer>;
  /** Resolves when a loss of power cannot undo what was written. */
  sync(): Promise<void>;
  /** Gives up all but the first `length` bytes. */
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
};

export type StateFiles = {
  makeFolder(path: string): Promise<void>;
  /** Names of what is in it. */
  list(folder: string): Promise<readonly string[]>;
  /** False for what is no plain file, such as a folder or a link that leads nowhere. */
  isFile(path: string): Promise<boolean>;
  read(path: string): Promise<Buffer>;
  /** A file that was not there. */
  create(path: string): Promise<OpenFile>;
  /** A file that is there. */
  open(path: string): Promise<OpenFile>;
  truncate(path: string, length: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** The file gets a second name. */
  link(path: string, name: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Resolves when a loss of power cannot undo what was made, renamed or removed in it. */
  syncFolder(path: string): Promise<void>;
};

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/** Those of the machine. */
export const machineFiles: StateFiles = {
  async makeFolder(path) {
    await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER });
  },
  list: (folder) => readdir(folder),
  isFile: async (path) => (await lstat(path)).isFile(),
  read: (path) => readFile(path),
  create: async (path) => openFile(await open(path, "ax+", PRIVATE_FILE)),
  open: async (path) => openFile(await open(path, "a+", PRIVATE_FILE)),
  truncate: (path, length) => truncate(path, length),
  rename: (from, to) => rename(from, to),
  link: (path, name) => link(path, name),
  remove: (path) => rm(path, { force: true }),
  async syncFolder(path) {
    const folder = await open(path, "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  },
};

function openFile(handle: FileHandle): OpenFile {
  return {
    async append(bytes) {
      for (let done = 0; done < bytes.length; ) done += (await handle.write(bytes, done)).bytesWritten;
      if (fstatSync(handle.fd).nlink === 0) throw Object.assign(new Error("removed"), { code: "ENOENT" });
    },
    async read(length) {
      const bytes = Buffer.alloc(length);
      for (let done = 0; done < length; ) {
        const { bytesRead } = await handle.read(bytes, done, length - done, done);
        if (bytesRead === 0) throw new Error(`ends after ${done} of ${length} bytes`);
        done += bytesRead;
      }
      return bytes;
    },
    sync: () => handle.datasync(),
    truncate: (length) => handle.truncate(length),
    close: () => handle.close(),
  };
}

const REASONS: Readonly<Record<string, string>> = {
  EROFS: "the file system is read-only",
  EACCES: "this user has no access to it",
  EPERM: "this user has no access to it",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENOTDIR: "a part of its path is a file",
  EEXIST: "it is a file",
  ENOENT: "nothing can be made there",
  ELOOP: "its path has too many symbolic links",
  ENAMETOOLONG: "its path is too long",
  EMFILE: "too many files are open",
  EIO: "the disk fails",
};

/** Why the file system refused, in words; the code where there are none for it. */
export function reasonOf(error: unknown): string {
  return REASONS[codeOf(error)] ?? `the file system refused (${codeOf(error)})`;
}

/** The code of an error of the file system. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
