/** A `globalSetup` of vitest: one server for the whole run, whose worlds `vitrine/vitest` hands to tests as `world`. */

import type { TestProject } from "vitest/node";
import { createSandbox } from "../index.ts";

/** Starts the server from `sandboxOptions` of the config's `provide`, and provides its URL to tests; the result stops it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { sandboxOptions } = project.config.provide; // as for `sandbox`
  // Strict: a client that was not given its world is refused, rather than served what other tests see too.
  const server = await createSandbox({ strictWorlds: true, ...sandboxOptions });
  const { url } = await server.listen({ port: 0 });
  project.provide("vitrineUrl", url);
  return () => server.close();
}
