/** Creates sandboxes in Node. */

import { nodeRuntime } from "../runtimes/node/runtime.ts";
import type { WorldRecord } from "../sandbox/record.ts";
import { setPlatform } from "../world/platform.ts";
import type { LiveSandbox } from "./live-sandbox.ts";
import { type EntryOptions, openSandbox } from "./open-sandbox.ts";
import type { SandboxOptions } from "./sandbox-options.ts";

export type { SandboxOptions } from "./sandbox-options.ts";

setPlatform(nodeRuntime.platform);

const storage = () => import("../runtimes/node/data-storage.ts");

export type Sandbox = LiveSandbox;

/** Creates a sandbox with both services. It opens a port only when you call `listen`. Only the CLI and tests pass `entry`. */
export function createSandbox(options: SandboxOptions = {}, entry: EntryOptions = {}): Promise<LiveSandbox> {
  return openSandbox(nodeRuntime, options, { storage, ...entry });
}

/** `Sandbox.from(record)` creates a sandbox with the state that `sandbox.record()` returned. */
export const Sandbox = {
  from: (record: WorldRecord, options: SandboxOptions = {}): Promise<LiveSandbox> =>
    createSandbox({ ...options, record }),
};
