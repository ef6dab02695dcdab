// What is kept in a folder from one sandbox to the next, and what happens when the folder is not as it should be.

import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { reasonOf } from "../../src/places/node/state-lock.ts";
import { createSandbox, type SandboxOptions } from "../../src/vitrine.ts";

const EVENT = {
  name: "Night of the lamps \ud800",
  location: "Hall 2",
  eventDescription: "After dark",
  dates: ["2026-03-31"],
  price: 0,
};
const CLOCK = "2026-03-01T09:00:00Z";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vitrine-state-"));
});
afterEach(() => rm(folder, { recursive: true }));

const stateFile = (): string => join(folder, "state.json");
const readState = (): Promise<string> => readFile(stateFile(), "utf8");

async function withSandbox<T>(
  work: (sandbox: Awaited<ReturnType<typeof createSandbox>>) => Promise<T>,
  options: SandboxOptions = {},
): Promise<T> {
  const sandbox = await createSandbox({ data: folder, ...options });
  try {
    return await work(sandbox);
  } finally {
    await sandbox.close();
  }
}

async function createEvent(sandbox: Awaited<ReturnType<typeof createSandbox>>): Promise<string> {
  const reply = await sandbox.museum.createSpecialEvent({ body: EVENT });
  if (reply.status !== 201) throw new Error(`created with ${reply.status}`);
  return reply.body.eventId;
}

describe("a sandbox with a folder", () => {
  test("what was created is there again, in its place, byte for byte", async () => {
    const list = `/museum/v1.1/special-events?startDate=2026-03-01&endDate=2026-04-30&limit=30`;
    const before = await withSandbox(
      async (sandbox) => {
        await createEvent(sandbox);
        return (await sandbox.fetch(list, { headers: sandbox.auth.basic() })).text();
      },
      { clock: CLOCK },
    );
    const after = await withSandbox(async (sandbox) =>
      (await sandbox.fetch(list, { headers: sandbox.auth.basic() })).text(),
    );
    expect(after).toBe(before);
    expect(after).toContain("Night of the lamps");
  });

  test("ids, seed and clock go on where they stood", async () => {
    const [first] = await withSandbox(async (sandbox) => [await createEvent(sandbox)], {
      clock: CLOCK,
      seed: 7,
    });
    await withSandbox(async (sandbox) => {
      expect(sandbox.world.random.seed).toBe(7);
      expect(sandbox.world.clock.now()).toBe(Date.parse(CLOCK));
      await sandbox.clock.advance("3d");
      expect(await createEvent(sandbox)).not.toBe(first);
    });
    await withSandbox(async (sandbox) =>
      expect(sandbox.world.clock.now()).toBe(Date.parse("2026-03-04T09:00:00Z")),
    );
    await withSandbox(async (sandbox) => expect(sandbox.world.clock.now()).toBe(Date.parse("2027-01-01")), {
      clock: "2027-01-01",
    });
    await expect(createSandbox({ data: folder, seed: 8 })).rejects.toThrow(/made with seed 7, not 8/);
  });

  test("passwords, tokens and the wait for the next one outlive a restart", async () => {
    const credentials = { email: "ada@example.test", password: "Vitrine!2026" };
    const changed = { ...credentials, password: "Lanterns#2026" };
    const authorization = await withSandbox(
      async (sandbox) => {
        const headers = await sandbox.auth.login(credentials);
        const { password } = changed;
        const reply = await sandbox.account.changePassword({
          params: { id: "me" },
          body: { password },
          headers,
        });
        expect(reply.status).toBe(200);
        return headers;
      },
      { clock: CLOCK },
    );
    await withSandbox(async (sandbox) => {
      const me = await sandbox.account.getUser({ params: { id: "me" }, headers: authorization });
      expect(me.status).toBe(200);
      expect((await sandbox.account.login({ body: credentials })).status).toBe(401);
      expect((await sandbox.account.login({ body: changed })).status).toBe(429);
      await sandbox.clock.advance("24h");
      expect((await sandbox.account.login({ body: changed })).status).toBe(200);
    });
  });

  test("a reset goes back to the base data and stays so", async () => {
    const id = await withSandbox(createEvent, { clock: CLOCK });
    await withSandbox(async (sandbox) => {
      sandbox.reset();
      expect((await sandbox.museum.getSpecialEvent({ params: { eventId: id } })).status).toBe(404);
    });
    await withSandbox(async (sandbox) =>
      expect((await sandbox.museum.getSpecialEvent({ params: { eventId: id } })).status).toBe(404),
    );
  });

  test("a reset loses neither the seed nor the clock for the next start", async () => {
    await withSandbox(
      async (sandbox) => {
        sandbox.reset();
        await sandbox.museum.getMuseumHours();
      },
      { clock: CLOCK, seed: 7 },
    );
    await withSandbox(async (sandbox) => {
      expect(sandbox.world.random.seed).toBe(7);
      expect(sandbox.world.clock.now()).toBe(Date.parse(CLOCK));
    });
  });

  test("a restore keeps the clock that it goes back to for the next start", async () => {
    await withSandbox(
      async (sandbox) => {
        await sandbox.clock.advance("3d");
        const later = sandbox.snapshot();
        await sandbox.museum.getMuseumHours();
        sandbox.restore(later);
        await sandbox.museum.getMuseumHours();
      },
      { clock: CLOCK },
    );
    await withSandbox(async (sandbox) =>
      expect(sandbox.world.clock.now()).toBe(Date.parse("2026-03-04T09:00:00Z")),
    );
  });

  test("a run that changes nothing leaves the file as it was", async () => {
    await withSandbox(createEvent);
    const [before, { mtimeMs }] = [await readState(), await stat(stateFile())];
    await withSandbox((sandbox) =>
      sandbox.fetch("/museum/v1.1/special-events", { headers: sandbox.auth.basic() }),
    );
    expect(await readState()).toBe(before);
    expect((await stat(stateFile())).mtimeMs).toBe(mtimeMs);
  });

  test("only its owner may read it, and nothing but the state is left in it", async () => {
    const inner = join(folder, "state", "of", "mine");
    await withSandbox(createEvent, { data: inner });
    expect((await stat(inner)).mode & 0o777).toBe(0o700);
    expect((await stat(join(inner, "state.json"))).mode & 0o777).toBe(0o600);
    expect(await readdir(inner)).toEqual(["state.json"]);
  });

  test("a reply to a write leaves when it is on the disk, one write for many at once", async () => {
    await withSandbox(async (sandbox) => {
      const ids = await Promise.all(
        Array.from({ length: 100 }, async () => {
          const id = await createEvent(sandbox);
          expect(await readState()).toContain(id);
          return id;
        }),
      );
      expect(new Set(ids).size).toBe(100);
    });
  });

  test("a write that fails is told, undone, and does not stop reads or the next write", async () => {
    await withSandbox(async (sandbox) => {
      const present = sandbox.world.store.collection("museum/specialEvents");
      const { size } = present;
      await rm(folder, { recursive: true });
      const refused = await sandbox.fetch("/museum/v1.1/special-events", {
        method: "POST",
        headers: { ...sandbox.auth.basic(), "content-type": "application/json" },
        body: JSON.stringify(EVENT),
      });
      expect(refused.status).toBe(503);
      expect(await refused.json()).toEqual({
        type: "urn:museum:problem:notStored",
        title: "The state could not be written: the file system refused. Nothing was changed.",
      });
      expect(present.size).toBe(size);
      expect(sandbox.journal.last).toMatchObject({ status: 503, problem: "notStored", changes: [] });
      const { undocumented } = sandbox.coverage.data();
      expect(undocumented).toMatchObject([{ operation: "museum.createSpecialEvent", status: 503 }]);
      const headers = { authorization: `Bearer ${sandbox.auth.token()}`, accept: "application/ld+json" };
      sandbox.usage.record({ sent: 1 });
      const account = await sandbox.fetch("/account/consumptions", { headers });
      expect(account.status).toBe(503);
      expect(await account.json()).toMatchObject({
        "@context": "/account/contexts/Error",
        "hydra:description": expect.stringContaining("could not be written"),
      });
      const read = await sandbox.fetch("/museum/v1.1/special-events", { headers: sandbox.auth.basic() });
      expect(read.status).toBe(200);
      await mkdir(folder);
      await createEvent(sandbox);
      expect(present.size).toBe(size + 1);
    });
  });
});

describe("a folder that another has", () => {
  test("is refused while its holder lives, and free after", async () => {
    await withSandbox(async () => {
      await expect(createSandbox({ data: folder })).rejects.toMatchObject({
        code: "stateLocked",
        message: expect.stringContaining(`process ${process.pid}`),
      });
    });
    await withSandbox(createEvent);
  });

  test("is taken over when its holder is dead, by exactly one", async () => {
    await writeFile(join(folder, "state.lock"), JSON.stringify({ pid: process.pid, startedAt: "1" }));
    const opened = await Promise.allSettled(Array.from({ length: 8 }, () => createSandbox({ data: folder })));
    const won = opened.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    expect(won).toHaveLength(1);
    for (const result of opened)
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "stateLocked" });
    await won[0]?.close();
    expect(await readdir(folder)).toEqual(["state.json"]);
  });
});

describe("a state that cannot be read", () => {
  const good = async (): Promise<string> => {
    await withSandbox(createEvent, { clock: CLOCK });
    return readState();
  };
  const broken: readonly (readonly [string, (text: string) => string | Buffer])[] = [
    ["nothing", () => ""],
    ["blanks", () => " \n\t\n"],
    ["null", () => "null"],
    ["a number", () => "42"],
    ["an array", () => "[]"],
    ["an empty object", () => "{}"],
    ["NULs", () => "\0".repeat(64)],
    ["a state behind a byte order mark", (text) => `\ufeff${text}`],
    ["a state in UTF-16", (text) => Buffer.from(text, "utf16le")],
    ["a state with one letter changed", (text) => text.replace("Night", "Light")],
    [
      "a state with a byte that is not UTF-8",
      (text) => Buffer.from(text.replace("Night", "N\u00ffght"), "latin1"),
    ],
    [
      "a state with a key twice",
      (text) => text.replace('"formatVersion":1,', '"formatVersion":1,"formatVersion":1,'),
    ],
    ["a state with __proto__", (text) => text.replace('"state":{', '"state":{"__proto__":{},')],
    ["a state with more behind it", (text) => `${text}{}`],
    ["10,000 levels", () => "[".repeat(10_000) + "]".repeat(10_000)],
    ["a state of a later version", (text) => text.replace('"formatVersion":1', '"formatVersion":2')],
    ...[1, 20, 60, 200, 0.5, 0.9, 0.999].map(
      (at) =>
        [
          `a state cut at ${at}`,
          (text: string) => text.slice(0, at < 1 ? Math.floor(text.length * at) : at),
        ] as const,
    ),
  ];
  test.for(broken)("%s is refused with its file, and left as it is", async ([, breakIt]) => {
    const bytes = Buffer.from(breakIt(await good()));
    await writeFile(stateFile(), bytes);
    await expect(createSandbox({ data: folder })).rejects.toMatchObject({
      code: "stateUnreadable",
      message: expect.stringContaining(stateFile()),
    });
    expect(await readFile(stateFile())).toEqual(bytes);
    expect(await readdir(folder)).toEqual(["state.json"]);
  });

  test("a folder or a dangling link in its place is refused too", async () => {
    await mkdir(stateFile());
    await expect(createSandbox({ data: folder })).rejects.toMatchObject({ code: "stateUnreadable" });
    await rm(stateFile(), { recursive: true });
    await symlink(join(folder, "nowhere"), stateFile());
    await expect(createSandbox({ data: folder })).rejects.toMatchObject({ code: "stateUnreadable" });
    expect(await readdir(folder)).toEqual(["state.json"]);
  });

  test.each([
    ["where the folder should be", "file", "it is a file"],
    ["in the path of the folder", "file/folder", "a part of its path is a file"],
  ])("a file %s is told as such", async (_where, name, reason) => {
    await writeFile(join(folder, "file"), "");
    const data = join(folder, name);
    await expect(createSandbox({ data })).rejects.toMatchObject({
      code: "stateUnreadable",
      message: `${data}: The state folder cannot be made: ${reason}. Choose another --data folder.`,
    });
    expect(await readdir(folder)).toEqual(["file"]);
  });

  test.each([
    ["EROFS", "the file system is read-only"],
    ["EACCES", "this user has no access to it"],
    ["ENOSPC", "the disk is full"],
    ["EMULTIHOP", "the file system refused (EMULTIHOP)"],
  ])("%s is told in words", (code, words) => {
    expect(reasonOf(Object.assign(new Error(code), { code }))).toBe(words);
  });
});
