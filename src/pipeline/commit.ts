/** Stores the changes of a request before its response is sent. */

import type { SandboxCore } from "../sandbox/sandbox.ts";

export type Commit = {
  /** Number of rollbacks since the store was opened. */
  readonly undone: number;
  /** Stores pending changes. Rejects with a StorageError if the write fails, or if a rollback happened since `undone`. */
  flush(sandbox: SandboxCore, undone: number | undefined): Promise<void> | undefined;
};

/** Thrown if changes could not be stored. `isFull`: whether the disk is full. */
export class StorageError extends Error {
  readonly isFull: boolean;

  constructor(why: string, isFull: boolean, options?: ErrorOptions) {
    super(`The state could not be written: ${why}. Nothing was changed.`, options);
    this.isFull = isFull;
  }
}
