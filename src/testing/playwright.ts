/**
 * Playwright's `test` with a sandbox per test, on a port of its own: verified and closed at the end. Does nothing that a
 * test could not do itself.
 */

import { type BrowserContext, test as base, type Route } from "@playwright/test";
import { type Capsule, createSandbox, type Har, type Sandbox, type SandboxOptions } from "../index.ts";
import { type Addresses, along, under, type Way, waysOf } from "./addresses.ts";
import { addTo, endOfTest, type Verify } from "./end-of-test.ts";

export type { Addresses } from "./addresses.ts";

export type SandboxFixtures = {
  /** Options that the sandbox of a test is created with. Default: none. */
  sandboxOptions: SandboxOptions;
  /**
   * A test that passed fails when `sandbox.verify()` does, and its warnings are printed; `strict`: it fails with warnings
   * too, such as a rule that never fired. Default true.
   */
  sandboxVerify: Verify;
  /**
   * Base addresses that the pages under test were built with: `{ museum: "http://localhost:4010/museum/v1.1" }`. What they
   * call there, the sandbox of the test answers. Default: none.
   */
  sandboxAddresses: Addresses;
  /** Listens on a port of its own, for this test alone. A page that takes its addresses from outside gets `sandbox.urls`. */
  sandbox: Sandbox;
};

/**
 * Playwright's `test` with a `sandbox`. The other `sandbox…` fixtures are options: set them with `use` in the config, or
 * with `test.use` in a file or a `describe`. A failed test has its capsule attached, for `vitrine replay`, and its HAR.
 */
export const test = base.extend<SandboxFixtures>({
  sandboxOptions: [{}, { option: true }],
  sandboxVerify: [true, { option: true }],
  sandboxAddresses: [{}, { option: true }],
  sandbox: async ({ sandboxOptions, sandboxVerify: verify }, use, info) => {
    const sandbox = await createSandbox(sandboxOptions);
    try {
      await sandbox.listen({ port: 0 });
      await use(sandbox);
      const passed = info.status === "passed" || (info.status === "skipped" ? undefined : false);
      const attach = async (name: string, file: Capsule | Har): Promise<void> => {
        const body = JSON.stringify(file, undefined, 2);
        await info.attach(name, { body, contentType: "application/json" });
      };
      const keep = async (capsule: Capsule): Promise<void> => {
        await attach("vitrine-capsule.json", capsule);
        await attach("vitrine.har", sandbox.har());
      };
      await endOfTest(sandbox, {
        name: info.titlePath.join(" "),
        passed,
        fails: info.expectedStatus === "failed",
        isLast: info.retry >= info.project.retries,
        verify,
        tell: (text) => addTo(info.errors.at(-1), text),
        keep,
      });
    } finally {
      await sandbox.close();
    }
  },
  context: async ({ context, sandbox, sandboxAddresses }, use) => {
    for (const way of waysOf(sandbox, sandboxAddresses).toReversed()) await lead(context, way); // the last is asked first
    await use(context);
    await context.unrouteAll({ behavior: "ignoreErrors" }); // what the page asked for as the test ended
  },
});

/** The browser itself calls the sandbox where it can, so that a reply is lost or cancelled as it is anywhere. */
async function lead(context: BrowserContext, way: Way): Promise<void> {
  const { protocol } = new URL(way.from);
  await context.route(under(way), async (route) => {
    const url = along(way, route.request().url());
    if (protocol === "http:") await route.continue({ url });
    else await relay(route, url); // as a page's https cannot become http
  });
}

/** Playwright asks for the page. A fault is a failed request; that the page gave up does not reach the sandbox. */
async function relay(route: Route, url: string): Promise<void> {
  try {
    await route.fulfill({ response: await route.fetch({ url, maxRedirects: 0 }) });
  } catch {
    await route.abort("connectionfailed");
  }
}
