/** A `globalSetup` of vitest: one server for the whole run, whose worlds `vitrine/vitest` hands to tests as `world`. */

import type { TestProject } from "vitest/node";
import { createSandbox, type SandboxOptions } from "../index.ts";
import { newControlToken } from "../runtimes/node/environment.ts";

/** Where the page of happy-dom is, unless its options say otherwise. */
const DEFAULT_PAGE_URL = "http://localhost:3000";

/** Starts the server from `sandboxOptions` of the config's `provide`, and provides its place to tests; the result stops it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { config } = project;
  // happy-dom asks as a page, which may only use the control API where its origin is allowed and with a token.
  const { url: page = DEFAULT_PAGE_URL } = config.environmentOptions?.happyDOM ?? {};
  const options: SandboxOptions = {
    // Strict: a client that was not given its world is refused, rather than served what other tests see too.
    strictWorlds: true,
    controlToken: newControlToken(),
    ...(URL.canParse(page) && page.startsWith("http") && { allowedOrigins: [new URL(page).origin] }),
    ...config.provide.sandboxOptions,
  };
  const server = await createSandbox(options);
  const { url } = await server.listen({ port: 0 });
  project.provide("sandboxServer", { url, token: options.controlToken });
  return () => server.close();
}
