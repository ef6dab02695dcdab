/**
 * Playwright's `test` with a world per test on a server per worker: forked, verified and removed at the end. Does
 * nothing that a test could not do itself.
 */

import { test as base } from "@playwright/test";
import { createSandbox, type Sandbox, type SandboxOptions } from "../index.ts";

export type SandboxFixtures = {
  /** A test that passed fails when `sandbox.verify()` does. Default true. */
  sandboxVerify: boolean;
  /** The world of this test alone, removed at its end. The page under test is given its `sandbox.urls`. */
  sandbox: Sandbox;
};

export type SandboxWorkerFixtures = {
  /** Options of the server whose state every world starts with. Default: as `createSandbox`, with strict worlds. */
  sandboxOptions: SandboxOptions;
  /** Listens on a port of its own for as long as the worker runs. */
  sandboxServer: Sandbox;
};

/**
 * Playwright's `test` with a `sandbox`. Options are set with `use` in the config or `test.use` in a file. A failed
 * test has its capsule attached, for `vitrine replay`.
 */
export const test = base.extend<SandboxFixtures, SandboxWorkerFixtures>({
  sandboxOptions: [{}, { scope: "worker", option: true }],
  sandboxServer: [
    async ({ sandboxOptions }, use) => {
      // Strict: a page that was not given its world is refused, rather than served what other tests see too.
      const server = await createSandbox({ strictWorlds: true, ...sandboxOptions });
      await server.listen({ port: 0 });
      await use(server);
      await server.close();
    },
    { scope: "worker" },
  ],
  sandboxVerify: [true, { option: true }],
  sandbox: async ({ sandboxServer, sandboxVerify }, use, info) => {
    await using sandbox = sandboxServer.fork();
    await use(sandbox);
    const { status } = info;
    const surprised = status === "passed" && sandboxVerify && !sandbox.report().ok;
    if (surprised || (status !== "passed" && status !== "skipped")) {
      const body = JSON.stringify(sandbox.capsule(), undefined, 2);
      await info.attach("vitrine-capsule.json", { body, contentType: "application/json" });
    }
    if (surprised) sandbox.verify();
  },
});
