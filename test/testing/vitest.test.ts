// The `test` of vitrine/vitest, used as a suite uses it. What a failed test leaves: consumers/failing.slow.test.ts.

import { describe, expect, test as plain } from "vitest";
import { type SandboxFixtures, test } from "../../src/testing/vitest.ts";

const UNKNOWN = "/museum/v1.1/nothing-here";

describe("each test", () => {
  const seen: SandboxFixtures["sandbox"][] = [];

  test("has a sandbox with both services", async ({ sandbox }) => {
    seen.push(sandbox);
    sandbox.data.museum.specialEvents.replace([]);
    expect((await sandbox.museum.listSpecialEvents()).body).toEqual([]);
    expect((await sandbox.account.listPreSales()).status).toBe(200);
  });

  test("has a sandbox of its own", async ({ sandbox }) => {
    expect(seen).not.toContain(sandbox);
    expect((await sandbox.museum.listSpecialEvents()).body).not.toEqual([]);
    expect(sandbox.journal.count()).toBe(1);
  });

  plain("has a sandbox that is closed at the end", async () => {
    await expect(seen[0]?.fetch(UNKNOWN)).rejects.toThrow("This sandbox is closed.");
  });
});

describe("options for a describe", () => {
  test.override({ sandboxOptions: { scenario: "museum-empty", clock: "2026-03-01T09:00:00Z", seed: 7 } });

  test("apply to its sandboxes", async ({ sandbox }) => {
    expect(sandbox.clock.now()).toBe(Date.parse("2026-03-01T09:00:00Z"));
    expect((await sandbox.museum.listSpecialEvents()).body).toEqual([]);
  });
});

test("options outside of the describe are unchanged", ({ sandbox }) => {
  expect(sandbox.data.museum.specialEvents.all()).not.toEqual([]);
});

describe("a test function that extends the one of vitrine", () => {
  const mine = test.extend<{ title: string }>({
    title: async ({ sandbox }, use) => use(String(sandbox.data.museum.specialEvents.all()[0]?.["name"])),
  });

  mine("has fixtures that build on the sandbox", async ({ sandbox, title }) => {
    const { body } = await sandbox.museum.listSpecialEvents({ query: { limit: 30 } });
    expect(body).toContainEqual(expect.objectContaining({ name: title }));
  });
});

describe("a test that passed", () => {
  test.fails("fails if its client called an unknown path", async ({ sandbox }) => {
    await sandbox.fetch(UNKNOWN);
  });

  describe("with sandboxVerify off", () => {
    test.override({ sandboxVerify: false });

    test("still passes", async ({ sandbox }) => {
      await sandbox.fetch(UNKNOWN);
      expect(sandbox.report().ok).toBe(false);
    });
  });
});
