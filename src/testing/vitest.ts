/** Vitest's `test`, which gives each test its own sandbox, or its own world of a server that all tests share. */

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

/** Options of the fixtures. Set them with `provide` in the config, or with `test.override` in a file or `describe`. */
export type SandboxFixtureOptions = {
  /** Options of the fixture `sandbox`, or of the server that `vitrine/vitest/global-setup` starts. Default: none. */
  sandboxOptions: SandboxOptions;
  /** Whether failures of `verify()` fail the test. `strict`: warnings also fail it instead of being printed. Default: true. */
  sandboxVerify: Verify;
  /** Folder for the capsules (JSON for `vitrine show`) of failed tests. Default: capsules are not stored. */
  sandboxCapsules: string | undefined;
};

declare module "vitest" {
  interface ProvidedContext extends Partial<SandboxFixtureOptions> {
    /** Server that `vitrine/vitest/global-setup` starts for the test run. Control it with `connect(url, { token })`. */
    readonly sandboxServer?: { readonly url: string; readonly token: string | undefined };
  }
}

declare global {
  namespace Chai {
    // Extends the interface of Chai, because vitest 3 to 5 copy its methods, but their own interfaces have different type parameters.
    interface Assertion extends SandboxMatchers {}
  }
}

expect.extend(matchers);

export type SandboxFixtures = SandboxFixtureOptions & {
  /** A sandbox in process for this test. It is closed when the test ends. */
  sandbox: Sandbox;
  /** A world for this test, removed when the test ends. Its server is started by `vitrine/vitest/global-setup`. */
  world: RemoteSandbox;
};

/**
 * Vitest's `test` with a `sandbox` or a `world`. The other `sandbox…` fixtures are options. Set them for a file or
 * `describe` with `test.override` (`test.scoped` before vitest 4.1), for many files with `test.extend`, or for a project
 * with `provide` in the config.
 */
export const test = base.extend<SandboxFixtures>({
  sandboxOptions: [{}, { injected: true }],
  sandboxVerify: [true, { injected: true }],
  sandboxCapsules: [undefined, { injected: true }],
  sandbox: async ({ sandboxOptions, sandboxVerify, sandboxCapsules, task }, use) => {
    // Do not write `await using`: Node 20 and 22 have no Symbol.asyncDispose in vitest's vm pools.
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
  const message = 'The fixture "world" needs a server: set globalSetup to "vitrine/vitest/global-setup".';
  throw new UsageError("badOption", message);
}

type NamedTask = { name: string; suite?: NamedTask | undefined; file: { name: string } };
type TestTask = NamedTask & {
  readonly fails?: boolean | undefined;
  /** Number of retries. Vitest 4.1 also allows an object. */
  readonly retry?: number | { readonly count?: number | undefined } | undefined;
  readonly result?: { state: string; retryCount?: number; errors?: Failure[] | undefined } | undefined;
};

function toTestResult(task: TestTask, verify: Verify, capsules: string | undefined): TestResult {
  const { fails = false, retry = 0, result } = task;
  const { state, retryCount = 0, errors = [] } = result ?? { state: "run" };
  const maxRetries = typeof retry === "number" ? retry : (retry.count ?? 0);
  return {
    name: formatName(task),
    passed: state === "pass" || (state === "fail" ? false : undefined),
    fails,
    isLast: retryCount >= maxRetries,
    verify,
    appendText: (text) => appendMessage(errors.at(-1), text),
    storeCapsule: async (capsule) => {
      if (capsules !== undefined) await writeCapsule(capsules, formatName(task), capsule);
    },
  };
}

/** Joins the names of file, `describe` blocks and test. */
function formatName({ name, suite, file }: NamedTask): string {
  return `${suite === undefined ? file.name : formatName(suite)} ${name}`;
}
