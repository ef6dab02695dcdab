// What a snapshot, a reset, a fork and a page of the list cost at three sizes of state: inside one group the figures
// should be alike.

import { bench, describe } from "vitest";
import type { LiveSandbox } from "../../src/live-sandbox.ts";
import { createSandbox } from "../../src/vitrine.ts";

const options = { time: 300, warmupTime: 50 };

async function filled(size: number): Promise<LiveSandbox> {
  const sandbox = await createSandbox();
  for (let n = 0; n < size; n += 1) write(sandbox, `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`);
  sandbox.markStart();
  return sandbox;
}

function write({ world }: LiveSandbox, eventId: string): void {
  const event = { eventId, name: "n", location: "l", eventDescription: "d", dates: ["2026-03-01"], price: 1 };
  world.store.collection("museum/specialEvents").set(eventId, event);
}

const sizes = await Promise.all(
  [100, 10_000, 100_000].map(async (size) => ({ name: `${size} entities`, sandbox: await filled(size) })),
);

describe("snapshot after a write", () => {
  for (const { name, sandbox } of sizes) {
    bench(
      name,
      () => {
        write(sandbox, "1");
        sandbox.world.snapshot();
      },
      options,
    );
  }
});

describe("restore after a write", () => {
  for (const { name, sandbox } of sizes) {
    const base = sandbox.world.snapshot();
    bench(
      name,
      () => {
        write(sandbox, "1");
        sandbox.world.restore(base);
      },
      options,
    );
  }
});

describe("reset after a write", () => {
  for (const { name, sandbox } of sizes) {
    bench(
      name,
      () => {
        write(sandbox, "1");
        sandbox.reset();
      },
      options,
    );
  }
});

describe("fork", () => {
  for (const { name, sandbox } of sizes) bench(name, () => void sandbox.world.fork("w"), options);
});

describe("list ten by date range", () => {
  for (const { name, sandbox } of sizes) {
    const request = { query: { startDate: "2026-03-01", endDate: "2026-03-31" } };
    bench(name, async () => void (await sandbox.museum.listSpecialEvents(request)), options);
  }
});
