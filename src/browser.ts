/**
 * The sandbox inside a page or a worker: component tests, Storybook, a test runner's browser mode. With `vitrine/msw` it answers
 * the calls of the page. The same bytes as on a server; there are no ports, no folders and no mail relay.
 */

import { openSandbox } from "./open-sandbox.ts";
import { webPlace } from "./places/web/place.ts";
import type { SandboxOptions as AllOptions } from "./sandbox-options.ts";
import type { Sandbox as Verbs } from "./sandbox-verbs.ts";
import { runOn } from "./world/platform.ts";

export { defineRule, defineScenario, type GivenScenario, type ScenarioInput } from "./typed-scenario.ts";
export { type UsageCode, UsageError } from "./world/usage-error.ts";

runOn(webPlace.platform);

/** What has to do with files, sockets and mail is left out; asked for all the same, it is refused. */
export type SandboxOptions = Omit<AllOptions, "data" | "durability" | "keepJournal" | "stateReset" | "smtp">;

export type Sandbox = Omit<Verbs, "listen" | "fork"> & { fork(name?: string): Sandbox };

/** A sandbox with both services and their base data, in this page alone. */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return openSandbox(webPlace, options);
}
