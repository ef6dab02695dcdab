/** Playwright's `test`, which gives each test its own sandbox, or its own world of a running server. */

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
  /** Options of the sandbox. Default: none. */
  sandboxOptions: SandboxOptions;
  /** A running server, such as the server of a team. Each test gets a `world` of this server. Default: none. */
  sandboxServer: SandboxServer | undefined;
  /** Whether failures of `verify()` fail the test. `strict`: warnings also fail it instead of being printed. Default: true. */
  sandboxVerify: Verify;
  /** Base URLs that pages under test call. Redirects them to the sandbox: `{ museum: "http://localhost:4010/museum/v1.1" }`. */
  sandboxAddresses: Addresses;
  /** A sandbox for this test, on its own port. Pass `sandbox.urls` to pages with configurable URLs. */
  sandbox: Sandbox;
  /** A world of `sandboxServer` for this test. It is removed when the test ends. */
  world: RemoteSandbox;
  /** The `sandbox` or `world` of the test. Requests of pages to `sandboxAddresses` are redirected to it. */
  sandboxOfTest: Sandbox | RemoteSandbox;
};

/** URL of a running sandbox, and its control token, if required. */
export type SandboxServer = { readonly url: string; readonly token?: string | undefined };

/**
 * Playwright's `test` with a `sandbox` or a `world`. The other `sandbox…` fixtures are options: set them with `use` in the
 * config, or with `test.use`. A failed test gets two attachments: its capsule (JSON for `vitrine show`), and a HAR.
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
    const message = 'With the option sandboxServer, use the fixture "world" instead of "sandbox".';
    if (!("listen" in sandboxOfTest)) throw new UsageError("badOption", message);
    await use(sandboxOfTest);
  },
  world: async ({ sandboxOfTest, sandboxServer }, use) => {
    const message = 'The fixture "world" needs a server. Set the option sandboxServer.';
    if (sandboxServer === undefined) throw new UsageError("badOption", message);
    await use(sandboxOfTest as RemoteSandbox); // Safe cast: startSandbox returned a world of the server.
  },
  context: async ({ context, sandboxOfTest, sandboxAddresses }, use) => {
    for (const redirect of createRedirects(sandboxOfTest, sandboxAddresses).toReversed())
      await redirectPage(context, redirect); // Playwright tries the newest route first, so add the longest URL last.
    await use(context);
    await context.unrouteAll({ behavior: "ignoreErrors" }); // Ignores errors of pending requests.
  },
});

/** Playwright's `expect` with `toHaveReceived` for a `sandbox` or a `world`. */
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
    appendText: (text) => appendMessage(info.errors.at(-1), text),
    async storeCapsule(capsule) {
      await attach("vitrine-capsule.json", capsule);
      await attach("vitrine.har", await sandbox.har());
    },
  };
}

/** Redirects requests of pages. If possible, the browser sends them: faults then reach the page, and aborts reach the sandbox. */
async function redirectPage(context: BrowserContext, redirect: Redirect): Promise<void> {
  const { protocol } = new URL(redirect.from);
  await context.route(toUrlPattern(redirect), async (route) => {
    const url = redirectUrl(redirect, route.request().url());
    if (protocol === "http:") await route.continue({ url });
    else await fulfillRoute(route, url); // Playwright cannot change https to http.
  });
}

/** Lets Playwright send the request. The page sees a fault as a failed request. The sandbox does not notice if the page cancels. */
async function fulfillRoute(route: Route, url: string): Promise<void> {
  try {
    await route.fulfill({ response: await route.fetch({ url, maxRedirects: 0 }) });
  } catch {
    await route.abort("connectionfailed");
  }
}
