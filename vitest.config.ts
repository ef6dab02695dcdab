import { defineConfig } from "vitest/config";

// A unit below the entries runs on what this process is: the entries say so themselves.
export default defineConfig({ test: { setupFiles: ["test/support/platform.ts"] } });
