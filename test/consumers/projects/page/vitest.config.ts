import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";

const launchOptions = { executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] };

export default defineConfig({
  optimizeDeps: { include: ["vitrine/browser", "vitrine/msw", "msw/browser"] },
  test: {
    include: ["events.story.ts"],
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions }),
      instances: [{ browser: "chromium" }],
    },
  },
});
