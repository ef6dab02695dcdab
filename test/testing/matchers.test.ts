// `toHaveReceived` as a suite uses it, for a sandbox in this process and for a world of another.

import { describe, expect } from "vitest";
import { connect } from "../../src/index.ts";
import { test } from "../../src/testing/vitest.ts";

const LIST = { operation: "museum.listSpecialEvents" } as const;

describe("toHaveReceived", () => {
  test("passes if the requests match as often as expected", async ({ sandbox }) => {
    await sandbox.museum.listSpecialEvents();
    await sandbox.museum.listSpecialEvents({ query: { limit: 3 } });
    await expect(sandbox).toHaveReceived(LIST);
    await expect(sandbox).toHaveReceived(LIST, { times: 2 });
    await expect(sandbox).toHaveReceived({ ...LIST, query: { limit: 3 } }, { times: { max: 1 } });
    await expect(sandbox).not.toHaveReceived("museum.getMuseumHours");
    await expect(sandbox).not.toHaveReceived(LIST, { times: 1 });
  });

  test("fails with the nearest exchange", async ({ sandbox }) => {
    await sandbox.museum.listSpecialEvents({ query: { limit: 3 } });
    await expect(expect(sandbox).toHaveReceived({ ...LIST, query: { limit: 4 } })).rejects.toThrow(
      /expected at least 1, found 0\. Nearest: #1 museum\.listSpecialEvents: .*limit/,
    );
    await expect(expect(sandbox).toHaveReceived(LIST, { times: 2 })).rejects.toThrow("exactly 2, found 1");
    await expect(expect(sandbox).not.toHaveReceived(LIST)).rejects.toThrow("expected exactly 0, found 1");
  });

  test("waits, and works for a world in another process", async ({ sandbox }) => {
    const { url } = await sandbox.listen();
    const world = await connect(url).fork();
    const asked = expect(world).toHaveReceived(LIST, { within: "5s" });
    await world.museum.listSpecialEvents();
    await asked;
    await expect(sandbox).not.toHaveReceived(LIST);
  });

  test("rejects a value that is not a sandbox, and an unknown name", async ({ sandbox }) => {
    await expect(expect({}).toHaveReceived(LIST)).rejects.toThrow("needs a sandbox or a world");
    await expect(
      expect(sandbox).toHaveReceived({
        operation: "museum.listSpecialEvnts" as string as typeof LIST.operation,
      }),
    ).rejects.toThrow('Did you mean "museum.listSpecialEvents"?');
  });
});
