/** The sandbox in a page or a worker: the same bytes as on a server, but no ports, no folders and no mail relay. */

import { openSandbox } from "./open/open-sandbox.ts";
import type { Sandbox as FullSandbox } from "./open/sandbox-methods.ts";
import type { SandboxOptions as AllOptions } from "./open/sandbox-options.ts";
import { webRuntime } from "./runtimes/web/runtime.ts";
import { setPlatform } from "./world/platform.ts";

export { type UsageCode, UsageError } from "./errors/usage-error.ts";
export { defineRule, defineScenario, type GivenScenario, type ScenarioInput } from "./open/typed-scenario.ts";

setPlatform(webRuntime.platform);

/** What has to do with files, sockets and mail is left out; asked for all the same, it is refused. */
export type SandboxOptions = Omit<AllOptions, "base" | "data" | "stateReset" | "smtp"> & {
  /** Base data in place of the bundled data. */
  readonly base?: object | undefined;
};

export type Sandbox = Omit<FullSandbox, "listen" | "fork"> & { fork(name?: string): Sandbox };

/** A sandbox with both services and their base data, in this page alone. */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return openSandbox(webRuntime, options);
}
