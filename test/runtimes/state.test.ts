// What is kept in a folder from one sandbox to the next, and what happens when the folder is not as it should be.

import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSandbox, createSandboxWithState, type SandboxOptions } from "../../src/open/create-sandbox.ts";
import { reasonOf } from "../../src/runtimes/node/state-files.ts";
import { wholeOf } from "./whole-state.ts";

const EVENT = {
  name: "Night of the lamps \ud800",
  location: "Hall 2",
  eventDescription: "After dark",
  dates: ["2026-03-31"],
  price: 0,
};
const CLOCK = "2026-03-01T09:00:00Z";

type Sandbox = Awaited<ReturnType<typeof createSandbox>>;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vitrine-state-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** The bytes and the times of all that is in the folder, but for the lock. */
const files = async (): Promise<readonly (readonly [name: string, text: string, at: number])[]> => {
  const names = (await readdir(folder)).filter((name) => !name.includes("lock")).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return [name, await readFile(path, "utf8"), (await stat(path)).mtimeMs] as const;
    }),
  );
};
const logs = async (): Promise<string> =>
  (await files()).map(([name, text]) => (name.startsWith("log-") ? text : "")).join("");

async function withSandbox<T>(
  work: (sandbox: Sandbox) => Promise<T>,
  options: SandboxOptions = {},
): Promise<T> {
  const sandbox = await createSandbox({ data: folder, ...options });
  try {
    return await work(sandbox);
  } finally {
    await sandbox.close();
  }
}

async function createEvent(sandbox: Sandbox): Promise<string> {
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
      expect(sandbox.core.world.random.seed).toBe(7);
      expect(sandbox.core.world.clock.now()).toBe(Date.parse(CLOCK));
      await sandbox.clock.advance("3d");
      expect(await createEvent(sandbox)).not.toBe(first);
    });
    await withSandbox(async (sandbox) =>
      expect(sandbox.core.world.clock.now()).toBe(Date.parse("2026-03-04T09:00:00Z")),
    );
    await withSandbox(
      async (sandbox) => expect(sandbox.core.world.clock.now()).toBe(Date.parse("2027-01-01")),
      {
        clock: "2027-01-01",
      },
    );
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

  test("a reset and a restore keep the seed and the clock that go with them", async () => {
    await withSandbox(
      async (sandbox) => {
        const before = sandbox.snapshot();
        await sandbox.scenario({ version: 1, seed: 11, clock: { at: "2026-05-01T09:00:00Z" } });
        sandbox.snapshot("later");
        await createEvent(sandbox);
        sandbox.restore(before);
      },
      { clock: CLOCK, seed: 7 },
    );
    const seen = (sandbox: Sandbox): readonly unknown[] => [
      sandbox.core.world.random.seed,
      sandbox.clock.now(),
    ];
    await withSandbox(async (sandbox) => {
      expect(seen(sandbox)).toEqual([7, Date.parse(CLOCK)]);
      sandbox.restore("later");
    });
    await withSandbox(async (sandbox) => {
      expect(seen(sandbox)).toEqual([11, Date.parse("2026-05-01T09:00:00Z")]);
      sandbox.reset();
      await sandbox.clock.advance("2h");
    });
    await withSandbox(async (sandbox) => {
      expect(seen(sandbox)).toEqual([7, Date.parse("2026-03-01T11:00:00Z")]);
    });
  });

  test("every world goes on: rules with their counts, scenario, settings, snapshots, start, mails, names", async () => {
    const LIST = { operation: "museum.listSpecialEvents" };
    const before = await withSandbox(
      async (sandbox) => {
        sandbox.use({ id: "twice", when: LIST, limit: { times: 2 }, then: { respond: { status: 503 } } });
        await sandbox.museum.listSpecialEvents();
        sandbox.snapshot("named");
        await createEvent(sandbox);
        sandbox.snapshot();
        await sandbox.usage.record({ sent: 100, received: 0 });
        await sandbox.clock.advance("1h");
        const fork = sandbox.fork();
        fork.data.museum.specialEvents.replace([]);
        await createEvent(fork);
        await fork.scenario("maintenance");
        const copy = sandbox.worlds.put("copy", { from: fork.id });
        copy.core.markStart();
        copy.data.account.preSales.replace([]);
        sandbox.worlds.put("record", { record: copy.record() });
        sandbox.worlds.put("record", { record: fork.record() }, { replace: true });
        const value = fork.snapshot("value");
        await fork.usage.record({ sent: 1 });
        fork.snapshot("value");
        fork.restore(value);
        await sandbox.fork("gone").close();
        const off = fork.use({ when: LIST, then: { respond: { status: 500 } } });
        fork.rules.update(off, { enabled: false });
        fork.snapshot("forgotten");
        fork.snapshots.remove("forgotten");
        return wholeOf(sandbox);
      },
      { clock: CLOCK, scenario: "presale-nearly-used-up", settings: { museum: { strict: true } } },
    );
    expect(before.map(({ id }) => id)).toEqual(["copy", "main", "record", "w1"]);
    await withSandbox(async (sandbox) => {
      expect(wholeOf(sandbox)).toEqual(before);
      expect((await sandbox.museum.listSpecialEvents()).status).toBe(503);
      expect((await sandbox.museum.listSpecialEvents()).status).toBe(200);
      expect((await sandbox.worlds.get("w1")?.museum.listSpecialEvents())?.status).toBe(503);
      expect(sandbox.fork().id).toBe("w2");
      sandbox.restore("named");
      expect(sandbox.mailbox.messages()).toEqual([]);
      sandbox.reset();
      expect(sandbox.core.ruleSet.scenario.name).toBe("presale-nearly-used-up");
    });
  });

  test("a state that was only logged is the same as one with a snapshot", async () => {
    const [inner, copied] = [join(folder, "inner"), join(folder, "copied")];
    const before = await withSandbox(
      async (sandbox) => {
        const fork = sandbox.fork("cart");
        for (const world of [sandbox, fork, sandbox, fork]) {
          await createEvent(world);
          world.snapshot();
          world.use({ when: { operation: "museum.getMuseumHours" }, then: { respond: { status: 502 } } });
          await world.museum.getMuseumHours();
        }
        await cp(inner, copied, { recursive: true, filter: (name) => !name.includes("lock") });
        return wholeOf(sandbox);
      },
      { clock: CLOCK, data: inner },
    );
    await withSandbox(async (sandbox) => expect(wholeOf(sandbox)).toEqual(before), { data: copied });
    await withSandbox(async (sandbox) => expect(wholeOf(sandbox)).toEqual(before), { data: inner });
  });

  test("snapshots are made while requests are answered, and only what is needed stays", async () => {
    const bounds = { mostLines: 3 };
    const sandbox = await createSandboxWithState({ data: folder, clock: CLOCK }, bounds);
    for (let round = 0; round < 40; round += 1)
      await Promise.all([createEvent(sandbox), createEvent(sandbox)]);
    const before = wholeOf(sandbox);
    await sandbox.close();
    const names = (await readdir(folder)).sort();
    expect(names.filter((name) => /^state|^entities/.test(name))).toHaveLength(4);
    expect(Number(/\d+/.exec(names[0] ?? ""))).toBeGreaterThan(1);
    await withSandbox(async (again) => {
      expect(wholeOf(again)).toEqual(before);
      expect(again.journal.notices.all).toEqual([]);
    });
  });

  test("a run that changes nothing leaves every file as it was", async () => {
    await withSandbox(createEvent);
    const before = await files();
    await withSandbox((sandbox) =>
      sandbox.fetch("/museum/v1.1/special-events", { headers: sandbox.auth.basic() }),
    );
    expect(await files()).toEqual(before);
  });

  test("options that the kept state does not follow are reported, once each", async () => {
    const made: SandboxOptions = { scenario: "museum-empty", settings: { museum: { strict: true } } };
    await withSandbox(async () => {}, made);
    await withSandbox(async (sandbox) => {
      expect(sandbox.journal.notices.all).toEqual([
        { key: "state", message: expect.stringMatching(/own scenario \(museum-empty\); the one asked for/) },
      ]);
    }, made);
    await withSandbox(
      async (sandbox) => {
        expect(sandbox.core.ruleSet.scenario.name).toBe("museum-empty");
        expect(sandbox.journal.notices.all.map(({ message }) => message)).toEqual([
          expect.stringMatching(/own scenario/),
          expect.stringMatching(/own settings/),
        ]);
      },
      { scenario: "maintenance", settings: { museum: { strict: false } } },
    );
    await withSandbox(async (sandbox) => expect(sandbox.journal.notices.all).toEqual([]));
  });

  test("a state that would be too large is refused with what it may be, and a smaller one is not", async () => {
    const sandbox = await createSandboxWithState(
      { data: folder, clock: CLOCK },
      { mostEntityBytes: 200_000 },
    );
    const create = (price: number) =>
      sandbox.museum.createSpecialEvent({ body: { ...EVENT, price, eventDescription: "x".repeat(40_000) } });
    const answers = [];
    for (let price = 0; price < 6; price += 1) answers.push(await create(price));
    const refused = answers.find(({ status }) => Number(status) === 507);
    expect(refused?.body).toMatchObject({
      title: expect.stringContaining("would be larger than 200000 bytes"),
    });
    const stored = sandbox.data.museum.specialEvents.all().length;
    expect((await create(9)).status).toBe(507);
    expect(sandbox.data.museum.specialEvents.all()).toHaveLength(stored);
    await createEvent(sandbox);
    await sandbox.close();
    await withSandbox(async (again) =>
      expect(again.data.museum.specialEvents.all()).toHaveLength(stored + 1),
    );
  });

  test("only its owner may read it, and nothing but the state is left in it", async () => {
    const inner = join(folder, "state", "of", "mine");
    await withSandbox(createEvent, { data: inner });
    expect((await stat(inner)).mode & 0o777).toBe(0o700);
    const names = await readdir(inner);
    for (const name of names) expect((await stat(join(inner, name))).mode & 0o777).toBe(0o600);
    expect(names.sort()).toEqual([
      "entities-1.jsonl",
      "entities-2.jsonl",
      "log-1.jsonl",
      "log-2.jsonl",
      "state-1.json",
      "state.json",
    ]);
  });

  test("a reply to a write leaves when it is on the disk, one write for many at once", async () => {
    await withSandbox(async (sandbox) => {
      const ids = await Promise.all(
        Array.from({ length: 100 }, async () => {
          const id = await createEvent(sandbox);
          expect(await logs()).toContain(id);
          return id;
        }),
      );
      expect(new Set(ids).size).toBe(100);
      expect((await logs()).trim().split("\n").length).toBeLessThan(20);
    });
  });

  test("a write that fails is told, undone, and does not stop reads or the next write", async () => {
    await withSandbox(async (sandbox) => {
      const present = sandbox.core.world.store.collection("museum/specialEvents");
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

  test.each([
    ["EROFS", "the file system is read-only"],
    ["EACCES", "this user has no access to it"],
    ["ENOSPC", "the disk is full"],
    ["EMULTIHOP", "the file system refused (EMULTIHOP)"],
  ])("%s is told in words", (code, words) => {
    expect(reasonOf(Object.assign(new Error(code), { code }))).toBe(words);
  });
});
