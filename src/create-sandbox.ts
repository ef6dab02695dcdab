/** How a user makes a sandbox, with the types that a user sees. */

import type { WorldRecord } from "./sandbox/record.ts";
import type { Sandbox as Verbs } from "./sandbox-verbs.ts";
import { createSandbox as createLive, type SandboxOptions } from "./vitrine.ts";

/** A sandbox with both services and their base data, in process until `listen` is called. */
export function createSandbox(options?: SandboxOptions): Promise<Sandbox> {
  return createLive(options);
}

export type Sandbox = Verbs;

/** `Sandbox.from(record)` goes on where `sandbox.record()` was taken. */
export const Sandbox = {
  from: (record: WorldRecord, options: SandboxOptions = {}): Promise<Sandbox> =>
    createSandbox({ ...options, record }),
};
