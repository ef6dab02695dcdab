import { defineConfig } from "@playwright/test";
import type { SandboxFixtures } from "vitrine/playwright";

export default defineConfig<SandboxFixtures>({
  use: {
    sandboxAddresses: {
      museum: "http://localhost:4010/museum/v1.1",
      account: "http://localhost:4010/account",
    },
    launchOptions: { executablePath: process.env["CHROMIUM"], args: ["--no-sandbox"] },
  },
});
