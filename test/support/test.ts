// Vitest's `test` with a `sandbox`: frozen at NOW, seeded, closed when the test ends. `options` changes how it is made.

import { test as base } from "vitest";
import { createSandbox, type SandboxOptions } from "../../src/vitrine.ts";

export const NOW = "2026-03-01T09:00:00.000Z";

export type TestSandbox = Awaited<ReturnType<typeof createSandbox>>;

/** A sandbox whose every byte is known beforehand. */
export function frozenSandbox(options: SandboxOptions = {}): Promise<TestSandbox> {
  return createSandbox({ clock: NOW, seed: 7, ...options });
}

export const test = base.extend<{ options: SandboxOptions; sandbox: TestSandbox }>({
  options: {},
  sandbox: async ({ options }, use) => {
    const sandbox = await frozenSandbox(options);
    await use(sandbox);
    await sandbox.close();
  },
});
