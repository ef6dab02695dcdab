import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { LiveSandbox } from "../../src/live-sandbox.ts";
import type { Controls } from "../../src/sandbox/controls.ts";
import type { RemoteSandbox } from "../../src/sandbox-verbs.ts";
import { DAY_MS } from "../../src/world/time.ts";

/** What a test suite may rely on, whichever way it steers a sandbox. */
/** With any text for a name: what is wrong is refused when it is called. */
export type Steered =
  | LiveSandbox
  | (Omit<Controls, "fork"> & Pick<RemoteSandbox, "museum" | "account" | "auth" | "fetch" | "fork">);

export const CLOCK = "2026-03-01T09:00:00Z";
const NOW = Date.parse(CLOCK);
const EVENT = {
  name: "Lamps",
  location: "Hall 2",
  eventDescription: "Dark",
  dates: ["2026-03-31"],
  price: 0,
};
const LIST = { operation: "museum.listSpecialEvents" };

/** `open` starts a sandbox whose clock is frozen at CLOCK. */
export function describeControls(
  way: string,
  open: () => Promise<{ sandbox: Steered; end(): Promise<void> }>,
) {
  describe(`controls ${way}`, () => {
    let sandbox: Steered;
    let end: () => Promise<void>;
    beforeEach(async () => {
      ({ sandbox, end } = await open());
    });
    afterEach(() => end());

    test("log in as the first user, or as the one that is named, and tell a refusal", async () => {
      expect(await sandbox.auth.login()).toEqual({ authorization: expect.stringContaining("Bearer ") });
      await sandbox.auth.login({ email: "contabilita@example.test" });
      await sandbox.auth.login({ environment: "sandbox" });
      await expect(sandbox.auth.login()).rejects.toThrow(
        /login of "ada@example.test" was refused with 429: .*every 24 hours/,
      );
      expect(await sandbox.journal.count({ operation: "account.login", status: 200 })).toBe(3);
    });

    test("move the clock", async () => {
      const { clock } = sandbox;
      expect(await clock.now()).toBe(NOW);
      await clock.advance("24h");
      expect(await clock.now()).toBe(NOW + DAY_MS);
      await clock.set("2026-04-01T00:00:00Z");
      await clock.freeze(new Date(NOW));
      expect(await clock.now()).toBe(NOW);
      await clock.resume();
      await clock.freeze();
      expect(await clock.now()).toBeGreaterThanOrEqual(NOW);
    });

    test("say what is wrong in the same words", async () => {
      await expect(async () => sandbox.clock.advance("soon")).rejects.toMatchObject({
        code: "badDuration",
        message: expect.stringContaining('"soon" is not a duration'),
      });
      await expect(async () =>
        sandbox.use({ when: { operation: "museum.lst" }, then: {} }),
      ).rejects.toMatchObject({
        code: "badScenario",
      });
      await expect(sandbox.scenario("no-such-scenario")).rejects.toMatchObject({ code: "unknownScenario" });
      await expect(async () => sandbox.rules.remove("nothing")).rejects.toMatchObject({
        code: "unknownName",
      });
      await expect(async () => sandbox.restore("nothing")).rejects.toMatchObject({ code: "unknownName" });
      await expect(async () => sandbox.fork("a b")).rejects.toMatchObject({ code: "badOption" });
      await expect(async () => sandbox.auth.token({ user: "nobody@example.test" })).rejects.toMatchObject({
        code: "unknownName",
      });
      const events = sandbox.data.museum?.specialEvents;
      await expect(async () => events?.upsert([{ name: 1 }])).rejects.toMatchObject({ code: "badData" });
    });

    test("add and remove rules, and see them act", async () => {
      const id = await sandbox.use({ when: LIST, limit: { times: 1 }, then: { respond: { status: 503 } } });
      expect((await sandbox.museum.listSpecialEvents()).status).toBe(503);
      expect((await sandbox.museum.listSpecialEvents()).status).toBe(200);
      expect(await sandbox.rules.list()).toEqual([
        expect.objectContaining({ id, origin: "run time", acted: 1 }),
      ]);
      await sandbox.rules.remove(id);
      expect(await sandbox.rules.list()).toEqual([]);
    });

    test("lay a scenario, by name and as a value", async () => {
      await sandbox.scenario("museum-empty");
      expect(await sandbox.data.museum?.specialEvents?.all()).toEqual([]);
      await sandbox.scenario({
        version: 1,
        rules: [{ id: "busy", when: LIST, then: { respond: { status: 503 } } }],
      });
      expect((await sandbox.museum.listSpecialEvents()).status).toBe(503);
      expect((await sandbox.rules.list()).map(({ id }) => id)).toEqual(["busy"]);
    });

    test("lay several scenarios, names and values mixed, a later one over an earlier", async () => {
      const clock = { at: "2026-07-01T00:00:00Z" };
      await sandbox.scenario(["museum-empty", { version: 1, clock }, "login-throttled"]);
      expect(await sandbox.data.museum?.specialEvents?.all()).toEqual([]);
      expect(await sandbox.clock.now()).toBe(Date.parse(clock.at));
      expect((await sandbox.rules.list()).map(({ id }) => id)).toEqual(["throttled"]);
      const before = await sandbox.state();
      await expect(sandbox.scenario(["museum-full-week", { version: 2 }])).rejects.toMatchObject({
        code: "badScenario",
      });
      expect(await sandbox.state()).toEqual(before);
    });

    test("hold requests at a gate and let them go", async () => {
      await sandbox.use({ when: LIST, then: { hold: "checkout" } });
      const held = sandbox.museum.listSpecialEvents();
      await expect.poll(async () => (await sandbox.gates.waiting()).length).toBe(1);
      expect(await sandbox.report()).toMatchObject({ ok: false });
      await expect((async () => sandbox.verify())()).rejects.toMatchObject({ code: "notVerified" });
      expect(await sandbox.gates.release("checkout")).toBe(1);
      expect((await held).status).toBe(200);
    });

    test("read and write data, all or nothing", async () => {
      const events = sandbox.data.museum?.specialEvents;
      if (events === undefined) throw new Error("no such collection");
      const eventId = "0b6d1f0e-5d0a-4c57-9a53-6a4f5a2f7c11";
      await events.replace([{ ...EVENT, eventId }]);
      expect(await events.all()).toEqual([{ ...EVENT, eventId }]);
      await events.upsert([{ ...EVENT, eventId, price: 5 }]);
      expect(await events.get(eventId)).toMatchObject({ price: 5 });
      await expect(async () => events.replace([{ ...EVENT, eventId, price: 6 }, {}])).rejects.toThrow();
      expect(await events.get(eventId)).toMatchObject({ price: 5 });
      await events.remove([eventId]);
      expect(await events.get(eventId)).toBe(undefined);
    });

    test("find, wait for and verify exchanges", async () => {
      const waited = sandbox.journal.waitFor({ ...LIST, status: 200 }, { within: "5s" });
      await sandbox.museum.listSpecialEvents();
      expect(await waited).toMatchObject({
        operation: "museum.listSpecialEvents",
        at: "2026-03-01T09:00:00.000Z",
      });
      expect(await sandbox.journal.count(LIST)).toBe(1);
      expect(await sandbox.journal.list({ ...LIST, status: 404 })).toEqual([]);
      expect(await sandbox.journal.verify({ ...LIST, times: 2 })).toMatchObject({ ok: false, found: 1 });
      expect(await sandbox.journal.verify({ ...LIST, times: { min: 1, max: 3 } })).toMatchObject({
        ok: true,
      });
      await expect(
        sandbox.journal.waitFor({ ...LIST, status: 500 }, { within: "1ms" }),
      ).rejects.toMatchObject({
        code: "timedOut",
      });
      await sandbox.journal.clear();
      expect(await sandbox.journal.count()).toBe(0);
    });

    test("make tokens, record usage and read the mails it sets off", async () => {
      const receipt = await sandbox.usage.record({ sent: 1, received: 1 });
      expect(receipt).toMatchObject({ environment: "account", at: "2026-03-01T09:00:00.000Z" });
      expect(await sandbox.mailbox.messages({ to: "nobody@example.test" })).toEqual([]);
      await expect(
        sandbox.mailbox.waitFor({ to: "nobody@example.test" }, { within: "1ms" }),
      ).rejects.toMatchObject({
        code: "timedOut",
      });
      await sandbox.mailbox.clear();
      expect(await sandbox.mailbox.messages()).toEqual([]);
      const headers = { authorization: `Bearer ${await sandbox.auth.token({ kind: "expired" })}` };
      expect((await sandbox.account.getUser({ params: { id: "me" }, headers })).status).toBe(401);
      expect((await sandbox.account.getUser({ params: { id: "me" } })).status).toBe(200);
      expect((await sandbox.auth.keys()).keys).toHaveLength(1);
    });

    test("snapshot, restore and reset", async () => {
      const start = (await sandbox.state()).digest;
      const before = await sandbox.snapshot();
      await sandbox.museum.createSpecialEvent({ body: EVENT });
      const named = await sandbox.snapshot("with-event");
      expect(named.id).toBe("with-event");
      await sandbox.restore(before as never);
      expect((await sandbox.state()).digest).toBe(start);
      await sandbox.restore("with-event");
      expect((await sandbox.state()).digest).not.toBe(start);
      await sandbox.reset();
      expect(await sandbox.state()).toMatchObject({ digest: start, exchanges: 0, mails: 0 });
    });

    test("fork a world that goes its own way, and end it", async () => {
      const world = await sandbox.fork("cart-test");
      expect(world.id).toBe("cart-test");
      expect(world.urls.museum).toContain("/~cart-test/museum/v1.1");
      const created = await world.museum.createSpecialEvent({ body: EVENT });
      expect(created.headers.get("location")).toMatch(/^\/~cart-test\//);
      await world.clock.advance("3d");
      expect(await sandbox.clock.now()).toBe(NOW);
      expect(await sandbox.journal.count()).toBe(0);
      await world.close();
      expect((await sandbox.fetch("/~cart-test/museum/v1.1/special-events")).status).toBe(404);
    });

    test("take scenarios by name only where the name is no path", async () => {
      const refused = sandbox.scenario({ name: "../../etc/passwd" });
      await expect(refused).rejects.toMatchObject({ name: "UsageError" });
    });

    test("tell coverage and habits", async () => {
      await sandbox.museum.listSpecialEvents();
      const { documented } = await sandbox.coverage.data();
      expect(
        documented.find(({ operation, status }) => operation === LIST.operation && status === 200)?.count,
      ).toBeGreaterThan(0);
      await sandbox.fetch("/account/consumptions?password=secret");
      expect((await sandbox.lint()).map(({ rule }) => rule)).toContain("credentialsInQuery");
    });

    test("give the journal as a capsule and as an archive", async () => {
      await sandbox.museum.listSpecialEvents();
      const { journal, seed, stage } = await sandbox.capsule();
      expect(journal.at(-1)).toMatchObject({ operation: LIST.operation, status: 200 });
      expect(seed).toBe(1);
      expect(stage).not.toEqual([]);
      expect((await sandbox.har()).log["entries"]).toHaveLength(journal.length);
    });
  });
}
