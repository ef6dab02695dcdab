// Journals and coverage that are kept on request: there again after a stop, bounded, and never in the way of an answer.

import { cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSandbox, createSandboxWithState, type SandboxOptions } from "../../src/open/create-sandbox.ts";
import { machineFiles, type StateFiles } from "../../src/runtimes/node/state-files.ts";
import { faultyFiles } from "./faulty-files.ts";

const CLOCK = "2026-03-01T09:00:00Z";
const LIST = { operation: "museum.listSpecialEvents" };

type Sandbox = Awaited<ReturnType<typeof createSandbox>>;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vitrine-journals-"));
});
afterEach(() => rm(folder, { recursive: true }));

const open = (options: SandboxOptions = {}, files?: StateFiles): Promise<Sandbox> =>
  createSandboxWithState({ data: folder, keepJournal: true, ...options }, { files });

/** Everything that readers see of the journals of all worlds, and coverage. */
function seen(sandbox: Sandbox) {
  const journals = sandbox.worlds.list().map(({ id, journal }) => {
    const { evicted, weight } = journal;
    return { id, list: journal.list(), evicted, weight };
  });
  return { journals: journals.sort((a, b) => (a.id < b.id ? -1 : 1)), coverage: sandbox.coverage.data() };
}

const kept = (): Promise<string> => readFile(join(folder, "journal.jsonl"), "utf8");

test("the journal of every world and coverage are there again, and go on", async () => {
  const first = await open({ clock: CLOCK, settings: { museum: { strict: true } } });
  const cart = first.fork("cart");
  for (const world of [first, cart, first]) {
    await world.museum.listSpecialEvents();
    await world.account.login({ body: { email: "ada@example.test", password: "Vitrine!2026" } });
    await world.fetch("/museum/v1.1/special-event");
  }
  await first.fetch("/account/qr", { headers: { authorization: `Bearer ${first.auth.token()}` } });
  const before = seen(first);
  const number = first.journal.last?.seq ?? 0;
  await first.close();

  await using again = await open();
  expect(seen(again)).toEqual(before);
  expect(await again.journal.verify({ ...LIST, times: 2 })).toMatchObject({ ok: true });
  expect(JSON.stringify(again.journal.list())).not.toContain("Vitrine!2026");
  expect(await again.journal.verify({ body: { password: "Vitrine!2026" }, times: 2 })).toMatchObject({
    ok: true,
  });
  await again.museum.listSpecialEvents();
  expect(again.journal.last?.seq).toBe(number + 1);
});

test("what was cleared stays cleared, and a world does not get the journal of one that had its name", async () => {
  const first = await open({ clock: CLOCK });
  const record = first.fork("recorded");
  await record.museum.listSpecialEvents();
  first.worlds.put("put", { record: record.record() });
  for (const world of [first, first.fork("cleared"), first.fork("named")])
    await world.museum.listSpecialEvents();
  first.reset();
  first.worlds.get("cleared")?.journal.clear();
  await first.worlds.get("cleared")?.museum.getMuseumHours();
  await first.worlds.get("named")?.close();
  first.fork("named");
  await first.close();

  await using again = await open();
  const operations = again.worlds
    .list()
    .map(({ id, journal }) => [id, ...journal.list().map(({ seq, operation }) => `${seq} ${operation}`)]);
  expect(operations.sort()).toEqual([
    ["cleared", "1 museum.getMuseumHours"],
    ["main"],
    ["named"],
    ["put", "1 museum.listSpecialEvents"],
    ["recorded", "1 museum.listSpecialEvents"],
  ]);
  expect(again.coverage.data().documented).toContainEqual(
    expect.objectContaining({ operation: LIST.operation, status: 200, count: 4 }),
  );
});

test("it is asked for, needs a folder, and a run without it leaves what is kept as it is", async () => {
  await expect(createSandbox({ keepJournal: true })).rejects.toThrow(
    "keepJournal (--keep-journal) is only allowed together with data (--data), where they are kept.",
  );
  const first = await open();
  await first.museum.listSpecialEvents();
  await first.close();
  expect((await stat(join(folder, "journal.jsonl"))).mode & 0o777).toBe(0o600);
  const before = await kept();

  const without = await open({ keepJournal: false });
  expect(without.journal.list()).toEqual([]);
  await without.museum.listSpecialEvents();
  await without.close();
  const unused = await open();
  expect(unused.journal.count()).toBe(1);
  await unused.close();
  expect(await kept()).toBe(before);
  const reset = await open({ stateReset: true });
  expect(reset.journal.list()).toEqual([]);
  await reset.close();
});

test("no answer waits for it, and a kill takes no more than what was not written", async () => {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const files: StateFiles = {
    ...machineFiles,
    async create(path) {
      const file = await machineFiles.create(path);
      if (!path.includes("journal.jsonl")) return file;
      return {
        ...file,
        async append(bytes) {
          await released;
          await file.append(bytes);
        },
      };
    },
  };
  const sandbox = await open({ clock: CLOCK }, files);
  for (let count = 0; count < 20; count += 1)
    expect((await sandbox.museum.listSpecialEvents()).status).toBe(200);
  const copy = `${folder}-killed`;
  await cp(folder, copy, { recursive: true, filter: (name) => !name.includes("lock") });
  const killed = await createSandbox({ data: copy, keepJournal: true });
  expect(killed.journal.list()).toEqual([]);
  await killed.close();
  await rm(copy, { recursive: true });
  release();
  await sandbox.close();
  await using stopped = await open();
  expect(stopped.journal.count()).toBe(20);
});

describe("a file that is not as it was written", () => {
  beforeEach(async () => {
    const sandbox = await open({ clock: CLOCK });
    for (let count = 0; count < 5; count += 1) {
      await sandbox.museum.listSpecialEvents();
      // Each with a line of its own.
      await expect.poll(async () => (await kept()).match(/"x":\[.*\n/g)?.length).toBe(count + 1);
    }
    await sandbox.close();
  });

  test("loses its torn end, with a notice", async () => {
    const { size } = await stat(join(folder, "journal.jsonl"));
    await truncate(join(folder, "journal.jsonl"), size - 3);
    const sandbox = await open();
    expect(sandbox.journal.count()).toBe(4);
    expect(sandbox.journal.notices.all).toEqual([
      {
        key: "state",
        message: expect.stringMatching(/^journal\.jsonl: the last \d+ bytes are no whole line/),
      },
    ]);
    await sandbox.museum.listSpecialEvents();
    await sandbox.close();
    await using again = await open();
    expect(again.journal.notices.all).toEqual([]);
    expect(again.journal.list().map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  });

  test.for([
    [
      "changed in its midst",
      (text: string) => text.replace("listSpecialEvents", "listSpecialEvent5"),
      /checksum/,
    ],
    ["empty", () => "", /it is empty/],
    ["of another state", (text: string) => text.split("\n").slice(1).join("\n"), /another state/],
  ] as const)("is refused when it is %s, with the ways out", async ([_name, change, why]) => {
    await writeFile(join(folder, "journal.jsonl"), change(await kept()));
    const before = await kept();
    await expect(open()).rejects.toMatchObject({
      code: "stateUnreadable",
      message: expect.stringMatching(why),
    });
    await expect(open()).rejects.toThrow("start without --keep-journal");
    expect(await kept()).toBe(before);
    await (await open({ keepJournal: false })).close();
  });
});

test.for(["EIO", "ENOSPC", "half"] as const)(
  "a write that fails (%s) is told, and the next one makes up for it",
  async (fault) => {
    const { files, told } = faultyFiles();
    const sandbox = await open({ clock: CLOCK }, files);
    await sandbox.museum.listSpecialEvents();
    await expect.poll(kept).toContain("listSpecialEvents");
    Object.assign(told, { at: told.calls + 1, fault });
    for (let count = 0; count < 60; count += 1)
      expect((await sandbox.museum.listSpecialEvents()).status).toBe(200);
    await expect.poll(() => sandbox.journal.notices.all).toMatchObject([{ key: "journalNotKept" }]);
    const before = seen(sandbox);
    await sandbox.close();
    expect((await readdir(folder)).filter((name) => name.startsWith(".journal"))).toEqual([]);
    await using again = await open();
    expect(seen(again)).toEqual(before);
  },
);
