// What clients are told when a write of the state fails, and what is left of it.

import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSandbox, createSandboxWithState, type SandboxOptions } from "../../src/open/create-sandbox.ts";
import { type Fault, faultyFiles } from "./faulty-files.ts";
import { wholeOf } from "./whole-state.ts";

const EVENT = { name: "Night", location: "Hall 2", eventDescription: "Dark", dates: [], price: 0 };
const CREATE = { operation: "museum.createSpecialEvent" };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vitrine-faults-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** `fail` lets the nth call from now on go wrong. */
async function faultySandbox(options: SandboxOptions = {}, mostLines?: number) {
  const { files, told } = faultyFiles();
  const sandbox = await createSandboxWithState(
    { data: folder, clock: "2026-03-01T09:00:00Z", ...options },
    { files, mostLines },
  );
  const fail = (fault: Fault, nth = 1): void => void Object.assign(told, { at: told.calls + nth, fault });
  const create = (price = 0) => sandbox.museum.createSpecialEvent({ body: { ...EVENT, price } });
  return { sandbox, told, fail, create };
}

test("a reply that is delayed while another write fails is true, and one that waits with its work undone is refused", async () => {
  const { sandbox, fail, create } = await faultySandbox();
  sandbox.use({ when: { ...CREATE, body: { price: 1 } }, at: "response", then: { hold: "gate" } });
  const slow = create(1);
  await sandbox.gates.arrived("gate");
  fail("ENOSPC");
  const [refused, read] = await Promise.all([create(), sandbox.museum.listSpecialEvents()]);
  expect(refused.status).toBe(507);
  expect(refused.body).toMatchObject({
    title: "The state could not be written: the disk is full. Nothing was changed.",
  });
  expect(read.status).toBe(507); // it may have seen what was undone
  expect((await slow).status).toBe(503); // its world is another now; what it did is stored, which a client cannot know
  const stored = wholeOf(sandbox);
  expect((await create()).status).toBe(201);
  const after = wholeOf(sandbox);
  expect(after).not.toEqual(stored);
  await sandbox.close();
  const again = await createSandbox({ data: folder });
  expect(wholeOf(again)).toEqual(after);
  await again.close();
});

test("worlds that were made or ended by a write that failed are as before", async () => {
  const { sandbox, fail, create } = await faultySandbox();
  const kept = sandbox.fork("kept");
  await create();
  const before = wholeOf(sandbox);
  sandbox.fork("new");
  await kept.close();
  sandbox.use({ when: CREATE, then: { pass: true } });
  sandbox.reset();
  fail("half");
  expect((await create()).status).toBe(503);
  expect(wholeOf(sandbox)).toEqual(before);
  await expect(kept.museum.listSpecialEvents()).rejects.toMatchObject({ code: "closed" });
  const reply = await sandbox.worlds.get("kept")?.museum.createSpecialEvent({ body: EVENT });
  expect(reply?.status).toBe(201);
  await sandbox.close();
});

test("after a sync that failed the same file is not tried again", async () => {
  const { sandbox, fail, create } = await faultySandbox({ durability: "power" });
  const names = async () => (await readdir(folder)).filter((name) => name.startsWith("log"));
  await create();
  expect(await names()).toEqual(["log-1.jsonl"]);
  fail("EIO", 2);
  expect((await create()).status).toBe(503);
  expect((await create()).status).toBe(201);
  expect(await names()).toContain("log-2.jsonl");
  const before = wholeOf(sandbox);
  await sandbox.close();
  const again = await createSandbox({ data: folder });
  expect(wholeOf(again)).toEqual(before);
  await again.close();
});

test("a snapshot that fails costs nothing but a notice", async () => {
  const { sandbox, fail, create } = await faultySandbox({}, 2);
  for (const _ of [1, 2]) expect((await create()).status).toBe(201);
  fail("ENOSPC", 4); // the line, the new log and its head go well
  for (let more = 0; more < 8; more += 1) expect((await create()).status).toBe(201);
  expect(sandbox.journal.notices.all).toMatchObject([
    { key: "snapshotFailed", message: expect.stringMatching(/ENOSPC/) },
  ]);
  const before = wholeOf(sandbox);
  await sandbox.close();
  const again = await createSandbox({ data: folder });
  expect(wholeOf(again)).toEqual(before);
  await again.close();
});

test("a rule that acted on an answer is counted before the answer leaves", async () => {
  const { sandbox, told, create } = await faultySandbox();
  sandbox.use({ when: CREATE, at: "response", limit: { times: 1 }, then: { respond: { status: 502 } } });
  expect((await create()).status).toBe(502);
  told.isDead = true; // what is on the disk now is all that is left
  await sandbox.close().catch(() => {});
  const again = await createSandbox({ data: folder });
  expect((await again.museum.createSpecialEvent({ body: EVENT })).status).toBe(201);
  await again.close();
});

test("when what is stored cannot be read again either, every request is told to start again", async () => {
  const { sandbox, fail, create } = await faultySandbox();
  await create();
  fail("kill");
  for (const reply of [await create(), await create(), await sandbox.museum.listSpecialEvents()])
    expect(reply).toMatchObject({ status: 503, body: { title: expect.stringContaining("restart") } });
  await sandbox.close();
  const again = await createSandbox({ data: folder });
  expect((await again.museum.listSpecialEvents()).status).toBe(200);
  await again.close();
});
