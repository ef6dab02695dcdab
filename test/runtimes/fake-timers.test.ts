// A test runner's fake timers are the client's: whatever the sandbox itself waits for goes on.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createSandbox } from "../../src/open/create-sandbox.ts";

const HOURS = { operation: "museum.getMuseumHours" } as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("while timers are faked", () => {
  test("a delay ends, in process and over a port", async () => {
    await using sandbox = await createSandbox();
    const { urls } = await sandbox.listen();
    sandbox.use({ when: HOURS, then: { delay: "5ms" } });
    const headers = sandbox.auth.basic();
    for (const ask of [sandbox.fetch, fetch])
      expect((await ask(`${urls.museum}/museum-hours`, { headers })).status).toBe(200);
  });

  test("a dribbled response arrives, in process and over a port", async () => {
    await using sandbox = await createSandbox();
    const { urls } = await sandbox.listen();
    sandbox.use({ when: HOURS, then: { delay: { dribble: { chunks: 2, over: "4ms" } } } });
    const headers = sandbox.auth.basic();
    for (const ask of [sandbox.fetch, fetch]) {
      const reply = await ask(`${urls.museum}/museum-hours`, { headers });
      expect(await reply.json()).toBeInstanceOf(Array);
    }
  });

  test("a wait without a match ends in time", async () => {
    await using sandbox = await createSandbox();
    await expect(sandbox.journal.waitFor(HOURS, { within: "5ms" })).rejects.toMatchObject({
      code: "timedOut",
    });
    expect((await sandbox.journal.verify({ ...HOURS, times: 0, within: "5ms" })).ok).toBe(true);
    await expect(sandbox.mailbox.waitFor({ to: "nobody" }, { within: "5ms" })).rejects.toMatchObject({
      code: "timedOut",
    });
  });

  test("state is stored, and a server closes", async () => {
    const data = await mkdtemp(join(tmpdir(), "vitrine-"));
    const sandbox = await createSandbox({ data });
    const { urls } = await sandbox.listen();
    const body = { name: "A", location: "B", eventDescription: "C", dates: ["2099-03-31"], price: 1 };
    const headers = { ...sandbox.auth.basic(), "content-type": "application/json" };
    const sent = { method: "POST", headers, body: JSON.stringify(body) };
    expect((await fetch(`${urls.museum}/special-events`, sent)).status).toBe(201);
    await sandbox.close();
    await rm(data, { recursive: true });
  });

  test("a sandbox without a clock option uses the test's clock", async () => {
    vi.setSystemTime("2020-02-03T09:00:00Z");
    await using sandbox = await createSandbox();
    await sandbox.museum.getMuseumHours();
    expect(sandbox.journal.last?.at).toMatch(/^2020-02-03/);
  });
});
