// The guard's whole matrix: a hundred thousand requests, so not among the tests of every day.

import { expect, test } from "vitest";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import { ACCESS, ROUTES, refuseAll } from "./guard-matrix.ts";

test("every host, origin, fetch site and media type that no page may send is refused at every control route, and nothing changes", async () => {
  await using sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z", ...ACCESS });
  const { digest } = sandbox.state();
  expect(await refuseAll(sandbox)).toBeGreaterThan(2_000 * ROUTES.length);
  expect(sandbox.state().digest).toBe(digest);
  expect(sandbox.worlds.list()).toHaveLength(1);
  expect((await sandbox.fetch("/_vitrine/ready")).status).toBe(200);
});
