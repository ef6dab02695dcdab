/** The sandbox for browsers and web workers: the same responses as in Node, without ports, folders and mail relay. */

import { openSandbox } from "./open/open-sandbox.ts";
import type { Sandbox as FullSandbox } from "./open/sandbox-methods.ts";
import type { SandboxOptions as AllOptions } from "./open/sandbox-options.ts";
import { webRuntime } from "./runtimes/web/runtime.ts";
import { setPlatform } from "./world/platform.ts";

export { type UsageCode, UsageError } from "./errors/usage-error.ts";
export { defineRule, defineScenario, type GivenScenario, type ScenarioInput } from "./open/typed-scenario.ts";

setPlatform(webRuntime.platform);

/** Options of `createSandbox` in Node that need no files and no mail server. The other options throw a UsageError. */
export type SandboxOptions = Omit<AllOptions, "base" | "data" | "stateReset" | "smtp"> & {
  /** Base data in place of the bundled data. */
  readonly base?: object | undefined;
};

export type Sandbox = Omit<FullSandbox, "listen" | "fork"> & { fork(name?: string): Sandbox };

/** Creates a sandbox with both services and their base data. Only this page or worker can reach it. */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return openSandbox(webRuntime, options);
}
