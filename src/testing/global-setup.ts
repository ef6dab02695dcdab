/** Vitest's `globalSetup`: starts a server for the whole test run. The fixture `world` is a world of this server. */

import type { TestProject } from "vitest/node";
import { createSandbox, type SandboxOptions } from "../index.ts";
import { newControlToken } from "../runtimes/node/environment.ts";

/** Default page URL of happy-dom. */
const DEFAULT_PAGE_URL = "http://localhost:3000";

/** Starts the server with `sandboxOptions` of the config, and provides its URL to tests. Returns a function that closes it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { config } = project;
  // In happy-dom, tests send requests with the origin of a page. The sandbox must allow it, and its control API requires a token.
  const { url: page = DEFAULT_PAGE_URL } = config.environmentOptions?.happyDOM ?? {};
  const options: SandboxOptions = {
    // Rejects requests that name no world, so that tests cannot share state by accident.
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
