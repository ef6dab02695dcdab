// What a scenario sets up before the first rule: data, settings, clock, seed; and what stays when it fails.

import { describe, expect, test } from "vitest";
import type { ScenarioInput } from "../../src/index.ts";
import { createSandbox, type SandboxOptions } from "../../src/open/create-sandbox.ts";

const CLOCK = "2026-03-02T09:00:00Z";
const EVENT = {
  eventId: "0b6d1f0e-5d0a-4c57-9a53-6a4f5a2f7c11",
  name: "Night of the lamps",
  location: "Hall 2",
  eventDescription: "After dark",
  dates: ["2026-03-31"],
  price: 0,
};
const scenario = (rest: Omit<ScenarioInput, "version">): ScenarioInput => ({ version: 1, ...rest });
const open = (rest: Omit<ScenarioInput, "version">, options: SandboxOptions = {}) =>
  createSandbox({ clock: CLOCK, scenario: scenario(rest), ...options });

/** The example of the manual. */
const EXAMPLE = scenario({
  $schema: "./node_modules/vitrine/scenarios/schema/scenario.json",
  title: "The reply to a create is lost once; then the account is throttled",
  extends: ["museum-full-week"],
  seed: 4711,
  clock: { at: "2026-03-29T00:30:00Z", mode: "frozen" },
  settings: { account: { tokenLifetime: "90s", login: { every: "24h", onRepeat: "refuse" } } },
  data: { museum: { specialEvents: { upsert: [EVENT] } }, account: { preSales: { generate: 3 } } },
  rules: [
    {
      id: "lost-create",
      when: { operation: "museum.createSpecialEvent" },
      limit: { times: 1 },
      at: "response",
      then: { fault: "reset" },
    },
    {
      id: "bad-target",
      when: { operation: "account.createPreSaleAction", body: { threshold: { $gt: 100 } } },
      then: {
        problem: "invalidAction",
        violations: [{ propertyPath: "threshold", message: "Too high for this package." }],
      },
    },
    {
      id: "flaky-list",
      when: { operation: "account.list*" },
      then: {
        sequence: [{ respond: { status: 503, headers: { "Retry-After": "2" } } }, { delay: "800ms" }],
        after: "pass",
      },
    },
  ],
  expect: { unmatched: "fail", unusedRules: "warn" },
});

test("the example of the manual does what it says", async () => {
  const pauses: number[] = [];
  const wall = { now: () => 0, pause: async (ms: number) => void pauses.push(ms) };
  await using sandbox = await createSandbox({ scenario: EXAMPLE, wall });
  expect(new Date(sandbox.clock.now()).toISOString()).toBe("2026-03-29T00:30:00.000Z");
  expect(sandbox.data.museum.specialEvents.all()).toHaveLength(15);
  expect(sandbox.data.account.preSales.all()).toHaveLength(3);
  const { eventId: _id, ...input } = EVENT;
  await expect(sandbox.museum.createSpecialEvent({ body: input })).rejects.toThrow("fetch failed");
  const [preSale] = sandbox.data.account.preSales.all();
  const action = { action_type: "alert_mail", target: "ops@example.test", enabled: true } as const;
  const create = (threshold: number) =>
    sandbox.account.createPreSaleAction({
      body: { ...action, threshold, pre_sale_uuid: preSale?.uuid ?? "" },
    });
  expect((await create(101)).body).toMatchObject({ violations: [{ message: "Too high for this package." }] });
  expect((await create(100)).status).toBe(201);
  const lists = [await sandbox.account.listPreSales(), await sandbox.account.listPreSales()];
  expect(lists.map(({ status }) => status)).toEqual([503, 200]);
  expect(lists[0]?.headers.get("retry-after")).toBe("2");
  expect(pauses).toEqual([800]);
  expect(sandbox.verify()).toEqual({ ok: true, failures: [], warnings: [] });
});

describe("a scenario", () => {
  test("changes base data: replace, generate, upsert, remove, in this order", async () => {
    await using sandbox = await open({
      data: {
        museum: { specialEvents: { replace: [EVENT], upsert: [{ ...EVENT, price: 5 }] } },
        account: { consumptions: { generate: 7 } },
        accountSandbox: { preSaleActions: { replace: [] }, preSales: { generate: 2 } },
      },
    });
    expect(sandbox.data.museum.specialEvents.all()).toEqual([{ ...EVENT, price: 5 }]);
    expect(sandbox.data.account.consumptions.all()).toHaveLength(7);
    expect(sandbox.data.accountSandbox.preSales.all()).toHaveLength(2);
    await sandbox.scenario(scenario({ data: { museum: { specialEvents: { remove: [EVENT.eventId] } } } }));
    expect(sandbox.data.museum.specialEvents.all()).toEqual([]);
  });

  test("generates the same data for the same seed", async () => {
    const generated = async (seed: number) => {
      await using sandbox = await open({ seed, data: { museum: { specialEvents: { generate: 3 } } } });
      return sandbox.data.museum.specialEvents.all();
    };
    expect(await generated(5)).toEqual(await generated(5));
    expect(await generated(5)).not.toEqual(await generated(6));
  });

  test("removes entities that refer to an entity that it removed", async () => {
    await using sandbox = await open({ data: { account: { preSales: { replace: [] } } } });
    expect(sandbox.data.account.preSaleActions.all()).toEqual([]);
  });

  test("with a broken reference is rejected, and changes nothing", async () => {
    await using sandbox = await createSandbox({ clock: CLOCK });
    const action = sandbox.data.account.preSaleActions.all()[0] ?? expect.unreachable();
    const before = sandbox.state().digest;
    const wrong = scenario({
      clock: { at: "2030-01-01" },
      settings: { museum: { strict: true } },
      data: {
        museum: { specialEvents: { replace: [] } },
        account: { preSaleActions: { upsert: [{ ...action, pre_sale_uuid: "nobody" }] } },
      },
      rules: [{ then: { pass: true } }],
    });
    await expect(sandbox.scenario(wrong)).rejects.toMatchObject({
      message: expect.stringContaining(
        'account.preSaleActions: pre_sale_uuid "nobody" does not exist in account.preSales.',
      ),
      place: { pointer: "/data/account/preSaleActions" },
    });
    const removal = scenario({
      data: { museum: { specialEvents: { replace: [], remove: ["nobody"] } } },
    });
    await expect(sandbox.scenario(removal)).rejects.toThrow('No entity "nobody" in museum.specialEvents.');
    expect(sandbox.state().digest).toBe(before);
  });

  test("merges its settings into those of the sandbox, and the next scenario starts from the original ones", async () => {
    await using sandbox = await open(
      { settings: { museum: { strict: true } } },
      { settings: { museum: { errorDetail: true } } },
    );
    const path = `${sandbox.urls["museum"]}/special-events?colour=red`;
    const refusal = async () => (await sandbox.fetch(path, { headers: sandbox.auth.basic() })).json();
    expect(await refusal()).toMatchObject({ status: 400 });
    await sandbox.scenario(scenario({}));
    expect(Array.isArray(await refusal())).toBe(true);
  });

  test.each([
    [{ at: "2026-05-01T10:00:00Z" }, "frozen", "2026-05-01T10:00:00.000Z"],
    [{ at: "2026-05-01T10:00:00Z", mode: "ticking" }, "ticking", "2026-05-01T10:00:00.000Z"],
    [{ at: "+3d", mode: "ticking" }, "ticking", "2026-01-04T00:00:00.000Z"],
    [{ at: "-2h" }, "frozen", "2025-12-31T22:00:00.000Z"],
  ] as const)("sets the clock: %j", async (clock, mode, now) => {
    const wall = { now: () => Date.parse("2026-01-01T00:00:00Z"), pause: async () => {} };
    await using sandbox = await createSandbox({ scenario: scenario({ clock }), wall });
    expect(sandbox.clock.state.mode).toBe(mode);
    expect(new Date(sandbox.clock.now()).toISOString()).toBe(now);
  });

  test("does not override the options of the sandbox", async () => {
    await using sandbox = await open({ clock: { at: "2030-01-01" }, seed: 9 }, { seed: 4 });
    expect(new Date(sandbox.clock.now()).toISOString()).toBe("2026-03-02T09:00:00.000Z");
    expect(sandbox.core.world.random.seed).toBe(4);
  });

  test("is restored by a reset", async () => {
    await using sandbox = await open({ data: { museum: { specialEvents: { replace: [EVENT] } } } });
    await sandbox.scenario("museum-empty");
    expect(sandbox.core.ruleSet.scenario.name).toBe("museum-empty");
    sandbox.reset();
    expect(sandbox.core.ruleSet.scenario.name).toBe("scenario");
    expect(sandbox.data.museum.specialEvents.all()).toEqual([EVENT]);
  });

  test("contains only data: text that looks like a template stays unchanged everywhere", async () => {
    const probes = [
      ...[
        "{{7*7}}",
        "{{request.body}}",
        "{{#with this}}{{constructor}}{{/with}}",
        "{% if true %}yes{% endif %}",
      ],
      ...[
        "$".concat("{7*7}"),
        "<%= 7*7 %>",
        "<?php echo 7*7 ?>",
        "#{7*7}",
        "[[7*7]]",
        "$(id)",
        "`id`",
        "%s %d",
      ],
    ];
    const all = probes.join(" | ");
    const hours = { operation: "museum.getMuseumHours" } as const;
    await using sandbox = await open({
      title: all,
      data: {
        museum: {
          specialEvents: { replace: [{ ...EVENT, name: all, location: all, dates: ["2026-03-02"] }] },
        },
      },
      rules: [
        {
          when: hours,
          limit: { times: 1 },
          then: { respond: { status: 503, headers: { "x-all": all }, body: probes } },
        },
        { when: hours, then: { problem: "invalidInput", title: all } },
        {
          when: { operation: "account.createPreSaleAction" },
          then: { problem: "invalidAction", violations: [{ propertyPath: all, message: all }] },
        },
      ],
    });
    const answer = await sandbox.museum.getMuseumHours();
    expect(answer.body).toEqual(probes);
    expect(answer.headers.get("x-all")).toBe(all);
    expect((await sandbox.museum.getMuseumHours()).body).toMatchObject({ title: all });
    expect((await sandbox.museum.listSpecialEvents()).body).toMatchObject([{ name: all, location: all }]);
    const [preSale] = sandbox.data.account.preSales.all();
    const action = {
      action_type: "alert_mail",
      target: "ops@example.test",
      enabled: true,
      threshold: 5,
    } as const;
    const refused = await sandbox.account.createPreSaleAction({
      body: { ...action, pre_sale_uuid: preSale?.uuid ?? "" },
    });
    expect(refused.body).toMatchObject({ violations: [{ propertyPath: all, message: all }] });
    expect(sandbox.core.ruleSet.scenario.title).toBe(all);
  });
});
