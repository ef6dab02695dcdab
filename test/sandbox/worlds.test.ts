import { describe, expect, test } from "vitest";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import { DAY_MS } from "../../src/world/time.ts";

const CLOCK = "2026-03-01T09:00:00Z";
const EVENTS = "/museum/v1.1/special-events";

type Sandbox = Awaited<ReturnType<typeof createSandbox>>;

function event(name: string) {
  return { name, location: "Hall 2", eventDescription: "After dark", dates: ["2026-03-31"], price: 0 };
}

async function create(sandbox: Sandbox, name: string): Promise<string> {
  const reply = await sandbox.museum.createSpecialEvent({ body: event(name) });
  if (!reply.ok) throw new Error(`${reply.status}`);
  return reply.body.eventId;
}

describe("a world", () => {
  test("starts with a copy of the state, and is independent after that", async () => {
    await using sandbox = await createSandbox({ clock: CLOCK });
    const shared = await create(sandbox, "before the fork");
    const world = sandbox.fork("cart-test");
    const mine = await create(world, "in the fork");
    await world.clock.advance("3d");
    const theirs = await create(sandbox, "in the main world");

    expect(world.data.museum.specialEvents.get(shared)?.name).toBe("before the fork");
    expect(sandbox.data.museum.specialEvents.get(mine)?.name).not.toBe("in the fork");
    expect(mine).toBe(theirs); // both worlds draw the same next id
    expect(world.clock.now() - sandbox.clock.now()).toBe(3 * DAY_MS);
    expect(world.journal.count()).toBe(1);
    expect(sandbox.journal.count()).toBe(2);
  });

  test("is addressed by prefix or by header, and its links keep the prefix", async () => {
    await using sandbox = await createSandbox({ clock: CLOCK });
    const world = sandbox.fork("w-1");
    const request = (path: string, headers = {}) =>
      sandbox.fetch(path, {
        method: "POST",
        headers: { ...sandbox.auth.basic(), "content-type": "application/json", ...headers },
        body: JSON.stringify(event("Lamps")),
      });
    const byPrefix = await request(`/~w-1${EVENTS}`);
    expect(byPrefix.headers.get("location")).toMatch(
      /^\/~w-1\/museum\/v1\.1\/special-events\/[0-9a-f-]{36}$/,
    );
    expect((await request(EVENTS, { "x-vitrine-world": "w-1" })).status).toBe(201);
    expect(world.journal.count({ status: 201 })).toBe(2);
    expect(sandbox.journal.count()).toBe(0);
    expect(world.urls.museum).toBe("http://localhost/~w-1/museum/v1.1");
  });

  test("does not accept a token of another world or of the main world", async () => {
    await using sandbox = await createSandbox({ clock: CLOCK });
    const [one, other] = [sandbox.fork(), sandbox.fork()];
    const status = async (at: Sandbox, from: Sandbox) =>
      (await at.account.getUser({ params: { id: "me" }, headers: bearer(from) })).status;
    expect(await status(one, one)).toBe(200);
    expect(await status(other, one)).toBe(401);
    expect(await status(sandbox, one)).toBe(401);
    expect(await status(one, sandbox)).toBe(401);
  });

  test("that does not exist returns a 404 that explains how to create it", async () => {
    await using sandbox = await createSandbox();
    for (const [path, headers] of [
      [`/~nobody${EVENTS}`, {}],
      [EVENTS, { "x-vitrine-world": "nobody" }],
      [EVENTS, { "x-vitrine-world": "../etc" }],
    ] as const) {
      const response = await sandbox.fetch(path, { headers });
      expect(response.status).toBe(404);
      expect(await response.text()).toMatch(/No world .*POST \/_vitrine\/worlds/);
    }
    expect(sandbox.journal.count()).toBe(0);
  });

  test.each(["", "-a", "a b", "a/b", "ä", "x".repeat(101), "main"])("is not called %j", async (name) => {
    await using sandbox = await createSandbox();
    expect(() => sandbox.fork(name)).toThrow(/world/);
    expect(sandbox.worlds.list()).toHaveLength(1);
  });

  test("without a name gets a free name, in any case", async () => {
    await using sandbox = await createSandbox({ clock: CLOCK });
    sandbox.fork("W1");
    expect(sandbox.fork().id).toBe("w2");
  });

  test("ends without the others, and its name is free again", async () => {
    await using sandbox = await createSandbox({ clock: CLOCK });
    const world = sandbox.fork("again");
    expect(() => sandbox.fork("again")).toThrow('A world "again" already exists.');
    await world.close();
    await expect(world.fetch(EVENTS)).rejects.toMatchObject({ code: "closed" });
    expect((await sandbox.fetch(`/~again${EVENTS}`)).status).toBe(404);
    expect((await sandbox.fetch(EVENTS, { headers: sandbox.auth.basic() })).status).toBe(200);
    expect(sandbox.fork("again").id).toBe("again");
    await expect(world.fetch(EVENTS)).rejects.toMatchObject({ code: "closed" });
  });

  test("without requests is removed after the idle time", async () => {
    let now = 0;
    const wall = { now: () => now, pause: async () => {} };
    await using sandbox = await createSandbox({ clock: CLOCK, wall, worldIdle: "10m" });
    const busy = sandbox.fork("busy");
    sandbox.fork("idle");
    now += 9 * 60_000;
    await busy.fetch(EVENTS);
    now += 60_000;
    expect(sandbox.worlds.list().map(({ id }) => id)).toEqual(["main", "idle", "busy"]);
    now += 1;
    expect(sandbox.worlds.list().map(({ id }) => id)).toEqual(["main", "busy"]);
    const gone = await sandbox.fetch(`/~idle${EVENTS}`);
    expect([gone.status, await gone.text()]).toEqual([404, expect.stringContaining("idle for 10m")]);
  });

  test("over the limit is rejected with the name of the option", async () => {
    await using sandbox = await createSandbox({ worldLimit: 2 });
    sandbox.fork();
    sandbox.fork();
    expect(() => sandbox.fork()).toThrow("worldLimit");
    const refused = await sandbox.fetch("/_vitrine/worlds", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect(refused.status).toBe(429);
  });

  test("must be named if strictWorlds is on, but the control API works without", async () => {
    await using sandbox = await createSandbox({ clock: CLOCK, strictWorlds: true });
    const world = sandbox.fork("w1");
    const plain = await sandbox.answer(
      new Request(`http://localhost${EVENTS}`, { headers: sandbox.auth.basic() }),
    );
    expect([plain.status, await plain.text()]).toEqual([404, expect.stringContaining("strictWorlds")]);
    expect((await world.fetch(EVENTS, { headers: world.auth.basic() })).status).toBe(200);
    expect((await sandbox.fetch(EVENTS, { headers: sandbox.auth.basic() })).status).toBe(200); // as /~main/…
    expect((await sandbox.answer(new Request("http://localhost/_vitrine/ready"))).status).toBe(200);
  });
});

describe("state", () => {
  test("is not changed by reads, even of an empty mailbox", async () => {
    await using sandbox = await createSandbox({ clock: CLOCK });
    const before = sandbox.state();
    expect(sandbox.mailbox.messages()).toEqual([]);
    expect(sandbox.state()).toEqual(before);
  });

  test("after a reset is equal to the start, byte for byte", async () => {
    await using sandbox = await createSandbox({ clock: CLOCK });
    const headers = sandbox.auth.basic();
    const look = async () => [
      sandbox.state().digest,
      await (await sandbox.fetch(EVENTS, { headers })).text(),
    ];
    const start = await look();
    const first = await create(sandbox, "one");
    await sandbox.clock.advance("2d");
    sandbox.use({ when: { operation: "museum.listSpecialEvents" }, then: { respond: { status: 503 } } });
    await sandbox.auth
      .login({ email: sandbox.data.account.users.all()[0]?.email ?? "", password: "?" })
      .catch(() => {});
    expect((await look())[0]).not.toBe(start[0]);
    sandbox.reset();
    expect(sandbox.journal.count()).toBe(0);
    expect(await look()).toEqual(start);
    expect(sandbox.journal.last?.seq).toBe(1);
    expect(await create(sandbox, "one")).toBe(first);
  });

  test("returns to a snapshot, by value or by name, but only in its own world", async () => {
    await using sandbox = await createSandbox({ clock: CLOCK });
    const before = sandbox.snapshot("before");
    const { digest } = sandbox.state();
    await create(sandbox, "one");
    sandbox.restore(before);
    expect(sandbox.state().digest).toBe(digest);
    await create(sandbox, "two");
    sandbox.restore("before");
    expect(sandbox.state().digest).toBe(digest);
    const world = sandbox.fork();
    expect(() => world.restore("before")).toThrow('Unknown snapshot "before"');
  });

  test("of a fork returns to the time of the fork, and other worlds are unchanged", async () => {
    await using sandbox = await createSandbox({ clock: CLOCK });
    const [one, other] = [sandbox.fork(), sandbox.fork()];
    const start = one.state().digest;
    await create(one, "one");
    await create(other, "other");
    const [main, others] = [sandbox.state().digest, other.state().digest];
    one.reset();
    expect(one.state().digest).toBe(start);
    expect([sandbox.state().digest, other.state().digest]).toEqual([main, others]);
  });
});

test("100 concurrent tests on one server do not affect each other", async () => {
  await using sandbox = await createSandbox({ clock: CLOCK, worldLimit: 100 });
  const worlds = Array.from({ length: 100 }, () => sandbox.fork());
  const ids = await Promise.all(worlds.map((world, index) => story(world, `test ${index}`, index)));
  expect(new Set(ids).size).toBe(1); // every world drew the same id
  const left = worlds.slice(25).map((world) => world.state().digest);
  await Promise.all(worlds.slice(0, 25).map((world, index) => story(world, `again ${index}`, index + 7)));
  expect(worlds.slice(25).map((world) => world.state().digest)).toEqual(left);
  expect(sandbox.journal.count()).toBe(0);
});

/** Its own clock, rule and event; what it reads back is only its own. */
async function story(world: Sandbox, name: string, days: number): Promise<string> {
  world.reset();
  world.clock.freeze(new Date(Date.parse(CLOCK) + (days % 20) * DAY_MS));
  const status = 500 + (days % 100);
  world.use({
    when: { operation: "museum.getSpecialEvent" },
    limit: { times: 1 },
    then: { respond: { status } },
  });
  const id = await create(world, name);
  const failed = await world.museum.getSpecialEvent({ params: { eventId: id } });
  const found = await world.museum.getSpecialEvent({ params: { eventId: id } });
  expect([failed.status, found.status]).toEqual([status, 200]);
  expect(found.body).toMatchObject({ name });
  expect(found.headers.get("date")).toBe(new Date(world.clock.now()).toUTCString());
  expect(world.journal.list().map(({ world: at, status: met }) => [at, met])).toEqual([
    [world.id, 201],
    [world.id, status],
    [world.id, 200],
  ]);
  return id;
}

function bearer(world: Sandbox): { authorization: string } {
  return { authorization: `Bearer ${world.auth.token()}` };
}
