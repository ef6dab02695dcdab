// What a kill at any moment cannot undo. Slow, for it starts the command again and again: `npm run test:slow`.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBin } from "./bin.ts";

const AUTH = { authorization: "Basic dTpw" };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vitrine-kill-"));
});
afterAll(() => rm(folder, { recursive: true }));

test("what was acknowledged survives ten kills at any moment", { timeout: 60_000 }, async () => {
  const data = join(folder, "killed");
  const acknowledged: string[] = [];
  for (let round = 0; round < 10; round += 1) {
    const { ready, run } = await startBin("--data", data);
    const known = acknowledged.length;
    const enough = new Promise<void>((resolve) => {
      const create = async (): Promise<void> => {
        for (;;) {
          const reply = await fetch(`${ready.urls["museum"]}/special-events`, {
            method: "POST",
            headers: { ...AUTH, "content-type": "application/json" },
            body: JSON.stringify({ name: "n", location: "l", eventDescription: "d", dates: [], price: 1 }),
          });
          acknowledged.push(((await reply.json()) as { eventId: string }).eventId);
          if (acknowledged.length - known >= 5 + 7 * round) resolve();
        }
      };
      for (let client = 0; client < 8; client += 1) create().catch(() => {}); // cut off by the kill
    });
    await enough;
    run.child.kill("SIGKILL");
    await run.ended;
  }
  const { ready, stop } = await startBin("--data", data);
  for (const id of acknowledged) {
    const found = await fetch(`${ready.urls["museum"]}/special-events/${id}`, { headers: AUTH });
    expect(found.status).toBe(200);
  }
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  expect(acknowledged.length).toBeGreaterThan(10 * 5);
  await stop();
});
