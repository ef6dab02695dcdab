// What keeping the state in a folder costs: thirty-two creates at once, each answered when it is on the disk.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, bench, describe } from "vitest";
import type { LiveSandbox } from "../../src/live-sandbox.ts";
import { createSandbox } from "../../src/vitrine.ts";

const options = { time: 1_000, warmupTime: 200 };
const event = { name: "n", location: "l", eventDescription: "d", dates: ["2026-03-31"], price: 1 };

const folder = await mkdtemp(join(tmpdir(), "vitrine-bench-"));
const inMemory = await createSandbox();
const inFolder = await createSandbox({ data: folder });
afterAll(async () => {
  await inFolder.close();
  await rm(folder, { recursive: true });
});

async function createMany({ museum }: LiveSandbox): Promise<void> {
  await Promise.all(Array.from({ length: 32 }, () => museum.createSpecialEvent({ body: event })));
}

describe("32 creates at once", () => {
  bench("in memory", () => createMany(inMemory), options);
  bench("kept in a folder", () => createMany(inFolder), options);
});
