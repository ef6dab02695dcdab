/** What a request waits for before it is answered: that what it changed is stored. */

import type { SandboxCore } from "../sandbox/sandbox.ts";

export type Commit = {
  /** Another number whenever what was not stored has been undone. */
  readonly undone: number;
  /**
   * Stores what was written, in whatever world; what this one shows is then stored, too. Rejects with a NotStored when it
   * cannot, and has then undone it; also when that happened since `undone` was read.
   */
  flush(sandbox: SandboxCore, undone: number | undefined): Promise<void> | undefined;
};

/** Why nothing was stored, for people; the message is the whole sentence. */
export class StorageError extends Error {
  readonly isFull: boolean;

  constructor(why: string, isFull: boolean, options?: ErrorOptions) {
    super(`The state could not be written: ${why}. Nothing was changed.`, options);
    this.isFull = isFull;
  }
}
