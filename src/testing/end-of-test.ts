/** What every binding does when a test has run: keep a capsule of one that failed, and let one that passed be verified. */

import type { Capsule, RemoteSandbox, Sandbox } from "../index.ts";

export type Ended = {
  /** Undefined: it was neither passed nor failed, as one that is skipped on the way. */
  readonly passed: boolean | undefined;
  /** Whether a test that passed fails when `verify` does. */
  readonly verify: boolean;
  /** Keeps what is needed to play a failed test again. */
  readonly keep: (capsule: Capsule) => Promise<void>;
};

/** Throws what `verify` throws. */
export async function endOfTest(
  sandbox: Pick<Sandbox | RemoteSandbox, "report" | "capsule" | "verify">,
  { passed, verify, keep }: Ended,
): Promise<void> {
  const surprised = passed === true && verify && !(await sandbox.report()).ok;
  if (surprised || passed === false) await keep(await sandbox.capsule());
  if (surprised) await sandbox.verify();
}
