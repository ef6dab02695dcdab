/** Playwright's `test` with a sandbox per test, on a port of its own, or a world of a server. */

import {
  type BrowserContext,
  test as base,
  expect as baseExpect,
  type Expect,
  type Route,
  type TestInfo,
} from "@playwright/test";
import {
  type Capsule,
  connect,
  createSandbox,
  type Har,
  type RemoteSandbox,
  type Sandbox,
  type SandboxOptions,
  UsageError,
} from "../index.ts";
import { type Addresses, createRedirects, type Redirect, redirectUrl, toUrlPattern } from "./addresses.ts";
import { appendMessage, finishTest, type TestResult, type Verify } from "./end-of-test.ts";
import { matchers } from "./matchers.ts";

export type { Addresses } from "./addresses.ts";

export type SandboxFixtures = {
  /** Options that the sandbox of a test is created with. Default: none. */
  sandboxOptions: SandboxOptions;
  /** A server that is there already, such as a team's: each test gets a `world` of it. Default: none. */
  sandboxServer: SandboxServer | undefined;
  /**
   * A test that passed fails when `verify()` of its sandbox or world does, and its warnings are printed; `strict`: it fails
   * with warnings too, such as a rule that never fired. Default true.
   */
  sandboxVerify: Verify;
  /**
   * Base addresses that the pages under test were built with: `{ museum: "http://localhost:4010/museum/v1.1" }`. What they
   * call there, the sandbox or world of the test answers. Default: none.
   */
  sandboxAddresses: Addresses;
  /** Listens on a port of its own, for this test alone. A page that takes its addresses from outside gets `sandbox.urls`. */
  sandbox: Sandbox;
  /** A world of `sandboxServer`, for this test alone, and removed at its end. */
  world: RemoteSandbox;
  /** The one of these two that the test has: pages are led there. */
  sandboxOfTest: Sandbox | RemoteSandbox;
};

/** Where a sandbox listens: its address, and its control token where it asks for one. */
export type SandboxServer = { readonly url: string; readonly token?: string | undefined };

/**
 * Playwright's `test` with a `sandbox`, or a `world`. The other `sandbox…` fixtures are options: set them with `use` in the
 * config, or with `test.use` in a file or a `describe`. A failed test has its capsule attached, for `vitrine show`, and its HAR.
 */
export const test = base.extend<SandboxFixtures>({
  sandboxOptions: [{}, { option: true }],
  sandboxServer: [undefined, { option: true }],
  sandboxVerify: [true, { option: true }],
  sandboxAddresses: [{}, { option: true }],
  sandboxOfTest: async ({ sandboxOptions, sandboxServer, sandboxVerify }, use, info) => {
    const sandbox = await startSandbox(sandboxServer, sandboxOptions);
    try {
      await use(sandbox);
      await finishTest(sandbox, toTestResult(info, sandboxVerify, sandbox));
    } finally {
      await sandbox.close();
    }
  },
  sandbox: async ({ sandboxOfTest }, use) => {
    const message = 'With sandboxServer a test has a "world" of that server, and no "sandbox".';
    if (!("listen" in sandboxOfTest)) throw new UsageError("badOption", message);
    await use(sandboxOfTest);
  },
  world: async ({ sandboxOfTest, sandboxServer }, use) => {
    const message = 'A "world" is one of a server: say where it is with the option sandboxServer.';
    if (sandboxServer === undefined) throw new UsageError("badOption", message);
    await use(sandboxOfTest as RemoteSandbox); // of which it is
  },
  context: async ({ context, sandboxOfTest, sandboxAddresses }, use) => {
    for (const way of createRedirects(sandboxOfTest, sandboxAddresses).toReversed())
      await redirectPage(context, way); // the last is asked first
    await use(context);
    await context.unrouteAll({ behavior: "ignoreErrors" }); // what the page asked for as the test ended
  },
});

/** Playwright's `expect`, which also has `toHaveReceived` for a `sandbox` or a `world`. */
export const expect: Expect<typeof matchers> = baseExpect.extend(matchers);

async function startSandbox(server: SandboxServer | undefined, options: SandboxOptions) {
  if (server !== undefined) return connect(server.url, { token: server.token }).fork();
  const sandbox = await createSandbox(options);
  await sandbox.listen({ port: 0 });
  return sandbox;
}

function toTestResult(info: TestInfo, verify: Verify, sandbox: Sandbox | RemoteSandbox): TestResult {
  const attach = async (name: string, file: Capsule | Har): Promise<void> => {
    const body = JSON.stringify(file, undefined, 2);
    await info.attach(name, { body, contentType: "application/json" });
  };
  return {
    name: info.titlePath.join(" "),
    passed: info.status === "passed" || (info.status === "skipped" ? undefined : false),
    fails: info.expectedStatus === "failed",
    isLast: info.retry >= info.project.retries,
    verify,
    tell: (text) => appendMessage(info.errors.at(-1), text),
    async keep(capsule) {
      await attach("vitrine-capsule.json", capsule);
      await attach("vitrine.har", await sandbox.har());
    },
  };
}

/** The browser itself calls the sandbox where it can, so that a reply is lost or cancelled as it is anywhere. */
async function redirectPage(context: BrowserContext, way: Redirect): Promise<void> {
  const { protocol } = new URL(way.from);
  await context.route(toUrlPattern(way), async (route) => {
    const url = redirectUrl(way, route.request().url());
    if (protocol === "http:") await route.continue({ url });
    else await fulfillRoute(route, url); // as a page's https cannot become http
  });
}

/** Playwright asks for the page. A fault is a failed request; that the page gave up does not reach the sandbox. */
async function fulfillRoute(route: Route, url: string): Promise<void> {
  try {
    await route.fulfill({ response: await route.fetch({ url, maxRedirects: 0 }) });
  } catch {
    await route.abort("connectionfailed");
  }
}
