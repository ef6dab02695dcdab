// A component's test in vitest's browser mode: the sandbox is in the same page, and its journal tells what was called.

import { setupWorker } from "msw/browser";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSandbox } from "vitrine/browser";
import { handlers } from "vitrine/msw";

const MUSEUM = "https://api.museum.example/v1.1";
const sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
const worker = setupWorker(...handlers(sandbox, { museum: MUSEUM }));
beforeAll(() => worker.start({ quiet: true }));
afterAll(() => worker.stop());

test("the list is asked for again after the service was away", async () => {
  const list = async (): Promise<Response> =>
    fetch(`${MUSEUM}/special-events`, { headers: sandbox.auth.basic() });
  sandbox.use({
    when: { operation: "museum.listSpecialEvents" },
    limit: { times: 1 },
    then: { respond: { status: 503 } },
  });
  const first = await list();
  const second = first.ok ? first : await list();
  expect(await second.json()).toHaveLength(10);
  expect(sandbox.journal.list().map(({ status }) => status)).toEqual([503, 200]);
  expect(globalThis).toHaveProperty("document");
});
