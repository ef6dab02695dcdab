import { describe, expect, inject } from "vitest";
import { test } from "vitrine/vitest";
import { createClient } from "./client";
import { stories } from "./stories";

describe.for(Object.entries(stories))(`[${inject("place" as never)}] %s`, ([, story]) => {
  test("in process", async ({ sandbox }) => {
    await story(createClient(sandbox.urls, sandbox.fetch), sandbox);
  });

  test("over a port", async ({ sandbox }) => {
    const { urls } = await sandbox.listen({ port: 0 });
    await story(createClient(urls), sandbox);
  });

  test("in a world of the server of the run", async ({ world }) => {
    await story(createClient(world.urls), world);
    await expect(world).toHaveReceived({});
  });
});
