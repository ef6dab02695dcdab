// Owns vitest's `test` with a sandbox per test: made from options, judged and closed at the end. Says nothing that a
// test could not say itself.

import { test as base } from "vitest";
import { createSandbox, type Sandbox, type SandboxOptions } from "../index.ts";
import { keepCapsule } from "../places/node/capsule-file.ts";

export type SandboxFixtures = {
  /** How the sandbox of a test is made. Default: with no options. */
  sandboxOptions: SandboxOptions;
  /** A test that passed fails when `sandbox.verify()` does. Default true. */
  sandboxVerify: boolean;
  /** The folder where a test that failed leaves its capsule, for `vitrine replay`. Default: none is kept. */
  sandboxCapsules: string | undefined;
  /** In process, of this test alone, and closed at its end. */
  sandbox: Sandbox;
};

/**
 * Vitest's `test` with a `sandbox`. What begins with `sandbox…` besides it is an option: set it for a file or a
 * `describe` with `test.override`, for many files with `test.extend`, or for a project with `provide` in its config.
 */
export const test = base.extend<SandboxFixtures>({
  sandboxOptions: [{}, { injected: true }],
  sandboxVerify: [true, { injected: true }],
  sandboxCapsules: [undefined, { injected: true }],
  sandbox: async ({ sandboxOptions, sandboxVerify, sandboxCapsules, task }, use) => {
    await using sandbox = await createSandbox(sandboxOptions);
    await use(sandbox);
    const state = task.result?.state;
    const surprised = state === "pass" && sandboxVerify && !sandbox.report().ok;
    if (sandboxCapsules !== undefined && (state === "fail" || surprised))
      await keepCapsule(sandboxCapsules, nameOf(task), sandbox.capsule());
    if (surprised) sandbox.verify();
  },
});

type Named = {
  readonly name: string;
  readonly suite?: Named | undefined;
  readonly file: { readonly name: string };
};

/** The names of its file, of what it is described by, and its own. */
function nameOf({ name, suite, file }: Named): string {
  return `${suite === undefined ? file.name : nameOf(suite)} ${name}`;
}
