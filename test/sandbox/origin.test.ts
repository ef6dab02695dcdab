// Where a world comes from: a scenario's clock takes the base data along, `default` and `DELETE /scenario` go back to what
// the options gave, and both know the way in forks, records and folders as well.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import { connect } from "../../src/connect.ts";
import { createSandbox, Sandbox as SandboxValue } from "../../src/open/create-sandbox.ts";
import { frozenSandbox, NOW, type TestSandbox, test } from "../support/test.ts";

const DAY = { clock: "2028-02-28T12:00:00Z" };
const LATER = { version: 1, clock: { at: "2028-02-28T12:00:00Z" } } as const;

/** What a client sees in the list that shows the next days. */
const listed = async (sandbox: Pick<TestSandbox, "museum">): Promise<readonly unknown[]> => {
  const { status, body } = await sandbox.museum.listSpecialEvents();
  expect(status).toBe(200);
  return body as readonly unknown[];
};
const put = (url: string, path: string, body: unknown) =>
  fetch(`${url}/_vitrine${path}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

test("a clock is frozen at exactly the requested time, even if it ran before and the machine is slow", async () => {
  const slow = { at: Date.parse(NOW), now: () => slow.at++, pause: async () => {} };
  await using sandbox = await createSandbox({ wall: slow });
  const { url } = await sandbox.listen();
  const frozen = { now: "2028-02-28T12:00:00.000Z", mode: "frozen" };
  await sandbox.scenario(LATER);
  expect(sandbox.state().clock).toEqual(frozen);
  sandbox.clock.resume();
  expect((await put(url, "/clock", { at: DAY.clock, mode: "frozen" })).status).toBe(200);
  expect(sandbox.state().clock).toEqual(frozen);
  await using made = await createSandbox({ wall: slow, scenario: LATER });
  expect(made.state().clock).toEqual(frozen);
});

describe("the base data", () => {
  test("moves with the clock of a scenario, as in a sandbox created with it", async ({ sandbox }) => {
    await using made = await createSandbox({ seed: 7, scenario: LATER });
    expect(await listed(sandbox)).not.toEqual([]);
    await sandbox.scenario(LATER);
    expect(await listed(sandbox)).toEqual(await listed(made));
    expect(await listed(sandbox)).not.toEqual([]);
    for (const collection of ["consumptions", "preSales", "preSaleActions", "users"] as const)
      expect(sandbox.data.account[collection].all()).toEqual(made.data.account[collection].all());
    await sandbox.scenario("presale-expired");
    expect(await listed(sandbox)).not.toEqual([]);
  });

  test("does not move when the clock is set or frozen, unless rebase is set", async ({ sandbox }) => {
    const { url } = await sandbox.listen();
    const before = sandbox.data.museum.specialEvents.all();
    sandbox.clock.freeze(DAY.clock);
    sandbox.clock.set("2028-02-29T12:00:00Z");
    await put(url, "/clock", { at: DAY.clock, mode: "frozen" });
    expect(sandbox.data.museum.specialEvents.all()).toEqual(before);
    expect(await listed(sandbox)).toEqual([]);

    await using made = await frozenSandbox(DAY);
    const wanted = await listed(made);
    sandbox.clock.freeze(DAY.clock, { rebase: true });
    expect(await listed(sandbox)).toEqual(wanted);
    sandbox.clock.set(NOW, { rebase: true });
    expect(sandbox.data.museum.specialEvents.all()).toEqual(before);
    expect((await put(url, "/clock", { at: DAY.clock, rebase: true })).status).toBe(200);
    expect(await listed(sandbox)).toEqual(wanted);
    await (await connect(url)).clock.freeze(NOW, { rebase: true });
    expect(sandbox.data.museum.specialEvents.all()).toEqual(before);
  });

  test("does not move if the scenario sets rebase to false", async ({ sandbox }) => {
    const stays = { version: 1, clock: { ...LATER.clock, rebase: false } } as const;
    const before = sandbox.data.museum.specialEvents.all();
    await sandbox.scenario(stays);
    expect(sandbox.data.museum.specialEvents.all()).toEqual(before);
    await using made = await createSandbox({ scenario: stays });
    const [event] = made.data.museum.specialEvents.all();
    const today = new Date().toISOString().slice(0, 4);
    expect(Number(event?.dates[0]?.slice(0, 4)) - Number(today)).toBeLessThan(2);
  });

  test("moves without the data that clients have written since", async ({ sandbox }) => {
    const [changed, removed, kept] = sandbox.data.museum.specialEvents.all();
    const params = (event = changed) => ({ params: { eventId: event?.eventId ?? "" } });
    await sandbox.museum.updateSpecialEvent({ ...params(), body: { price: 99 } });
    await sandbox.museum.deleteSpecialEvent(params(removed));
    const body = {
      name: "Mine",
      location: "Hall",
      eventDescription: "Own.",
      dates: ["2026-03-05"],
      price: 1,
    };
    await sandbox.museum.createSpecialEvent({ body });
    await sandbox.scenario(LATER);
    const now = (event = changed) => sandbox.data.museum.specialEvents.get(event?.eventId ?? "");
    expect(now()?.dates).toEqual(changed?.dates);
    expect(now(removed)).toBeUndefined();
    expect(now(kept)?.dates).not.toEqual(kept?.dates);
    expect(sandbox.data.museum.specialEvents.all().at(-1)).toMatchObject(body);
  });

  test("moves in a fork and in a record as well, and after a reset", async ({ sandbox }) => {
    await using made = await frozenSandbox(DAY);
    const wanted = await listed(made);
    const fork = sandbox.fork("one");
    await fork.scenario(LATER);
    expect(await listed(fork)).toEqual(wanted);
    await using later = await SandboxValue.from(JSON.parse(JSON.stringify(fork.record())));
    later.clock.freeze(NOW, { rebase: true });
    expect(await listed(later)).toEqual(await listed(sandbox));
    later.reset();
    await later.scenario(LATER);
    expect(await listed(later)).toEqual(wanted);
  });

  test("moves too if it was generated", async () => {
    await using sandbox = await frozenSandbox({ generate: true });
    const before = await listed(sandbox);
    await using later = await SandboxValue.from(sandbox.record());
    for (const one of [sandbox, later]) {
      await one.scenario(LATER);
      expect(await listed(one)).toHaveLength(before.length);
      expect(await listed(one)).not.toEqual(before);
    }
  });

  test("has its date in the capsule if a scenario moved it", async ({ sandbox }) => {
    await sandbox.museum.getMuseumHours();
    await sandbox.scenario(LATER);
    expect(await listed(sandbox)).not.toEqual([]);
    const capsule = sandbox.capsule();
    expect(capsule.clock.base).toBe("2028-02-28");
  });

  test("does not move with a scenario that is rejected", async ({ sandbox }) => {
    const { digest } = sandbox.state();
    const data = { museum: { specialEvents: { remove: ["nobody"] } } };
    await expect(sandbox.scenario({ ...LATER, data })).rejects.toThrow('No entity "nobody"');
    expect(sandbox.state().digest).toBe(digest);
    await sandbox.scenario(LATER);
    expect(await listed(sandbox)).not.toEqual([]);
  });
});

describe("after the end of a scenario", () => {
  /** Each way to say so. */
  const WAYS = [
    ["sandbox.scenario", async (sandbox: TestSandbox) => sandbox.scenario("default")],
    [
      "DELETE /_vitrine/scenario",
      async (sandbox: TestSandbox) => {
        const reply = await sandbox.fetch("/_vitrine/scenario", { method: "DELETE" });
        expect(reply.status).toBe(204);
      },
    ],
    [
      "PUT /_vitrine/scenario",
      async (sandbox: TestSandbox) => {
        const headers = { "content-type": "application/json" };
        const reply = await sandbox.fetch("/_vitrine/scenario", {
          method: "PUT",
          headers,
          body: '{"name":"default"}',
        });
        expect(await reply.json()).toEqual({
          name: "default",
          title: "The base data and the initial clock, without rules",
          rules: [],
        });
      },
    ],
  ] as const;

  test.for(WAYS)(
    "by %s: the state is as the options set it, except for rules of `use` and the journal",
    async ([, end]) => {
      await using plain = await frozenSandbox();
      const { collections, clock } = plain.state();
      await using sandbox = await frozenSandbox({ settings: { museum: { errorDetail: true } } });
      await sandbox.scenario(["leap-day", "login-refused"]);
      await sandbox.scenario({ version: 1, settings: { museum: { strict: true } }, seed: 99 });
      const own = sandbox.use({
        when: { operation: "museum.getMuseumHours" },
        then: { respond: { status: 503 } },
      });
      await sandbox.museum.getMuseumHours();
      expect(sandbox.state().collections["museum/specialEvents"]).toBe(2);

      await end(sandbox);
      expect(sandbox.state()).toMatchObject({ collections, clock, exchanges: 1 });
      expect(sandbox.core.ruleSet.scenario).toMatchObject({ name: "default", rules: [] });
      expect(sandbox.rules.list()).toMatchObject([{ id: own, matched: 1 }]);
      expect(await listed(sandbox)).toEqual(await listed(plain));
      expect((await sandbox.museum.getMuseumHours()).status).toBe(503);
      const refused = await sandbox.fetch("/museum/v1.1/special-events?limit=99", {
        headers: sandbox.auth.basic(),
      });
      expect(await refused.json()).toHaveProperty("errors");
      const body = { name: "A", location: "B", eventDescription: "C", dates: ["2026-03-05"], price: 1 };
      const created = await Promise.all(
        [sandbox, plain].map((one) => one.museum.createSpecialEvent({ body })),
      );
      expect(created[0]?.body).toEqual(created[1]?.body);
    },
  );

  test("the clock and seed of the initial scenario are cleared too", async () => {
    await using sandbox = await createSandbox({ scenario: ["leap-day", { version: 1, seed: 5 }] });
    await sandbox.scenario("default");
    expect(sandbox.state().clock.mode).toBe("ticking");
    expect(Math.abs(sandbox.clock.now() - Date.now())).toBeLessThan(60_000);
    expect(sandbox.core.world.random.seed).toBe(1);
    expect(await listed(sandbox)).not.toEqual([]);
    sandbox.reset();
    expect(sandbox.state()).toMatchObject({
      clock: { mode: "frozen" },
      collections: { "museum/specialEvents": 2 },
    });
  });

  test("the next scenario starts from this state, and a wrong one changes nothing", async ({ sandbox }) => {
    await sandbox.scenario("leap-day");
    const { digest } = sandbox.state();
    const data = { museum: { specialEvents: { remove: ["nobody"] } } };
    await expect(sandbox.scenario(["default", { version: 1, data }])).rejects.toThrow("nobody");
    expect(sandbox.state().digest).toBe(digest);
    await sandbox.scenario(["museum-empty", "default", "login-refused"]);
    expect(sandbox.core.ruleSet.scenario.name).toBe("default + login-refused");
    expect(sandbox.state().clock.now).toBe(NOW);
    expect(await listed(sandbox)).not.toEqual([]);
  });

  test("forks, records and reopened folders have the original state as well", async ({ sandbox }) => {
    const wanted = await listed(sandbox);
    const fork = sandbox.fork("one");
    await fork.scenario("leap-day");
    await using later = await SandboxValue.from(JSON.parse(JSON.stringify(fork.record())));
    const folder = await mkdtemp(join(tmpdir(), "vitrine-origin-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const first = await frozenSandbox({ data: folder });
    await first.scenario("leap-day");
    await first.close();
    await using second = await createSandbox({ data: folder });
    for (const one of [fork, later, second]) {
      expect(await listed(one)).not.toEqual(wanted);
      await one.scenario("default");
      expect(await listed(one)).toEqual(wanted);
      expect(one.state().clock).toEqual({ now: NOW, mode: "frozen" });
    }
  });

  test("a request that waits gets a 503, and does not change the new state", async ({ sandbox }) => {
    await sandbox.scenario({
      version: 1,
      rules: [{ when: { operation: "museum.createSpecialEvent" }, then: { hold: "gate" } }],
    });
    const body = { name: "A", location: "B", eventDescription: "C", dates: ["2026-03-05"], price: 1 };
    const waiting = sandbox.museum.createSpecialEvent({ body });
    await sandbox.gates.arrived("gate");
    await sandbox.scenario("default");
    expect((await waiting).status).toBe(503);
    expect(sandbox.data.museum.specialEvents.all().some(({ name }) => name === "A")).toBe(false);
  });
});
