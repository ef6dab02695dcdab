import type { Page } from "@playwright/test";
import { test } from "./app";
import type { Client } from "./client";
import { stories } from "./stories";

for (const [name, story] of Object.entries(stories)) {
  test(name, async ({ page, sandbox }) => {
    await page.goto("/");
    await story(clientOf(page), sandbox);
  });
}

/** The client that the page has. */
function clientOf(page: Page): Client {
  const method =
    (name: string | symbol) =>
    (...given: unknown[]) =>
      page.evaluate(
        // biome-ignore lint/suspicious/noExplicitAny: the page's own
        ([name, given]) => (globalThis as any).client[name](...given),
        [String(name), given] as const,
      );
  return new Proxy({} as Client, { get: (_client, name) => method(name) });
}
