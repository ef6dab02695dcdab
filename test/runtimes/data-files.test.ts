// Data files: what a folder stores from one sandbox to the next, edits by hand, and writes that fail.

import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createSandbox, type SandboxOptions } from "../../src/open/create-sandbox.ts";
import type { EntryOptions } from "../../src/open/open-sandbox.ts";
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

const read = (name: string): Promise<string> =>
  readFile(join(folder, name.includes(".") ? name : `${name}.json`), "utf8");

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
async function withSandbox<T>(
  work: (sandbox: Sandbox) => Promise<T>,
  options: SandboxOptions = {},
  entry: EntryOptions = {},
): Promise<T> {
  const sandbox = await createSandbox({ data: folder, ...options }, entry);
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

describe("a sandbox with a data folder", () => {
  test("restores created entities in the same position, byte for byte", async () => {
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

  test("continues with the stored ids, seed and clock", async () => {
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
    await expect(createSandbox({ data: folder, seed: 8 })).rejects.toThrow(/has seed 7, not 8/);
  });

  test("keeps passwords, tokens and the login window after a restart", async () => {
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

  test("stays at the base data after a reset and a restart", async () => {
    const id = await withSandbox(createEvent, { clock: CLOCK });
    await withSandbox(async (sandbox) => {
      sandbox.reset();
      expect((await sandbox.museum.getSpecialEvent({ params: { eventId: id } })).status).toBe(404);
    });
    await withSandbox(async (sandbox) =>
      expect((await sandbox.museum.getSpecialEvent({ params: { eventId: id } })).status).toBe(404),
    );
  });

  test("stores the seed and the clock that belong to a reset or a restore", async () => {
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

  test("restores every world: rules with their counts, scenario, settings, snapshots, start, mails, names", async () => {
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

  test("leaves every file unchanged in a run without changes", async () => {
    await withSandbox(createEvent);
    const before = await files();
    await withSandbox((sandbox) =>
      sandbox.fetch("/museum/v1.1/special-events", { headers: sandbox.auth.basic() }),
    );
    expect(await files()).toEqual(before);
  });

  test("applies a new scenario at the next reset, and keeps the stored settings", async () => {
    await withSandbox(createEvent, { settings: { museum: { strict: true } } });
    await withSandbox(
      async (sandbox) => {
        expect(sandbox.journal.notices.all.map(({ message }) => message)).toEqual([
          expect.stringMatching(/The base data and the scenario apply at the next reset/),
          expect.stringMatching(/Using the stored settings in/),
        ]);
        expect(sandbox.data.museum.specialEvents.all()).toHaveLength(31);
        sandbox.reset();
        expect(sandbox.data.museum.specialEvents.all()).toEqual([]);
      },
      { scenario: "museum-empty", settings: { museum: { strict: false } } },
    );
    await withSandbox(async (sandbox) => expect(sandbox.journal.notices.all).toEqual([]));
  });

  test("writes files that only its owner can read, and leaves no other files behind", async () => {
    const inner = join(folder, "state", "of", "mine");
    await withSandbox(createEvent, { data: inner });
    expect((await stat(inner)).mode & 0o777).toBe(0o700);
    const names = await readdir(inner);
    for (const name of names) expect((await stat(join(inner, name))).mode & 0o777).toBe(0o600);
    expect(names).toEqual(["main.json"]);
  });

  test("writes a section for each environment, a block for each entity, and `vitrine` last", async () => {
    const id = await withSandbox(createEvent, { clock: CLOCK });
    const text = await read("main");
    expect(text).toMatch(/^\{\n {2}"museum": \{\n {4}"specialEvents": \[\n {6}\{\n {8}"eventId": "/);
    expect(Object.keys(JSON.parse(text))).toEqual(["museum", "account", "accountSandbox", "vitrine"]);
    expect(JSON.parse(text).museum.specialEvents.at(-1)).toEqual({ eventId: id, ...EVENT });
  });

  test("responds to a write after it is on the disk, with one disk write for many concurrent requests", async () => {
    let writes = 0;
    const calls = {
      write: (path: string, content: string) => {
        writes += 1;
        writeFileSync(path, content);
      },
      rename: renameSync,
    };
    await withSandbox(
      async (sandbox) => {
        const ids = await Promise.all(
          Array.from({ length: 100 }, async () => {
            const id = await createEvent(sandbox);
            expect(await read("main")).toContain(id);
            return id;
          }),
        );
        expect(new Set(ids).size).toBe(100);
      },
      {},
      { calls },
    );
    expect(writes).toBeLessThan(20);
  });
});

describe("a write that fails", () => {
  test.each(["write", "rename"] as const)("%s: is reported and undone, in all worlds", async (failing) => {
    let error: string | undefined;
    const fail = (name: string): void => {
      if (error !== undefined && name === failing) throw Object.assign(new Error(error), { code: error });
    };
    const calls = {
      write: (path: string, content: string) => {
        fail("write");
        writeFileSync(path, content);
      },
      rename: (from: string, to: string) => {
        fail("rename");
        renameSync(from, to);
      },
    };
    await withSandbox(
      async (sandbox) => {
        const cart = sandbox.fork("cart");
        await createEvent(cart);
        const before = wholeOf(sandbox);
        for (const [code, status, problem] of [
          ["ENOSPC", 507, "storageFull"],
          ["EIO", 503, "notStored"],
        ] as const) {
          error = code;
          sandbox.use({ when: { operation: "museum.getMuseumHours" }, then: { fault: "reset" } });
          cart.snapshot("lost");
          sandbox.fork("gone");
          const body = JSON.stringify(EVENT);
          const headers = { ...sandbox.auth.basic(), "content-type": "application/json" };
          const reply = await cart.fetch("/museum/v1.1/special-events", { method: "POST", headers, body });
          expect(reply.status).toBe(status);
          expect(cart.journal.last).toMatchObject({ status, problem, changes: [] });
          expect(sandbox.worlds.list().map(({ id }) => id)).toEqual(["main", "cart"]);
          expect(wholeOf(sandbox)).toEqual(before);
        }
        error = undefined;
        await createEvent(cart);
        expect((await readdir(folder)).sort()).toEqual(["cart.json", "lock", "main.json"]);
      },
      { clock: CLOCK },
      { calls },
    );
    await withSandbox(async (sandbox) => {
      expect(sandbox.worlds.get("cart")?.data.museum.specialEvents.all()).toHaveLength(32);
    });
  });

  test("a folder that was removed is written again", async () => {
    await withSandbox(async (sandbox) => {
      sandbox.fork("cart");
      await createEvent(sandbox);
      await rm(folder, { recursive: true });
      await createEvent(sandbox);
      expect((await readdir(folder)).sort()).toEqual(["cart.json", "lock", "main.json"]);
    });
  });

  test("a process returns 503 and writes nothing after another process has taken its folder", async () => {
    const first = await createSandbox({ data: folder, clock: CLOCK });
    await rm(join(folder, "lock"), { recursive: true });
    const second = await createSandbox({ data: folder });
    const statuses = [
      await first.museum.createSpecialEvent({ body: EVENT }),
      await first.museum.getMuseumHours(),
    ];
    expect(statuses.map(({ status }) => Number(status))).toEqual([503, 503]);
    const id = await createEvent(second);
    await first.close();
    await second.close();
    expect(await read("main")).toContain(id);
  });
});

describe("a crash", () => {
  test("at any call of a write leaves each world in its old or its new state", async () => {
    const data = join(folder, "data");
    const copies: string[] = [];
    const keep = (): void => {
      copies.push(join(folder, `copy-${copies.length}`));
      cpSync(data, copies.at(-1) ?? "", { recursive: true });
    };
    const around =
      <A extends unknown[]>(call: (...args: A) => void) =>
      (...args: A): void => {
        keep();
        call(...args);
        keep();
      };
    let isOn = false;
    const write = (path: string, text: string): void => {
      const steps = [() => writeFileSync(`${path}.tmp`, text), () => renameSync(`${path}.tmp`, path)];
      for (const step of steps) (isOn ? around(step) : step)();
    };
    const rename = (from: string, to: string): void => (isOn ? around(renameSync) : renameSync)(from, to);
    const ids: string[] = [];
    await withSandbox(
      async (sandbox) => {
        const cart = sandbox.fork("cart");
        for (const world of [sandbox, cart]) ids.push(await createEvent(world));
        isOn = true;
        await Promise.all([createEvent(sandbox), createEvent(cart), createEvent(sandbox.fork("late"))]);
        isOn = false;
      },
      { clock: CLOCK, data },
      { calls: { write, rename } },
    );
    expect(copies.length).toBeGreaterThanOrEqual(3 * 6);
    for (const copy of copies) {
      await rm(join(copy, "lock"), { recursive: true });
      await withSandbox(
        async (sandbox) => {
          for (const [index, id] of ["main", "cart"].entries()) {
            const found = sandbox.worlds.get(id).data.museum.specialEvents.all();
            expect(found.map(({ eventId }) => eventId)).toContain(ids[index]);
            expect(found.length).toBeOneOf([31, 32]);
          }
          const late = sandbox.worlds.list().find(({ id }) => id === "late");
          expect(late?.data.museum.specialEvents.all().length ?? 33).toBeGreaterThanOrEqual(32);
        },
        { data: copy },
      );
    }
  });

  test("a takeover by another process between staging and commit returns 503, and overwrites nothing", async () => {
    let isTaken = false;
    const rename = (from: string, to: string): void => {
      if (isTaken) {
        rmSync(join(folder, "lock"), { recursive: true });
        mkdirSync(join(folder, "lock", "another"), { recursive: true });
      }
      renameSync(from, to);
    };
    await withSandbox(
      async (sandbox) => {
        const before = await read("main");
        isTaken = true;
        const reply = await sandbox.museum.createSpecialEvent({ body: EVENT });
        expect(Number(reply.status)).toBe(503);
        expect(sandbox.data.museum.specialEvents.all()).toHaveLength(30);
        expect(await read("main")).toBe(before);
        await rm(join(folder, "lock"), { recursive: true });
      },
      { clock: CLOCK },
      { calls: { write: writeFileSync, rename } },
    );
  });
});

describe("an edit of a file", () => {
  /** Waits until the running sandbox has reported as many messages. */
  const told = (sandbox: Sandbox, count: number) =>
    vi.waitUntil(() => sandbox.journal.notices.all.length >= count && sandbox.journal.notices.all);
  const edit = async (name: string, from: string | RegExp, to: string): Promise<void> =>
    writeFile(join(folder, `${name}.json`), (await read(name)).replace(from, to));

  test("applies at the next start if the sandbox was stopped", async () => {
    await withSandbox(async (sandbox) => void sandbox.fork("cart"), { clock: CLOCK });
    await edit("main", "The Alphabet of Knots", "The Alphabet of Rope");
    await edit("cart", /"price": 25\b/, '"price": 26');
    await withSandbox(async (sandbox) => {
      const [event] = sandbox.data.museum.specialEvents.all();
      expect(event).toMatchObject({ name: "The Alphabet of Rope", price: 25 });
      expect(sandbox.worlds.get("cart")?.data.museum.specialEvents.all()[0]).toMatchObject({ price: 26 });
      sandbox.reset();
      expect(sandbox.data.museum.specialEvents.all()[0]?.name).toBe("The Alphabet of Knots");
    });
  });

  test("is one transaction while the sandbox runs, and is reported with its changes and stored", async () => {
    const watch = { watch: true };
    await withSandbox(
      async (sandbox) => {
        const file = JSON.parse(await read("main"));
        const [first, second, ...others] = file.museum.specialEvents;
        const added = { ...first, eventId: "3f0b7a52-5d7b-4a55-8d5b-6d6a7e1b2c3d", name: "Rope" };
        file.museum.specialEvents = [added, { ...second, price: 1 }, ...others];
        await writeFile(join(folder, "main.json"), JSON.stringify(file));
        expect(await told(sandbox, 1)).toMatchObject([
          {
            key: "edited",
            message: "main.json was edited: museum/specialEvents: 1 changed, 1 added, 1 removed.",
          },
        ]);
        expect(sandbox.data.museum.specialEvents.all().slice(0, 2)).toMatchObject([
          { name: "Rope" },
          { price: 1 },
        ]);
        await createEvent(sandbox);
        expect(await read("main")).toMatch(
          /^\{\n {2}"museum": \{\n {4}"specialEvents": \[\n {6}\{\n {8}"eventId": "3f0b/,
        );
      },
      { clock: CLOCK },
      watch,
    );
  });

  test("that nothing watches is merged with the next write", async () => {
    await withSandbox(
      async (sandbox) => {
        await edit("main", "The Alphabet of Knots", "The Alphabet of Rope");
        const id = await createEvent(sandbox);
        expect(sandbox.data.museum.specialEvents.all()[0]?.name).toBe("The Alphabet of Rope");
        expect(await read("main")).toMatch(new RegExp(`Alphabet of Rope[^]*${id}`));
      },
      { clock: CLOCK },
    );
  });

  test("before a write that fails is stored by the next write", async () => {
    let isFull = false;
    const write = (path: string, content: string): void => {
      if (isFull) throw Object.assign(new Error("full"), { code: "ENOSPC" });
      writeFileSync(path, content);
    };
    await withSandbox(
      async (sandbox) => {
        await edit("main", "The Alphabet of Knots", "The Alphabet of Rope");
        isFull = true;
        expect(await sandbox.museum.createSpecialEvent({ body: EVENT })).toMatchObject({ status: 507 });
        expect(sandbox.data.museum.specialEvents.all()[0]?.name).toBe("The Alphabet of Knots");
        isFull = false;
        const id = await createEvent(sandbox);
        expect(sandbox.data.museum.specialEvents.all()[0]?.name).toBe("The Alphabet of Rope");
        expect(await read("main")).toMatch(new RegExp(`Alphabet of Rope[^]*${id}`));
      },
      { clock: CLOCK },
      { calls: { write, rename: renameSync } },
    );
  });

  test("from an old editor buffer is rejected, and moved aside by the next write", async () => {
    await withSandbox(
      async (sandbox) => {
        const buffer = (await read("main")).replace("The Alphabet of Knots", "The Alphabet of Rope");
        const ids = [await createEvent(sandbox)];
        await writeFile(join(folder, "main.json"), buffer);
        ids.push(await createEvent(sandbox));
        expect(sandbox.journal.notices.all).toMatchObject([
          {
            message: expect.stringMatching(
              /^main\.json: The edit is based on version 1, but the world has version 2/,
            ),
          },
        ]);
        for (const id of ids) expect(await read("main")).toContain(id);
        expect(await readFile(join(folder, "main.json.rejected-1"), "utf8")).toBe(buffer);
        await writeFile(join(folder, "main.json"), buffer);
        await createEvent(sandbox);
        expect(await readFile(join(folder, "main.json.rejected-2"), "utf8")).toBe(buffer);
      },
      { clock: CLOCK },
    );
    await withSandbox(async (sandbox) => expect(sandbox.worlds.list()).toHaveLength(1));
  });

  test("that removes a presale also removes its unchanged actions, like a scenario", async () => {
    await withSandbox(
      async (sandbox) => {
        const file = JSON.parse(await read("main"));
        const { pre_sale_uuid: uuid } = file.account.preSaleActions[0];
        file.account.preSales = file.account.preSales.filter((one: { uuid: string }) => one.uuid !== uuid);
        await writeFile(join(folder, "main.json"), JSON.stringify(file));
        await createEvent(sandbox);
        const actions = sandbox.data.account.preSaleActions.all();
        expect(actions.length).toBeLessThan(file.account.preSaleActions.length);
        expect(actions.some((one) => one["pre_sale_uuid"] === uuid)).toBe(false);
      },
      { clock: CLOCK },
    );
  });

  const EDITS: readonly [what: string, from: string | RegExp, to: string, message: RegExp][] = [
    ["no JSON", '"museum": {', '"museum": ', /main\.json:\d+:\d+: This is not valid JSON/],
    [
      "an unknown field",
      '"price": 25',
      '"prise": 25',
      /main\.json:14:9: Unknown field "prise"\. Did you mean "price"/,
    ],
    ["a wrong type", '"price": 25', '"price": "25"', /main\.json:14:18: price must be a number/],
    ["an unknown collection", '"specialEvents": [', '"events": [', /main\.json:3:5: .*Known: specialEvents/],
    ["an unknown section", '"museum": {', '"musuem": {', /main\.json:2:3: .*Did you mean "museum"/],
    [
      "a duplicate key",
      /"eventId": "9817e9c5[^"]*"/,
      '"eventId": "dad4bce8-f5cb-4078-a211-995864315e39"',
      /main\.json:\d+:\d+: .*occurs twice/,
    ],
    [
      "a broken reference",
      /"pre_sale_uuid": "[^"]*"/,
      '"pre_sale_uuid": "00000000-0000-4000-8000-000000000000"',
      /main\.json:\d+:\d+: .*does not exist in account\.preSales/,
    ],
    [
      "the section vitrine",
      '"state":{',
      '"state":{"x":1,',
      /main\.json:\d+:\d+: The section "vitrine" was edited/,
    ],
    [
      "a newer format",
      '"formatVersion":1',
      '"formatVersion":2',
      /main\.json:\d+:\d+: The file has format version 2/,
    ],
  ];

  test.each(EDITS)(
    "with %s is rejected as a whole, at the start and while the sandbox runs",
    async (what, from, to, message) => {
      await withSandbox(
        async (sandbox) => {
          const before = wholeOf(sandbox);
          await edit("main", from, to);
          const [notice] = await told(sandbox, 1);
          expect(notice?.message).toMatch(message);
          expect(wholeOf(sandbox)).toEqual(before);
        },
        { clock: CLOCK },
        { watch: true },
      );
      if (what === "a broken reference") return; // at rest it is accepted: the data API can create one
      const rejected = createSandbox({ data: folder });
      await expect(rejected).rejects.toMatchObject({
        code: "stateUnreadable",
        message: expect.stringMatching(message),
      });
      await expect(rejected).rejects.toThrow(
        /Nothing was changed\. Correct the file, move all files aside with --state-reset/,
      );
      const fresh = await createSandbox({ data: folder, stateReset: true });
      expect(fresh.journal.notices.all).toMatchObject([{ message: expect.stringContaining("reset-") }]);
      await fresh.close();
    },
  );
});

describe("a folder that vitrine did not write", () => {
  test("a file without `vitrine` is base data: its dates count from its anchor, other sections are bundled", async () => {
    const event = { ...EVENT, name: "Lamps", eventId: "3f0b7a52-5d7b-4a55-8d5b-6d6a7e1b2c3d" };
    const museum = { specialEvents: [event] };
    await writeFile(join(folder, "main.json"), JSON.stringify({ anchor: "2026-03-01", museum }));
    await writeFile(join(folder, "cart.json"), JSON.stringify({ museum: { specialEvents: [] } }));
    await withSandbox(
      async (sandbox) => {
        expect(sandbox.data.museum.specialEvents.all()).toEqual([{ ...event, dates: ["2026-04-10"] }]);
        expect(sandbox.data.account.users.all().length).toBeGreaterThan(0);
        expect(sandbox.worlds.get("cart")?.data.museum.specialEvents.all()).toEqual([]);
        await createEvent(sandbox);
        sandbox.reset();
        expect(sandbox.data.museum.specialEvents.all()).toHaveLength(1);
      },
      { clock: "2026-03-11T09:00:00Z" },
    );
    expect(Object.keys(JSON.parse(await read("main")))).toContain("vitrine");
  });

  test.each([
    ["state.json", '{ "version": 3, "storeId": "x" }', /state\.json:1:3: Unknown section|second edition/],
    ["a b.json", "{}", /"a b" is not a world name/],
  ])("%s is rejected, and nothing is lost", async (name, text, message) => {
    await writeFile(join(folder, name), text);
    await expect(createSandbox({ data: folder })).rejects.toThrow(message);
    expect(await readFile(join(folder, name), "utf8")).toBe(text);
  });

  test("worlds whose names differ only in case are rejected", async () => {
    await withSandbox(async (sandbox) => {
      sandbox.fork("cart");
      expect(() => sandbox.fork("CART")).toThrow(/"cart" already exists/);
      const headers = { "content-type": "application/json" };
      const reply = await sandbox.fetch("/_vitrine/worlds", {
        method: "POST",
        headers,
        body: '{"name":"Cart"}',
      });
      expect(reply.status).toBe(409);
    });
    await writeFile(join(folder, "Cart.json"), "{}");
    await expect(createSandbox({ data: folder })).rejects.toThrow(/differs only in case/);
  });
});

describe("base data of a user", () => {
  const base = { anchor: "2026-03-01", museum: { specialEvents: [] } };

  test("replaces the bundled data, as a value, a file or a folder, and a reset returns to it", async () => {
    await writeFile(join(folder, "base.json"), JSON.stringify(base));
    for (const given of [base, folder, join(folder, "base.json")]) {
      await using sandbox = await createSandbox({ base: given });
      expect(sandbox.data.museum.specialEvents.all()).toEqual([]);
      expect(sandbox.data.account.users.all().length).toBeGreaterThan(0);
      await createEvent(sandbox);
      sandbox.reset();
      expect(sandbox.data.museum.specialEvents.all()).toEqual([]);
      await sandbox.clearScenario();
      expect(sandbox.data.museum.specialEvents.all()).toEqual([]);
    }
    expect(JSON.parse(await read("base"))).toEqual(base);
  });

  test("is not allowed together with generated data, and an error has its position", async () => {
    await expect(createSandbox({ base, generate: true })).rejects.toThrow(
      /base .*not allowed together with generate/,
    );
    await writeFile(join(folder, "base.json"), '{ "anchor": "2026-03-01",\n "museum": { "events": [] } }');
    await expect(createSandbox({ base: folder })).rejects.toThrow(/base\.json:2:14: .*specialEvents/);
    await expect(createSandbox({ base: join(folder, "none.json") })).rejects.toThrow(/No such file/);
  });

  test("moves to the sandbox's date if a scenario provides it with an anchor", async () => {
    const event = { ...EVENT, eventId: "3f0b7a52-5d7b-4a55-8d5b-6d6a7e1b2c3d" };
    const data = { anchor: "2026-03-01", museum: { specialEvents: { replace: [event] } } };
    await using sandbox = await createSandbox({
      clock: "2026-03-11T09:00:00Z",
      scenario: { version: 1, data },
    });
    expect(sandbox.data.museum.specialEvents.all()).toMatchObject([{ dates: ["2026-04-10"] }]);
    const plain = { museum: data.museum };
    await sandbox.scenario({ version: 1, data: plain });
    expect(sandbox.data.museum.specialEvents.all()).toMatchObject([{ dates: ["2026-03-31"] }]);
    const wrong = { version: 1, data: { ...data, anchor: "March" } } as const;
    await expect(sandbox.scenario(wrong)).rejects.toThrow(/data\/anchor/);
  });
});
