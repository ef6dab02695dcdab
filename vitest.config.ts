import { defineConfig } from "vitest/config";

/** For a busy machine: no test holds anything by how long it takes. */
const PATIENCE_MS = 120_000;

export default defineConfig({
  test: {
    // A unit below the entries runs on what this process is: the entries say so themselves.
    setupFiles: ["./test/support/platform.ts"],
    testTimeout: PATIENCE_MS,
    hookTimeout: PATIENCE_MS,
    expect: { poll: { timeout: PATIENCE_MS / 4, interval: 5 } },
    experimental: { fsModuleCache: true }, // what has not changed since the last run is not compiled again
  },
});
