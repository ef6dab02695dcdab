// The `test` of vitrine/vitest, which our own tests use as any client's do: a frozen, seeded `sandbox` for each, looked
// over and closed at the end. `options` adds to how it is made.

import type { TestAPI } from "vitest";
import { createSandbox, type SandboxOptions } from "../../src/open/create-sandbox.ts";
import { test as bound, type SandboxFixtures } from "../../src/testing/vitest.ts";
import { wallClock } from "../../src/world/clock.ts";

/** Delays pass at once. */
export const atOnce = { now: wallClock.now, pause: async () => {} };

export const NOW = "2026-03-01T09:00:00.000Z";

/** With its inside, which users do not see. */
export type TestSandbox = Awaited<ReturnType<typeof createSandbox>>;

const frozen = (options: SandboxOptions): SandboxOptions => ({ clock: NOW, seed: 7, ...options });

/** A sandbox whose every byte is known beforehand. */
export function frozenSandbox(options: SandboxOptions = {}): Promise<TestSandbox> {
  return createSandbox(frozen(options));
}

type Fixtures = Omit<SandboxFixtures, "sandbox"> & {
  options: SandboxOptions;
  sandbox: TestSandbox;
};
const made = bound.extend<Pick<Fixtures, "options" | "sandboxOptions">>({
  options: {},
  sandboxOptions: ({ options }, use) => use(frozen(options)),
});
export const test = made as unknown as TestAPI<Fixtures>; // the binding types its sandbox as what users see of this one

/** Of a client that asks on purpose for what is not there, which the binding would count as a failure. */
export const testOfMistakes = test.extend<Pick<Fixtures, "sandboxVerify">>({ sandboxVerify: false });
