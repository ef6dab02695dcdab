/**
 * Vitest's `test` with a sandbox per test: created from options, verified and closed at the end. Does nothing that a
 * test could not do itself.
 */

import { test as base } from "vitest";
import { createSandbox, type Sandbox, type SandboxOptions } from "../index.ts";
import { keepCapsule } from "../places/node/capsule-file.ts";

export type SandboxFixtures = {
  /** Options that the sandbox of a test is created with. Default: none. */
  sandboxOptions: SandboxOptions;
  /** A test that passed fails when `sandbox.verify()` does. Default true. */
  sandboxVerify: boolean;
  /** The folder where a failed test leaves its capsule, for `vitrine replay`. Default: none is stored. */
  sandboxCapsules: string | undefined;
  /** In process, for this test alone, and closed at its end. */
  sandbox: Sandbox;
};

/**
 * Vitest's `test` with a `sandbox`. The other `sandbox…` fixtures are options: set them for a file or a
 * `describe` with `test.override`, for many files with `test.extend`, or for a project with `provide` in its config.
 */
export const test = base.extend<SandboxFixtures>({
  sandboxOptions: [{}, { injected: true }],
  sandboxVerify: [true, { injected: true }],
  sandboxCapsules: [undefined, { injected: true }],
  sandbox: async ({ sandboxOptions, sandboxVerify, sandboxCapsules, task }, use) => {
    const sandbox = await createSandbox(sandboxOptions);
    // No `await using`: in the contexts of the vm pools, Node 20 and 22 have no Symbol.asyncDispose.
    try {
      await use(sandbox);
      const state = task.result?.state;
      const surprised = state === "pass" && sandboxVerify && !sandbox.report().ok;
      if (sandboxCapsules !== undefined && (state === "fail" || surprised))
        await keepCapsule(sandboxCapsules, nameOf(task), sandbox.capsule());
      if (surprised) sandbox.verify();
    } finally {
      await sandbox.close();
    }
  },
});

type Named = {
  readonly name: string;
  readonly suite?: Named | undefined;
  readonly file: { readonly name: string };
};

/** The names of its file and of the `describe` blocks around it, and its own. */
function nameOf({ name, suite, file }: Named): string {
  return `${suite === undefined ? file.name : nameOf(suite)} ${name}`;
}
