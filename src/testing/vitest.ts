/** Vitest's `test` with a sandbox per test, or a world of the run's server. */

import { test as base, expect, inject, type ProvidedContext } from "vitest";
import {
  connect,
  createSandbox,
  type RemoteSandbox,
  type Sandbox,
  type SandboxOptions,
  UsageError,
} from "../index.ts";
import { writeCapsule } from "../runtimes/node/environment.ts";
import { appendMessage, type Failure, finishTest, type TestResult, type Verify } from "./end-of-test.ts";
import { matchers, type SandboxMatchers } from "./matchers.ts";

/** What `provide` may set in a config, and a file or a `describe` for itself. */
export type SandboxFixtureOptions = {
  /** Options that the sandbox of a test, or the server of a run, is created with. Default: none. */
  sandboxOptions: SandboxOptions;
  /**
   * A test that passed fails when `verify()` of its sandbox or world does, and its warnings are printed; `strict`: it fails
   * with warnings too, such as a rule that never fired. Default true.
   */
  sandboxVerify: Verify;
  /** The folder where a failed test leaves its capsule, for `vitrine show`. Default: none is stored. */
  sandboxCapsules: string | undefined;
};

declare module "vitest" {
  interface ProvidedContext extends Partial<SandboxFixtureOptions> {
    /** The server of the run, which `vitrine/vitest/global-setup` starts: `connect(url, { token })` controls it. */
    readonly sandboxServer?: { readonly url: string; readonly token: string | undefined };
  }
}

declare global {
  namespace Chai {
    // Vitest 3 to 5 copy all methods of this interface. The type parameters of their own interfaces differ.
    interface Assertion extends SandboxMatchers {}
  }
}

expect.extend(matchers);

export type SandboxFixtures = SandboxFixtureOptions & {
  /** In process, for this test alone, and closed at its end. */
  sandbox: Sandbox;
  /** A world of the run's server, for this test alone, and removed at its end. Needs `vitrine/vitest/global-setup`. */
  world: RemoteSandbox;
};

/**
 * Vitest's `test` with a `sandbox`, or a `world`. The other `sandbox…` fixtures are options: set them for a file or a
 * `describe` with `test.override` (`test.scoped` before vitest 4.1), for many files with `test.extend`, or for a project
 * with `provide` in its config.
 */
export const test = base.extend<SandboxFixtures>({
  sandboxOptions: [{}, { injected: true }],
  sandboxVerify: [true, { injected: true }],
  sandboxCapsules: [undefined, { injected: true }],
  sandbox: async ({ sandboxOptions, sandboxVerify, sandboxCapsules, task }, use) => {
    // No `await using`, here and below: in the contexts of the vm pools, Node 20 and 22 have no Symbol.asyncDispose.
    const sandbox = await createSandbox(sandboxOptions);
    try {
      await use(sandbox);
      await finishTest(sandbox, toTestResult(task, sandboxVerify, sandboxCapsules));
    } finally {
      await sandbox.close();
    }
  },
  world: async ({ sandboxVerify, sandboxCapsules, task }, use) => {
    const { url, token } = getServer();
    const world = await connect(url, { token }).fork();
    try {
      await use(world);
      await finishTest(world, toTestResult(task, sandboxVerify, sandboxCapsules));
    } finally {
      await world.close();
    }
  },
});

function getServer(): NonNullable<ProvidedContext["sandboxServer"]> {
  const server = inject("sandboxServer");
  if (server !== undefined) return server;
  const message =
    'A "world" is one of the server of the run: name "vitrine/vitest/global-setup" as globalSetup in the config.';
  throw new UsageError("badOption", message);
}

type NamedTask = { name: string; suite?: NamedTask | undefined; file: { name: string } };
type TestTask = NamedTask & {
  readonly fails?: boolean | undefined;
  /** Vitest 4.1 has an object here, too. */
  readonly retry?: number | { readonly count?: number | undefined } | undefined;
  readonly result?: { state: string; retryCount?: number; errors?: Failure[] | undefined } | undefined;
};

function toTestResult(task: TestTask, verify: Verify, capsules: string | undefined): TestResult {
  const { fails = false, retry = 0, result } = task;
  const { state, retryCount = 0, errors = [] } = result ?? { state: "run" };
  const most = typeof retry === "number" ? retry : (retry.count ?? 0);
  return {
    name: formatName(task),
    passed: state === "pass" || (state === "fail" ? false : undefined),
    fails,
    isLast: retryCount >= most,
    verify,
    tell: (text) => appendMessage(errors.at(-1), text),
    keep: async (capsule) => {
      if (capsules !== undefined) await writeCapsule(capsules, formatName(task), capsule);
    },
  };
}

/** The names of its file and of the `describe` blocks around it, and its own. */
function formatName({ name, suite, file }: NamedTask): string {
  return `${suite === undefined ? file.name : formatName(suite)} ${name}`;
}
