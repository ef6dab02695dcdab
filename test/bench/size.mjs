// One process, one figure of a large world, or of many. usage: node size.mjs WHAT ROOT SIZE

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { cpuSeconds, quantile } from "./measure.mjs";

const [what = "", root = "", size = "0"] = process.argv.slice(2);
const { createSandbox } = await import(pathToFileURL(`${root}/dist/index.js`).href);
const EVENTS = "/museum/v1.1/special-events";
const CLOCK = "2026-03-01T09:00:00Z";
const EVENT = {
  name: "Night of the lamps",
  location: "Hall 2",
  eventDescription: "After dark",
  dates: ["2026-03-31"],
  price: 12.5,
};

/** So many events, on the days of some years. */
const events = (/** @type {number} */ count) =>
  Array.from({ length: count }, (_, index) => ({
    ...EVENT,
    eventId: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    dates: [new Date(Date.UTC(2026, 0, 1 + (index % 2_000))).toISOString().slice(0, 10)],
  }));

/** Microseconds of CPU of a list right after a create, with so many events. */
async function listAfterCreate() {
  const sandbox = await createSandbox({ clock: CLOCK });
  const headers = sandbox.auth.basic();
  sandbox.data.museum.specialEvents.replace(events(Number(size)));
  const rounds = [];
  for (let round = 0; round < 20; round += 1) {
    let used = 0;
    for (let count = 0; count < 100; count += 1) {
      await sandbox.museum.createSpecialEvent({ body: EVENT });
      const before = cpuSeconds(process.pid);
      await (await sandbox.fetch(`${EVENTS}?limit=10`, { headers })).text();
      used += cpuSeconds(process.pid) - before;
    }
    rounds.push(used);
  }
  return quantile(rounds.slice(5), 0.25) * 1e4; // a hundred in each
}

/** The most milliseconds of CPU that one turn of the event loop takes while a state of so many events is written beside requests. */
async function snapshot() {
  const data = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
  const sandbox = await createSandbox({ clock: CLOCK, data });
  sandbox.data.museum.specialEvents.replace(events(Number(size)));
  const headers = { ...sandbox.auth.basic(), "content-type": "application/json" };
  const call = { method: "POST", headers, body: JSON.stringify(EVENT) };
  await sandbox.fetch(EVENTS, call); // what was replaced is in the log, and the next write finds that too long
  let [isOver, longest] = [false, 0];
  const watch = async () => {
    for (let before = cpuSeconds(process.pid); !isOver; ) {
      await new Promise(setImmediate);
      const now = cpuSeconds(process.pid);
      longest = Math.max(longest, now - before);
      before = now;
    }
  };
  const watching = watch();
  for (let count = 0; count < 25_000; count += 1) await sandbox.fetch(EVENTS, call); // two snapshots more
  isOver = true;
  await watching;
  await sandbox.close();
  rmSync(data, { recursive: true });
  return longest * 1e3;
}

/** Megabytes of heap, collected: before, with so many worlds of a thousand exchanges each, and after they ended. */
async function journals() {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const heap = async () => {
    for (let round = 0; round < 3; round += 1) {
      await new Promise(setImmediate);
      collect();
    }
    return process.memoryUsage().heapUsed / 1_048_576;
  };
  const sandbox = await createSandbox({ clock: CLOCK });
  const headers = sandbox.auth.basic();
  /** @type {any[]} */
  const worlds = [];
  const use = async (/** @type {number} */ count) => {
    for (let made = 0; made < count; made += 1) worlds.push(sandbox.fork());
    for (let sent = 0; sent < 1_000; sent += 1)
      for (const world of worlds) await world.fetch("/museum/v1.1/museum-hours", { headers });
  };
  const end = () => Promise.all(worlds.splice(0).map((world) => world.close()));
  await use(2);
  await end();
  const before = await heap();
  await use(Number(size));
  const full = await heap();
  const fewest = Math.min(...worlds.map(({ journal }) => journal.weight.entries));
  await end();
  return { before, full, after: await heap(), fewest };
}

/** @type {Readonly<Record<string, () => Promise<unknown>>>} */
const figures = { listAfterCreate, snapshot, journals };
console.log(JSON.stringify(await figures[what]?.()));
process.exit(0);
