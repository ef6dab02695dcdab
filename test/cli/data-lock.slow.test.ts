// Data folders of real processes: two that want one folder never both acknowledge a write; a disk that is full.

import { spawn, spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { BIN, type Ready, runBin, startBin } from "./bin.ts";

const EVENT = { name: "n", location: "l", eventDescription: "d", dates: ["2026-03-31"], price: 1 };

let folder: string;
let data: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vitrine-lock-"));
  data = join(folder, "data");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const create = async ({ urls }: Ready): Promise<[status: number, id: string | undefined]> => {
  const headers = { authorization: "Basic dTpw", "content-type": "application/json" };
  const reply = await fetch(`${urls["museum"]}/special-events`, {
    method: "POST",
    headers,
    body: JSON.stringify(EVENT),
  });
  return [reply.status, ((await reply.json()) as { eventId?: string }).eventId];
};
const list = async ({ url }: Ready): Promise<readonly string[]> => {
  const reply = await fetch(`${url}/_vitrine/data/museum/specialEvents`);
  return ((await reply.json()) as readonly { eventId: string }[]).map(({ eventId }) => eventId);
};
const timed = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
  const started = performance.now();
  return [await work(), performance.now() - started];
};

test("a second server with the same folder exits with 4, and the first continues", async () => {
  const first = await startBin("--data", data);
  const second = runBin(["--port", "0", "--data", data]);
  expect(await second.ended).toBe(4);
  expect(second.output.err).toContain(`process ${first.ready.pid}`);
  expect((await create(first.ready))[0]).toBe(201);
  expect(await first.stop()).toBe(0);
});

const FUSE = spawnSync("bindfs", ["--version"]).status === 0;
const canMount = spawnSync("unshare", ["--mount", "true"]).status === 0;
if (!canMount) console.warn("skipped: this machine does not let us mount");
const MOUNT = FUSE ? "bindfs (FUSE)" : "a bind mount";

test.skipIf(!canMount)(`a second server with the folder mounted by ${MOUNT} exits with 4`, async () => {
  const first = await startBin("--data", data);
  const view = join(folder, "view");
  await mkdir(view);
  const mount = FUSE ? `bindfs ${data} ${view}` : `mount --bind ${data} ${view}`;
  const command = `${mount} && exec ${process.execPath} ${BIN} --port 0 --data ${view}`;
  const second = spawn("unshare", ["--mount", "sh", "-c", command], { stdio: "ignore" });
  expect(await new Promise((resolve) => second.once("close", resolve))).toBe(4);
  expect((await create(first.ready))[0]).toBe(201);
  expect(await first.stop()).toBe(0);
});

test("a copy of a folder in use can be served separately after at most 4 s", async () => {
  const first = await startBin("--data", data);
  const [, id] = await create(first.ready);
  const copy = join(folder, "copy");
  await cp(data, copy, { recursive: true });
  const [second, ms] = await timed(() => startBin("--data", copy));
  expect(ms).toBeLessThan(4_000);
  expect(await list(second.ready)).toContain(id);
  expect([(await create(first.ready))[0], (await create(second.ready))[0]]).toEqual([201, 201]);
  expect([await first.stop(), await second.stop()]).toEqual([0, 0]);
});

test("a restart after SIGKILL takes at most 1.5 s, and loses no data", async () => {
  const first = await startBin("--data", data);
  const [, id] = await create(first.ready);
  first.run.child.kill("SIGKILL");
  await first.run.ended;
  const [second, ms] = await timed(() => startBin("--data", data));
  expect(ms).toBeLessThan(1_500);
  expect(await list(second.ready)).toContain(id);
  expect(await second.stop()).toBe(0);
});

test("a second server takes the folder if the lock was deleted, and the first returns 503", async () => {
  const first = await startBin("--data", data);
  await rm(join(data, "lock"), { recursive: true });
  const second = await startBin("--data", data);
  const ids = [];
  for (let round = 0; round < 5; round += 1) {
    expect((await create(first.ready))[0]).toBe(503);
    ids.push((await create(second.ready))[1]);
  }
  expect((await list(second.ready)).slice(-5)).toEqual(ids);
  expect([await first.stop(), await second.stop()]).toEqual([0, 0]);
});

test("a deleted lock is created again if no other server took the folder", async () => {
  const first = await startBin("--data", data);
  await rm(join(data, "lock"), { recursive: true });
  expect((await create(first.ready))[0]).toBe(201);
  expect(await runBin(["--port", "0", "--data", data]).ended).toBe(4);
  expect(await first.stop()).toBe(0);
});

test("a server that was suspended for 5 s has lost the folder", async () => {
  const first = await startBin("--data", data);
  onTestFinished(() => void first.run.child.kill("SIGKILL"));
  first.run.child.kill("SIGSTOP");
  const [second] = await Promise.all([startBin("--data", data), setTimeout(5_000)]);
  const before = await create(second.ready);
  first.run.child.kill("SIGCONT");
  const late = [await create(first.ready), await create(first.ready)];
  const after = await create(second.ready);
  expect([before, ...late, after].map(([status]) => status)).toEqual([201, 503, 503, 201]);
  expect((await list(second.ready)).slice(-2)).toEqual([before[1], after[1]]);
  expect([await first.stop(), await second.stop()]).toEqual([0, 0]);
});

test("exactly one of eight servers that start at once after a crash gets the folder", async () => {
  const first = await startBin("--data", data);
  first.run.child.kill("SIGKILL");
  await first.run.ended;
  const runs = Array.from({ length: 8 }, () => runBin(["--port", "0", "--json", "--data", data]));
  const ready = await Promise.allSettled(runs.map((run) => run.until(/^.*\n/)));
  expect(ready.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const { child } of runs) child.kill("SIGTERM");
  expect((await Promise.all(runs.map(({ ended }) => ended))).toSorted()).toEqual([0, 4, 4, 4, 4, 4, 4, 4]);
});

test.skipIf(!canMount)(
  "a full disk returns 507 and stores no partial world, and a crash and a restart lose nothing",
  async () => {
    await mkdir(data);
    const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=600k", "tmpfs", data]).status === 0;
    if (!isMounted) return console.warn("skipped: this machine does not let us mount");
    try {
      await fillDisk();
    } finally {
      spawnSync("umount", ["--lazy", data]);
    }
  },
);

async function fillDisk(): Promise<void> {
  const first = await startBin("--data", data);
  const ids = [];
  let status = 201;
  const fork = async (name: string): Promise<number> => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ name });
    return (await fetch(`${first.ready.url}/_vitrine/worlds`, { method: "POST", headers, body })).status;
  };
  for (let world = 0; world < 20 && status === 201; world += 1) status = await fork(`copy-${world}`);
  expect(status).toBe(507);
  const worlds = await (await fetch(`${first.ready.url}/_vitrine/worlds`)).json();
  for (let round = 0; round < 1_000; round += 1) {
    const [code, id] = await create(first.ready);
    if (code === 507) break;
    expect(code).toBe(201);
    ids.push(id);
  }
  expect((await create(first.ready))[0]).toBe(507);
  first.run.child.kill("SIGKILL");
  await first.run.ended;
  const second = await startBin("--data", data);
  expect((await list(second.ready)).slice(30)).toEqual(ids);
  const names = (all: unknown) => (all as readonly { id: string }[]).map(({ id }) => id).sort();
  expect(names(await (await fetch(`${second.ready.url}/_vitrine/worlds`)).json())).toEqual(names(worlds));
  expect(await second.stop()).toBe(0);
}
