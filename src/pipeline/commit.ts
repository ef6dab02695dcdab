/** With `Commit`, the pipeline stores the changes of a request before it sends the response. */

import type { SandboxCore } from "../sandbox/sandbox.ts";

export type Commit = {
  /** Number of times that a failed write has rolled the data back to its stored state. */
  readonly undone: number;
  /** Stores pending changes. Rejects with a StorageError if the write fails, or if the count `undone` is out of date. */
  flush(sandbox: SandboxCore, undone: number | undefined): Promise<void> | undefined;
};

/** Thrown if changes could not be stored. `isFull`: whether the reason is a full storage. */
export class StorageError extends Error {
  readonly isFull: boolean;

  constructor(why: string, isFull: boolean, options?: ErrorOptions) {
    super(`The state could not be written: ${why}. Nothing was changed.`, options);
    this.isFull = isFull;
  }
}
