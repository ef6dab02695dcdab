// Playwright's test with a sandbox, and the page under test at `/`.

import { createServer } from "vite";
import { test as base } from "vitrine/playwright";

export const test = base.extend<object, { app: string }>({
  app: [
    // biome-ignore lint/correctness/noEmptyPattern: as Playwright asks for it
    async ({}, use) => {
      const server = await createServer({ server: { port: 0 } });
      await server.listen();
      await use(server.resolvedUrls?.local[0] ?? "");
      await server.close();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ app }, use) => use(app),
});
