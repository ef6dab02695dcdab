// A team's sandbox as its members and its bill live it: who gets in, what a world has to itself, what is kept, what is too much.

import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { controlOperations } from "../../../src/control/table.ts";
import { createSandbox } from "../../../src/open/create-sandbox.ts";
import { asked, HOST, OTHER_TOKEN, OTHERS, runWorker, TEAM, TOKEN } from "./miniflare.ts";

const JSON_TYPE = { "content-type": "application/json" };
const BASIC = { authorization: `Basic ${btoa("guide:secret")}` };
const BEARER = { authorization: `Bearer ${TOKEN}` };
const EVENTS = "/museum/v1.1/special-events";
const EVENT = {
  name: "Night of the lamps",
  location: "Hall 2",
  eventDescription: "After dark",
  dates: ["2026-03-31"],
  price: 12.5,
};
const LONG = { timeout: 300_000 };
const NOW = Date.parse("2026-03-01T09:00:00Z");

/** A team with these limits, in place of the usual ones. */
function limited(limits: object, now?: number) {
  const tokens = [createHash("sha256").update(TOKEN).digest("hex")];
  return runWorker({ teams: { [TEAM]: { tokens, limits } } }, now);
}

type Stored = { readonly rows: Readonly<Record<string, readonly unknown[]>>; readonly alarm: boolean };
const storedIn = ({ body }: { readonly body: string }) => JSON.parse(body) as readonly Stored[];

describe("access", () => {
  test("the control API refuses every request without the token, and creates no world", LONG, async () => {
    const { port, behind } = await runWorker();
    for (const { method, path } of Object.values(controlOperations)) {
      if (path === "/ready") continue;
      const given = {
        method: method.toUpperCase(),
        headers: JSON_TYPE,
        body: method === "get" ? undefined : "{}",
      };
      const filled = path.replace(/\{\w+\}/g, "x");
      for (const token of [{}, { authorization: "Bearer wrong" }]) {
        const headers = { ...JSON_TYPE, ...token };
        const answer = await asked(port, HOST, `/${TEAM}/_vitrine${filled}`, { ...given, headers });
        expect([path, answer.status, answer.body]).toEqual([
          path,
          401,
          expect.stringContaining("urn:vitrine:sandbox"),
        ]);
      }
    }
    const stored = storedIn(await behind("stored", `world=main&world=x&team=${TEAM}`));
    expect(stored).toEqual([1, 2, 3].map(() => ({ rows: {}, alarm: false })));
  });

  test(
    "a token of another team does not open this team, and a guessed name finds nothing",
    LONG,
    async () => {
      const { port } = await runWorker();
      const state = (team: string, token: string) =>
        asked(port, HOST, `/${team}/_vitrine/state`, { headers: { authorization: `Bearer ${token}` } });
      expect((await state(TEAM, TOKEN)).status).toBe(200);
      expect((await state(OTHERS, OTHER_TOKEN)).status).toBe(200);
      const foreign = await state(TEAM, OTHER_TOKEN);
      const guessed = await state("no-such-team-here", TOKEN);
      expect([foreign.status, guessed.status]).toEqual([404, 404]);
      expect(foreign.body.replace(TEAM, "")).toBe(guessed.body.replace("no-such-team-here", ""));
      expect((await asked(port, HOST, `/guess${EVENTS}`, { headers: BASIC })).status).toBe(404);
    },
  );

  test("the stored data does not contain the token", LONG, async () => {
    const { sandbox, behind } = await runWorker();
    const world = await sandbox.fork("kept");
    await world.museum.createSpecialEvent({ body: EVENT });
    await behind("throw-out", "world=main&world=kept");
    const { body } = await behind("stored", `world=main&world=kept&team=${TEAM}`);
    expect(body).toContain("Night of the lamps");
    expect(body).not.toContain(TOKEN);
  });
});

test(
  "a person who has given the token finds the dashboard of a world and the other worlds of the team",
  LONG,
  async () => {
    const { sandbox, port } = await runWorker();
    await sandbox.fork("cart");
    const page = (headers: Readonly<Record<string, string>>) =>
      asked(port, HOST, `/${TEAM}/~cart/_vitrine/`, { headers: { accept: "text/html", ...headers } });
    const locked = await page({});
    expect([locked.status, Object.fromEntries(locked.headers)["location"]]).toEqual([
      302,
      `/${TEAM}/~cart/_vitrine/locked`,
    ]);
    const open = await page(BEARER);
    expect(open.status).toBe(200);
    expect(open.body).toContain(`http://${HOST}/${TEAM}/~cart/museum/v1.1`);
  },
);

test("the journal has the headers that the client sent, without those that a proxy added", LONG, async () => {
  const { port, sandbox } = await runWorker();
  const added = { "cf-ray": "8f1", "cf-connecting-ip": "192.0.2.1", "x-forwarded-for": "192.0.2.1" };
  await asked(port, HOST, `/${TEAM}${EVENTS}`, { headers: { ...BASIC, "x-own": "kept", ...added } });
  const [exchange] = await sandbox.journal.list();
  expect(Object.keys(exchange?.headers ?? {})).toEqual(["authorization", "host", "x-own"]);
});

test("each of 200 worlds has only its own events, in five rounds", LONG, async () => {
  const { sandbox } = await runWorker();
  const names = Array.from({ length: 200 }, (_none, index) => `world-${index}`);
  const worlds = new Map<string, Awaited<ReturnType<typeof sandbox.fork>>>();
  await inParallel(names, async (name) => void worlds.set(name, await sandbox.fork(name)));
  for (let round = 1; round <= 5; round += 1)
    await inParallel(names, async (name) => {
      const world = worlds.get(name);
      await world?.museum.createSpecialEvent({ body: { ...EVENT, name: `${name}, ${round}` } });
      const events = (await world?.data.museum.specialEvents.all()) ?? [];
      const own = events.map((event) => String(event["name"])).filter((one) => one.startsWith("world-"));
      expect(own).toEqual(Array.from({ length: round }, (_none, index) => `${name}, ${index + 1}`));
    });
  expect(await sandbox.worlds.list()).toHaveLength(201);
  expect(await worlds.get("world-7")?.journal.count({ operation: "museum.createSpecialEvent" })).toBe(5);
  expect(await sandbox.journal.count()).toBe(0);
});

/** Some at a time. */
async function inParallel<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

describe("storage", () => {
  test(
    "rules with their counts, clock, settings, scenario and snapshots survive an eviction of the object",
    LONG,
    async () => {
      const { sandbox, behind } = await runWorker();
      const world = await sandbox.fork("kept");
      const throwOut = () => behind("throw-out", "world=main&world=kept");
      await world.scenario("presale-nearly-used-up");
      await world.clock.freeze("2026-05-01T10:00:00Z");
      await world.use({
        id: "twice",
        when: { operation: "museum.listSpecialEvents" },
        limit: { times: 2 },
        then: { problem: "invalidInput" },
      });
      await world.snapshot("before");
      await throwOut();
      expect((await world.museum.listSpecialEvents()).status).toBe(400);
      await throwOut();
      await world.museum.createSpecialEvent({ body: EVENT });
      expect((await world.museum.listSpecialEvents()).status).toBe(400);
      await throwOut();
      expect((await world.museum.listSpecialEvents()).status).toBe(200);
      expect(await world.clock.now()).toBe(Date.parse("2026-05-01T10:00:00Z"));
      expect((await world.currentScenario()).name).toBe("presale-nearly-used-up");
      expect((await world.rules.list())[0]).toMatchObject({ id: "twice", matched: 2, acted: 2 });
      expect((await world.snapshots.diff("before")).collections).toMatchObject({
        "museum/specialEvents": { added: [expect.any(String)] },
      });
      await world.restore("before");
      await throwOut();
      expect((await world.rules.list())[0]).toMatchObject({ id: "twice", matched: 0 });
      expect(await world.journal.count()).toBe(4);
    },
  );

  test("a long string is unchanged after an eviction, with any characters", LONG, async () => {
    const { sandbox, behind } = await runWorker();
    for (const letters of [450_000, 450_001]) {
      const world = await sandbox.fork("long");
      const eventDescription = "x".repeat(letters) + "😀".repeat(140_000);
      await world.museum.createSpecialEvent({ body: { ...EVENT, eventDescription } });
      await behind("throw-out", "world=main&world=long");
      const events = await world.data.museum.specialEvents.all();
      expect(events.some((event) => event["eventDescription"] === eventDescription)).toBe(true);
      await world.close();
    }
  });

  test("a world of another format is not served, and can be removed", LONG, async () => {
    const { sandbox, behind } = await runWorker();
    const world = await sandbox.fork("old");
    await behind(
      "edit",
      `world=old&from=${encodeURIComponent('"version":2')}&to=${encodeURIComponent('"version":1')}`,
    );
    await behind("throw-out", "world=old");
    const answer = await fetch(`${world.urls.museum}/museum-hours`, { headers: BASIC });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({
      detail: expect.stringMatching(
        /^The stored world old cannot be read\. The record has version 1; .*DELETE/,
      ),
    });
    await sandbox.worlds.remove("old");
    expect((await (await sandbox.fork("old")).museum.getMuseumHours()).status).toBe(200);
  });

  test("a change is one row; a read is none", LONG, async () => {
    const { sandbox, behind } = await runWorker();
    const rows = async () => storedIn(await behind("stored", "world=main"))[0]?.rows["state"]?.length ?? 0;
    await sandbox.museum.listSpecialEvents();
    expect(await rows()).toBe(0);
    await sandbox.museum.createSpecialEvent({ body: EVENT });
    const first = await rows();
    await sandbox.museum.createSpecialEvent({ body: EVENT });
    await sandbox.museum.listSpecialEvents();
    expect(await rows()).toBe(first + 1);
  });

  test("several exchanges share one row, and a full journal is compacted", LONG, async () => {
    const { sandbox, behind } = await limited({ requestsPerSecond: 1_000_000 });
    for (let batch = 0; batch < 80; batch += 1)
      await Promise.all(Array.from({ length: 32 }, () => sandbox.museum.getMuseumHours()));
    const kept = storedIn(await behind("stored", "world=main"))[0]?.rows["journal"]?.length ?? 0;
    expect(kept).toBeGreaterThan(20);
    expect(kept).toBeLessThan(80);
    const [first] = await sandbox.journal.list({}, { limit: 1_000 });
    await behind("throw-out", "world=main");
    expect((await sandbox.journal.list({}, { limit: 1_000 }))[0]).toEqual(first);
    expect(await sandbox.journal.count()).toBe(1_000);
    expect((await sandbox.state()).exchanges).toBe(1_000);
  });

  test("coverage is that of the whole team, of worlds that have ended too", LONG, async () => {
    const { sandbox, behind } = await runWorker();
    const [one, other] = [await sandbox.fork(), await sandbox.fork()];
    await one.museum.createSpecialEvent({ body: EVENT });
    await other.museum.createSpecialEvent({ body: EVENT });
    await other.museum.getMuseumHours();
    await other.close();
    await behind("throw-out", "world=main&world=w1");
    const { documented } = await sandbox.coverage.data();
    const met = documented.filter(({ count }) => count > 0);
    expect(met).toEqual([
      { operation: "museum.createSpecialEvent", status: 201, media: "application/json", count: 2 },
      { operation: "museum.getMuseumHours", status: 200, media: "application/json", count: 1 },
    ]);
    expect((await one.coverage.data()).documented).toEqual(documented);
  });

  test("an idle world is removed with all its stored data, and its name is free again", LONG, async () => {
    const { sandbox, behind } = await runWorker({ worldIdle: "10m" }, NOW);
    const world = await sandbox.fork("idle");
    await world.museum.createSpecialEvent({ body: EVENT });
    const alarmAfter = async (minutes: number) => {
      await behind("later", `ms=${minutes * 60_000}`);
      await behind("alarm", "world=idle");
    };
    await alarmAfter(9);
    expect(await world.museum.listSpecialEvents()).toMatchObject({ status: 200 });
    await alarmAfter(0.5);
    await world.museum.getMuseumHours(); // within the tolerance: not written
    await behind("throw-out", "world=idle");
    await alarmAfter(10.4);
    expect(storedIn(await behind("stored", "world=idle"))).toMatchObject([{ alarm: true }]);
    await alarmAfter(0.1);
    expect(storedIn(await behind("stored", "world=idle"))).toEqual([{ rows: {}, alarm: false }]);
    expect((await world.museum.listSpecialEvents()).status).toBe(404);
    expect((await sandbox.worlds.list()).map(({ id }) => id)).toEqual(["main"]);
    const again = await sandbox.fork("idle");
    expect((await again.museum.listSpecialEvents()).status).toBe(200);
    await behind("throw-out", "world=idle");
    const { documented } = await again.coverage.data();
    const listed = documented.find(
      ({ operation, count }) => operation === "museum.listSpecialEvents" && count > 0,
    );
    expect(listed?.count).toBe(2); // that of the world that has ended, and its own
  });
});

test(
  "a request whose object is evicted gets a response of the sandbox, and the next one is served",
  LONG,
  async () => {
    const { sandbox, behind } = await runWorker();
    await sandbox.use({ id: "held", when: { operation: "museum.getMuseumHours" }, then: { hold: "door" } });
    const held = fetch(`${sandbox.urls.museum}/museum-hours`, { headers: BASIC });
    await expect.poll(() => sandbox.gates.waiting()).toHaveLength(1);
    await behind("throw-out", "world=main");
    const answer = await held;
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await answer.json()).toMatchObject({ type: "urn:vitrine:sandbox" });
    await sandbox.rules.remove("held");
    expect((await sandbox.museum.getMuseumHours()).status).toBe(200);
  },
);

describe("worlds", () => {
  test("can be copied, replaced, and refused as in other runtimes", LONG, async () => {
    const { sandbox } = await runWorker();
    const world = await sandbox.fork();
    expect(world.id).toBe("w1");
    await world.museum.createSpecialEvent({ body: EVENT });
    const copy = await sandbox.worlds.put("copy", { from: "w1" });
    const all = async ({ data }: typeof world) => (await data.museum.specialEvents.all()).length;
    expect(await all(copy)).toBe((await all(sandbox)) + 1);
    await copy.worlds.put("copy", { from: "main" }, { replace: true });
    expect(await all(copy)).toBe(await all(sandbox));
    const record = await world.record();
    const again = await sandbox.worlds.put("again", { record });
    expect(await again.journal.count()).toBe(1);
    await expect(sandbox.worlds.put("copy", { from: "main" })).rejects.toMatchObject({ code: "worldExists" });
    await expect(sandbox.worlds.put("new", { from: "nope" })).rejects.toMatchObject({ code: "unknownName" });
    await expect(sandbox.worlds.remove("nope")).rejects.toMatchObject({ code: "unknownWorld" });
    await expect(sandbox.worlds.remove("main")).rejects.toMatchObject({ code: "badOption" });
    await copy.close();
    expect((await sandbox.worlds.list()).map(({ id }) => id)).toEqual(["main", "w1", "again"]);
  });

  test("do not accept each other's tokens", LONG, async () => {
    const { sandbox } = await runWorker();
    const [one, other] = [await sandbox.fork(), await sandbox.fork()];
    const headers = { authorization: `Bearer ${await one.auth.token()}` };
    expect((await fetch(`${one.urls.account}/pre-sales`, { headers })).status).toBe(200);
    expect((await fetch(`${other.urls.account}/pre-sales`, { headers })).status).toBe(401);
  });
});

describe("the worker refuses", () => {
  test("more worlds than a team may have", LONG, async () => {
    const { sandbox } = await limited({ worlds: 2 });
    await sandbox.fork();
    await sandbox.fork();
    await expect(sandbox.fork()).rejects.toMatchObject({
      code: "worldLimit",
      message: expect.stringContaining("limit of 2 worlds"),
    });
  });

  test("more requests per second than a world allows", LONG, async () => {
    const { port, behind } = await limited({ requestsPerSecond: 2 }, NOW);
    const ask = () => asked(port, HOST, `/${TEAM}${EVENTS}`, { headers: BASIC });
    const answers = await Promise.all(Array.from({ length: 24 }, ask));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(4); // all but those of ten seconds
    await behind("later", "ms=1000");
    const later = [await ask(), await ask(), await ask()];
    expect(later.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(refused[0]?.body).toContain("urn:vitrine:sandbox");
    expect(refused[0]?.headers).toContainEqual(["retry-after", "1"]);
  });

  test("a body or a world that is too large, and leaves the world unchanged", LONG, async () => {
    const { port, sandbox, behind } = await limited({ worldSize: 80_000 });
    const headers = { ...BASIC, ...JSON_TYPE };
    const body = JSON.stringify({ ...EVENT, eventDescription: "x".repeat(1_100_000) });
    expect((await asked(port, HOST, `/${TEAM}${EVENTS}`, { method: "POST", headers, body })).status).toBe(
      413,
    );
    const create = (text: string) =>
      sandbox.museum.createSpecialEvent({ body: { ...EVENT, eventDescription: text } });
    expect((await create("small")).status).toBe(201);
    const before = (await sandbox.state()).digest;
    expect((await create("x".repeat(50_000))).status).toBe(507);
    expect((await sandbox.state()).digest).toBe(before);
    await behind("throw-out", "world=main");
    expect((await sandbox.state()).digest).toBe(before);
    await using local = await createSandbox();
    await local.museum.createSpecialEvent({ body: { ...EVENT, eventDescription: "x".repeat(50_000) } });
    const large = local.record();
    await expect(sandbox.worlds.put("large", { record: large })).rejects.toMatchObject({
      code: "badRecord",
      message: expect.stringContaining("maximum is 80000"),
    });
    expect(await sandbox.worlds.list()).toHaveLength(1);
  });

  test("a request that waits for too long", LONG, async () => {
    const { sandbox } = await limited({ waitSeconds: 1 });
    await sandbox.use({ id: "held", when: { operation: "museum.getMuseumHours" }, then: { hold: "door" } });
    const answer = await fetch(`${sandbox.urls.museum}/museum-hours`, { headers: BASIC });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining("timed out after 1 s") });
    expect(await sandbox.gates.waiting()).toEqual([]);
    await expect(sandbox.journal.waitFor({ status: 418 }, { within: "30s" })).rejects.toThrow(
      /timed out after 1 s/,
    );
  });

  test("the oldest event streams if a world has too many", LONG, async () => {
    const { port, sandbox } = await limited({ eventStreams: 2 });
    const open = () => fetch(`http://127.0.0.1:${port}/${TEAM}/_vitrine/events`, { headers: BEARER });
    const first = await open();
    for (let loads = 0; loads < 9; loads += 1) {
      const { status, body } = await open();
      expect(status).toBe(200);
      await body?.cancel();
    }
    expect(await first.text()).toBe(": open\n\n");
    const last = await open();
    await sandbox.museum.getMuseumHours();
    const reader = last.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; !text.includes("event: exchange"); ) text += (await reader?.read())?.value ?? "";
    await reader?.cancel();
  });

  test("faults that the runtime cannot simulate, and names the supported ones", LONG, async () => {
    const { sandbox } = await runWorker();
    const rule = { when: { operation: "museum.getMuseumHours" }, then: { fault: "truncate" } } as const;
    const refused = {
      message: expect.stringMatching(/truncate is not supported here.*hang, slow-close, dribble/),
    };
    await expect(sandbox.use(rule)).rejects.toMatchObject(refused);
    await expect(sandbox.scenario({ version: 1, rules: [rule] })).rejects.toMatchObject(refused);
    expect(await sandbox.rules.list()).toEqual([]);
    await sandbox.use({ ...rule, then: { fault: "slow-close" } });
    expect((await sandbox.museum.getMuseumHours()).status).toBe(200);
  });
});
