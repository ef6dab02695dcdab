import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JournalSlice } from "../../src/journal/search.ts";
import type { LiveSandbox } from "../../src/open/live-sandbox.ts";
import type { RemoteSandbox } from "../../src/open/sandbox-methods.ts";
import type { Matcher } from "../../src/rules/grammar.ts";
import type { RemoteWorld } from "../../src/sandbox/controls.ts";
import { DAY_MS } from "../../src/world/time.ts";

/** What a test suite may rely on, whichever way it steers a sandbox. Any text for a name: what is wrong is refused. */
export type Steered =
  | LiveSandbox
  | (Omit<RemoteWorld, "fork"> & Pick<RemoteSandbox, "museum" | "account" | "auth" | "fetch" | "fork">);

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

    test("log in as the first user or a named user, and reject with the 429", async () => {
      expect(await sandbox.auth.login()).toEqual({ authorization: expect.stringContaining("Bearer ") });
      await sandbox.auth.login({ email: "contabilita@example.test" });
      await sandbox.auth.login({ environment: "sandbox" });
      await expect(sandbox.auth.login()).rejects.toThrow(
        /login of "ada@example.test" failed with 429: .*every 24 hours/,
      );
      expect(await sandbox.journal.count({ operation: "account.login", status: 200 })).toBe(3);
    });

    test("move the clock", async () => {
      const { clock } = sandbox;
      expect(await clock.now()).toBe(NOW);
      expect(await clock.advance("12h")).toBeUndefined();
      await clock.advance(DAY_MS / 2);
      expect(await clock.now()).toBe(NOW + DAY_MS);
      await clock.set("2026-04-01T00:00:00Z");
      await clock.freeze(new Date(NOW));
      expect(await clock.now()).toBe(NOW);
      await clock.resume();
      await clock.freeze();
      expect(await clock.now()).toBeGreaterThanOrEqual(NOW);
    });

    test("throw the same errors with the same messages", async () => {
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

    test("switch a rule off and on, move it, and put another in its place", async () => {
      const answer = async () => (await sandbox.museum.listSpecialEvents()).status;
      const rule = (id: string, status: number) => ({ id, when: LIST, then: { respond: { status } } });
      await sandbox.use(rule("later", 502));
      await sandbox.use(rule("first", 503));
      expect(await answer()).toBe(503);
      await sandbox.rules.update("first", { enabled: false });
      expect(await answer()).toBe(502);
      expect((await sandbox.journal.get(2)).rules).toContainEqual({
        rule: "first",
        outcome: "skipped",
        why: "it is switched off",
      });
      expect(await sandbox.rules.list()).toMatchObject([
        { id: "first", enabled: false, acted: 1 },
        { id: "later", enabled: true, acted: 1 },
      ]);
      await sandbox.rules.update("later", { before: "first" });
      await sandbox.rules.update("first", { enabled: true });
      expect(await answer()).toBe(502);
      await sandbox.rules.update("later", { before: null });
      expect(await answer()).toBe(503);
      await sandbox.rules.update("first", { rule: { when: LIST, then: { respond: { status: 504 } } } });
      expect(await answer()).toBe(504);
      expect(await sandbox.rules.list()).toMatchObject([{ id: "first", acted: 1 }, { id: "later" }]);
      await sandbox.rules.clear();
      expect([await answer(), await sandbox.rules.list()]).toEqual([200, []]);
    });

    test("change a rule only in the allowed ways", async () => {
      await sandbox.scenario({ version: 1, rules: [{ id: "busy", when: LIST, then: { pass: true } }] });
      await sandbox.use({ id: "mine", when: LIST, then: { pass: true } });
      const before = await sandbox.rules.list();
      const refused = async (id: string, change: object) =>
        await expect(async () => sandbox.rules.update(id, change)).rejects;
      await (await refused("mein", { enabled: false })).toThrow('Did you mean "mine"?');
      await (await refused("mine", { before: "buzy" })).toThrow('Did you mean "busy"?');
      await (await refused("mine", { before: "busy" })).toThrow("rules added at run time always come before");
      await (await refused("mine", { rule: { then: { fault: "rest" } } })).toThrow('Did you mean "reset"?');
      await (await refused("mine", { rule: { id: "yours", then: {} } })).toThrow(
        "Cannot change the id of rule",
      );
      expect(await sandbox.rules.list()).toEqual(before);
    });

    test("apply a scenario, by name and as a value", async () => {
      await sandbox.scenario("museum-empty");
      expect(await sandbox.data.museum?.specialEvents?.all()).toEqual([]);
      await sandbox.scenario({
        version: 1,
        rules: [{ id: "busy", when: LIST, then: { respond: { status: 503 } } }],
      });
      expect((await sandbox.museum.listSpecialEvents()).status).toBe(503);
      expect((await sandbox.rules.list()).map(({ id }) => id)).toEqual(["busy"]);
    });

    test("apply several scenarios, names and values mixed, each on top of the earlier ones", async () => {
      const clock = { at: "2026-07-01T00:00:00Z" };
      await sandbox.scenario(["museum-empty", { version: 1, clock }, "login-throttled"]);
      expect(await sandbox.data.museum?.specialEvents?.all()).toEqual([]);
      expect(await sandbox.clock.now()).toBe(Date.parse(clock.at));
      await sandbox.addScenario({ version: 1, rules: [{ id: "top", when: LIST, then: { pass: true } }] });
      expect((await sandbox.rules.list()).map(({ id }) => id)).toEqual(["top", "throttled"]);
      const before = await sandbox.state();
      await expect(sandbox.scenario(["museum-full-week", { version: 2 }])).rejects.toMatchObject({
        code: "badScenario",
      });
      expect(await sandbox.state()).toEqual(before);
    });

    test("remove one scenario of several: its rules and settings go, its data and clock stay", async () => {
      const at = "2026-07-01T00:00:00Z";
      const rules = [{ id: "busy", when: LIST, then: { respond: { status: 503 } } }];
      await sandbox.scenario(["museum-empty"]);
      await sandbox.addScenario({ version: 1, clock: { at }, settings: { museum: { strict: true } }, rules });
      await sandbox.addScenario("login-throttled");
      expect(await sandbox.removeScenario("scenario")).toContain(
        '"scenario" are removed. Its data and clock',
      );
      expect((await sandbox.currentScenario()).name).toBe("museum-empty + login-throttled");
      expect((await sandbox.rules.list()).map(({ id }) => id)).toEqual(["throttled"]);
      const settings = await sandbox.catalogue.settings();
      expect(settings.find(({ name }) => name === "museum.strict")).toMatchObject({ value: false });
      expect((await sandbox.museum.listSpecialEvents()).body).toEqual([]);
      expect(await sandbox.clock.now()).toBe(Date.parse(at));
      await expect(async () => sandbox.removeScenario("login-throtled")).rejects.toThrow(
        'Unknown active scenario "login-throtled". Did you mean "login-throttled"?',
      );
    });

    test("hold requests at a gate and let them go", async () => {
      await sandbox.use({ when: LIST, then: { hold: "checkout" } });
      const held = sandbox.museum.listSpecialEvents();
      await expect.poll(async () => (await sandbox.gates.waiting()).length).toBe(1);
      expect(await sandbox.report()).toMatchObject({ ok: false });
      await expect((async () => sandbox.verify())()).rejects.toMatchObject({ code: "notVerified" });
      expect(await sandbox.gates.release("checkout", 99)).toBe(0);
      expect(await sandbox.gates.release("checkout")).toBe(1);
      expect((await held).status).toBe(200);
    });

    test("read and write data, all or nothing", async () => {
      const events = sandbox.data.museum?.specialEvents;
      if (events === undefined) throw new Error("no such collection");
      const eventId = "0b6d1f0e-5d0a-4c57-9a53-6a4f5a2f7c11";
      await events.replace([{ ...EVENT, eventId }]);
      expect(await events.all()).toEqual([{ ...EVENT, eventId }]);
      await events.upsert({ ...EVENT, eventId, price: 5 });
      expect(await events.get(eventId)).toMatchObject({ price: 5 });
      await expect(async () => events.replace([{ ...EVENT, eventId, price: 6 }, {}])).rejects.toThrow();
      expect(await events.get(eventId)).toMatchObject({ price: 5 });
      await events.remove(eventId);
      expect(await events.get(eventId)).toBe(undefined);
    });

    test("find, wait for and verify exchanges", async () => {
      const waited = sandbox.journal.waitFor(LIST.operation, { within: 5_000 });
      await sandbox.museum.listSpecialEvents();
      expect(await waited).toMatchObject({
        operation: "museum.listSpecialEvents",
        at: "2026-03-01T09:00:00.000Z",
      });
      expect(await sandbox.journal.count(LIST.operation)).toBe(1);
      expect(await sandbox.journal.list(LIST.operation)).toHaveLength(1);
      expect(await sandbox.journal.verify(LIST.operation)).toMatchObject({ ok: true });
      expect(await sandbox.journal.list({ ...LIST, status: 404 })).toEqual([]);
      expect(await sandbox.journal.verify({ ...LIST, times: 2 })).toMatchObject({ ok: false, found: 1 });
      expect(await sandbox.journal.verify({ ...LIST, times: { min: 1, max: 3 } })).toMatchObject({
        ok: true,
      });
      expect(await sandbox.journal.expect({ ...LIST, times: 1 })).toMatchObject({ ok: true, found: 1 });
      await expect(sandbox.journal.expect({ ...LIST, times: 2 })).rejects.toMatchObject({
        code: "notVerified",
        message: expect.stringContaining('"museum.listSpecialEvents": expected exactly 2, found 1.'),
      });
      await expect(
        sandbox.journal.waitFor({ ...LIST, status: 500 }, { within: "1ms" }),
      ).rejects.toMatchObject({
        code: "timedOut",
      });
      await sandbox.journal.clear();
      expect(await sandbox.journal.count()).toBe(0);
    });

    test("find one exchange, the newest exchanges, those before a number, and open ones", async () => {
      for (let count = 0; count < 3; count += 1) await sandbox.museum.listSpecialEvents();
      const numbers = async (matcher: Matcher, page: JournalSlice) =>
        (await sandbox.journal.list(matcher, page)).map(({ seq }) => seq);
      expect(await numbers({}, { limit: 2 })).toEqual([2, 3]);
      expect(await numbers({}, { before: 3 })).toEqual([1, 2]);
      expect(await numbers({ status: 200 }, { before: 3, limit: 1 })).toEqual([2]);
      expect(await sandbox.journal.get(2)).toMatchObject({ seq: 2, operation: LIST.operation, status: 200 });
      await expect(async () => sandbox.journal.get(7)).rejects.toThrow(
        "No exchange #7: the journal has #1 to #3.",
      );
      await expect(async () => sandbox.journal.list({}, { limit: 0 })).rejects.toThrow("limit must be");
      expect(await sandbox.journal.list({ state: "open" })).toEqual([]);
      await sandbox.use({ when: LIST, then: { hold: "door" } });
      const held = sandbox.museum.listSpecialEvents();
      await expect.poll(async () => (await sandbox.gates.waiting()).length).toBe(1);
      const [open, ...others] = await sandbox.journal.list({ state: "open" });
      expect([open, others]).toMatchObject([
        { seq: 4, state: "open", waits: expect.stringMatching(/^gate door, rule use-/) },
        [],
      ]);
      await expect(sandbox.journal.idle({ within: "1ms" })).rejects.toThrow(
        /^Still open after 1ms: #4 GET .* open, waits: gate/,
      );
      const unknown = await sandbox.journal.verify({ ...LIST, status: 500, times: 0 });
      expect(unknown.undecided).toMatchObject([
        { seq: 4, why: expect.stringContaining("its status is not known yet") },
      ]);
      expect(await sandbox.journal.verify({ ...LIST, times: 3 })).toMatchObject({ ok: false, found: 4 });
      expect(open).not.toHaveProperty("status");
      await sandbox.gates.release("door");
      await held;
      await sandbox.journal.idle();
      expect(await sandbox.journal.list({ state: "open" })).toEqual([]);
    });

    test("list the users with valid tokens, and let a user log in again", async () => {
      await sandbox.auth.login();
      const [token, ...others] = await sandbox.auth.tokens();
      expect([token, others]).toEqual([
        {
          environment: "account",
          user: "ada@example.test",
          issued: "2026-03-01T09:00:00.000Z",
          expires: "2026-03-02T09:00:00.000Z",
          nextLogin: "2026-03-02T09:00:00.000Z",
        },
        [],
      ]);
      await expect(sandbox.auth.login()).rejects.toThrow("429");
      await sandbox.auth.clearThrottle("ada@example.test");
      expect(await sandbox.auth.tokens()).toMatchObject([{ issued: token?.issued }]);
      expect((await sandbox.auth.tokens())[0]).not.toHaveProperty("nextLogin");
      await sandbox.clock.advance("1m");
      await sandbox.auth.login();
      expect(await sandbox.auth.tokens()).toHaveLength(2);
      await sandbox.clock.advance("24h");
      expect(await sandbox.auth.tokens()).toEqual([]);
      await expect(async () => sandbox.auth.clearThrottle("adda@example.test")).rejects.toThrow(
        'Did you mean "ada@example.test"?',
      );
    });

    test("list the known names, such as presets and operations", async () => {
      const { catalogue } = sandbox;
      expect(await catalogue.presets()).toContainEqual(
        expect.objectContaining({ name: "museum-empty", title: expect.any(String) }),
      );
      const operations = await catalogue.operations();
      const create = operations.find(({ name }) => name === "museum.createSpecialEvent");
      expect(create).toMatchObject({ service: "museum", method: "POST", path: "/special-events" });
      const invalid = create?.outcomes.find(({ problem }) => problem === "invalidInput");
      expect(invalid).toMatchObject({ status: 400, rule: { then: { problem: "invalidInput" } } });
      await sandbox.scenario({ version: 1, settings: { museum: { strict: true } } });
      const settings = await catalogue.settings();
      expect(settings.find(({ name }) => name === "museum.strict")).toMatchObject({
        value: true,
        default: false,
      });
      expect(settings.find(({ name }) => name === "account.login.every")).toMatchObject({ value: "24h" });
      expect(await catalogue.credentials()).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ environment: "museum", any: true }),
          expect.objectContaining({ environment: "account", user: "ada@example.test" }),
        ]),
      );
      expect((await catalogue.assumptions()).map(({ service }) => service)).toContain("account");
    });

    test("check a rule or a scenario before it is used, and change nothing", async () => {
      const before = await sandbox.state();
      expect(await sandbox.check({ rule: { when: LIST, then: { fault: "reset" } } })).toEqual({
        ok: true,
        mistakes: [],
      });
      const wrong = await sandbox.check({
        scenario: {
          version: 1,
          rules: [{ when: { operation: "museum.lst" }, then: { fault: "rest" } }],
        },
      });
      expect(wrong.ok).toBe(false);
      expect(wrong.mistakes.map(({ pointer }) => pointer).sort()).toEqual([
        "/rules/0/then/fault",
        "/rules/0/when/operation",
      ]);
      expect(await sandbox.check({ scenario: ["museum-empty", "login-throttled"] })).toMatchObject({
        ok: true,
      });
      expect(await sandbox.state()).toEqual(before);
    });

    test("explain how a request would be handled, and change nothing", async () => {
      await sandbox.use({ id: "slow", when: LIST, then: { delay: "30s" } });
      await sandbox.use({
        id: "gone",
        when: { operation: "museum.deleteSpecialEvent" },
        then: { hold: "door" },
      });
      await sandbox.use({
        id: "page-2",
        when: { ...LIST, query: { page: 2 } },
        then: { problem: "invalidInput" },
      });
      const before = await sandbox.state();
      expect(await sandbox.explain({ method: "GET", path: "/special-events?page=2" })).toMatchObject({
        operation: LIST.operation,
        status: 400,
        problem: "invalidInput",
        rules: [
          { rule: "page-2", applied: true },
          { rule: "gone", applied: false, why: "it is for museum.deleteSpecialEvent" },
          { rule: "slow", applied: true },
        ],
      });
      const path = "/museum/v1.1/special-events/{eventId}";
      expect(await sandbox.explain({ method: "DELETE", path })).toMatchObject({ status: 204 });
      const body = { ...EVENT, price: "free" };
      expect(await sandbox.explain({ method: "POST", path: "/special-events", body })).toMatchObject({
        status: 400,
      });
      await expect(sandbox.explain({ method: "GET", path: "/special-event" })).rejects.toThrow(
        "No operation matches GET /special-event.",
      );
      expect([await sandbox.state(), await sandbox.journal.count()]).toEqual([before, 0]);
      expect(
        (await sandbox.coverage.data()).documented.some(
          ({ status, operation, count }) =>
            operation === "museum.deleteSpecialEvent" && status === 204 && count > 0,
        ),
      ).toBe(false);
    });

    test("list snapshots, tell what has changed since one, and remove them", async () => {
      await sandbox.snapshot("before");
      const other = await sandbox.snapshot();
      expect((await sandbox.snapshots.list()).map(({ id }) => id)).toEqual(["before", other.id]);
      expect(await sandbox.snapshots.diff("before")).toEqual({
        collections: {},
        clock: false,
        settings: false,
        rules: false,
      });
      const made = await sandbox.museum.createSpecialEvent({ body: EVENT });
      await sandbox.clock.advance("1h");
      await sandbox.use({ when: LIST, then: { pass: true } });
      const eventId = made.ok ? made.body.eventId : "";
      expect(await sandbox.snapshots.diff("before")).toMatchObject({
        collections: { "museum/specialEvents": { added: [eventId], removed: [], changed: [] } },
        clock: true,
        settings: false,
        rules: true,
      });
      await sandbox.snapshots.remove("before");
      await expect(async () => sandbox.snapshots.diff("before")).rejects.toMatchObject({
        code: "unknownName",
      });
      expect((await sandbox.snapshots.list()).map(({ id }) => id)).toEqual([other.id]);
    });

    test("accept a lone surrogate in the name of a snapshot, though no URL can contain it", async () => {
      expect((await sandbox.snapshot("half \ud800")).id).toBe("half \ud800");
      expect((await sandbox.snapshots.list()).map(({ id }) => id)).toContain("half \ud800");
    });

    test("create worlds from a world or a record, list them, and end them", async () => {
      await sandbox.use({ id: "busy", when: LIST, then: { respond: { status: 503 } } });
      const name = `${sandbox.id}-copy`;
      const copy = await sandbox.worlds.put(name, { from: sandbox.id });
      expect((await copy.rules.list()).map(({ id }) => id)).toEqual(["busy"]);
      await expect(async () => sandbox.worlds.put(name, { from: sandbox.id })).rejects.toMatchObject({
        code: "worldExists",
      });
      await sandbox.rules.clear();
      await sandbox.worlds.put(name, { record: await sandbox.record() }, { replace: true });
      expect(await copy.rules.list()).toEqual([]);
      expect((await sandbox.worlds.list()).map(({ id }) => id)).toContain(name);
      await sandbox.worlds.remove(name);
      expect((await sandbox.worlds.list()).map(({ id }) => id)).not.toContain(name);
    });

    test("report the current scenario, and clear it", async () => {
      expect(await sandbox.currentScenario()).toEqual({ name: "default", rules: [] });
      await sandbox.scenario("login-throttled");
      expect(await sandbox.currentScenario()).toMatchObject({
        name: "login-throttled",
        rules: ["throttled"],
      });
      await sandbox.clearScenario();
      expect(await sandbox.currentScenario()).toMatchObject({ name: "default", rules: [] });
    });

    test("make tokens, record usage and read the mails it sets off", async () => {
      const receipt = await sandbox.usage.record({ sent: 10, received: 4 });
      const at = "2026-03-01T09:00:00.000Z";
      expect(receipt).toMatchObject({ environment: "account", at, preSales: [{ paid: "3.50" }] });
      expect(await sandbox.mailbox.messages({ to: "ops@example.test" })).toMatchObject([{ at }]);
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

    test("fork an independent world, and end it", async () => {
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

    test("accept a scenario name only if it is not a path", async () => {
      const refused = sandbox.scenario({ name: "../../etc/passwd" });
      await expect(refused).rejects.toMatchObject({ name: "UsageError" });
    });

    test("report coverage and the habits of the client", async () => {
      await sandbox.museum.listSpecialEvents();
      const { documented } = await sandbox.coverage.data();
      expect(
        documented.find(({ operation, status }) => operation === LIST.operation && status === 200)?.count,
      ).toBeGreaterThan(0);
      await sandbox.fetch("/account/consumptions?password=secret");
      expect((await sandbox.lint()).map(({ rule }) => rule)).toContain("credentialsInQuery");
    });

    test("return the journal as a capsule and as a HAR", async () => {
      await sandbox.museum.listSpecialEvents();
      const { journal, seed, stage } = await sandbox.capsule();
      expect(journal.at(-1)).toMatchObject({ operation: LIST.operation, status: 200 });
      expect(seed).toBe(1);
      expect(stage).not.toEqual([]);
      expect((await sandbox.har()).log["entries"]).toHaveLength(journal.length);
      expect((await sandbox.har({ status: 404 })).log["entries"]).toEqual([]);
      expect((await sandbox.capsule({ status: 404 })).journal).toEqual([]);
    });
  });
}
