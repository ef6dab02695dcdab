// A test in vitest's browser mode: client and sandbox are in one page. The imported files are blocks of recipes/msw.md.

import { expect, test } from "vitest";
import { countEvents } from "./museum";
import { sandbox } from "./sandbox";

test("the client tries again after a 503", async () => {
  const when = { operation: "museum.listSpecialEvents" } as const;
  sandbox.use({ when, limit: { times: 1 }, then: { respond: { status: 503 } } });
  expect(await countEvents()).toBe("10 events");
  expect(sandbox.journal.list().map(({ status }) => status)).toEqual([503, 200]);
  expect(globalThis).toHaveProperty("document");
});
