/** Creates sandboxes in Node. */

import { nodeRuntime } from "../runtimes/node/runtime.ts";
import type { StateOptions } from "../runtimes/node/state-folder.ts";
import type { WorldRecord } from "../sandbox/record.ts";
import { setPlatform } from "../world/platform.ts";
import type { LiveSandbox } from "./live-sandbox.ts";
import { openSandbox } from "./open-sandbox.ts";
import type { SandboxOptions } from "./sandbox-options.ts";

export { DURABILITIES, type SandboxOptions } from "./sandbox-options.ts";

setPlatform(nodeRuntime.platform);

const loadStorage = () => import("../runtimes/node/kept-state.ts");

export type Sandbox = LiveSandbox;

/** A sandbox with both services and their base data, in process until `listen` is called. */
export function createSandbox(options: SandboxOptions = {}): Promise<LiveSandbox> {
  return openSandbox(nodeRuntime, options, { storage: loadStorage });
}

/** `Sandbox.from(record)` goes on where `sandbox.record()` was taken. */
export const Sandbox = {
  from: (record: WorldRecord, options: SandboxOptions = {}): Promise<LiveSandbox> =>
    createSandbox({ ...options, record }),
};

/** The same with the files and the bounds of its state, for tests of what happens when these give way. */
export function createSandboxWithState(
  options: SandboxOptions,
  state: Partial<StateOptions>,
): Promise<LiveSandbox> {
  return openSandbox(nodeRuntime, options, { storage: loadStorage, files: state });
}
