import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { generateInvoices, startAutoplay } from "../../../src/services/account/autoplay.ts";
import { createUsageMethods } from "../../../src/services/account/usage.ts";
import type { WallClock } from "../../../src/world/clock.ts";
import { Random } from "../../../src/world/random.ts";
import { Store } from "../../../src/world/store.ts";
import { alertAction, billing, NOW, preSale, production } from "../../support/billing.ts";
import { frozenSandbox } from "../../support/test.ts";

const now = Date.parse(NOW);

/** A billing world in which invoices come by themselves, and every failure that was reported. */
function playing(wall?: WallClock) {
  const story = billing({}, wall);
  story.state.preSales.set("old", preSale({ uuid: "old", current_credit_available: "40.00" }));
  story.state.preSaleActions.set("watch", alertAction());
  const failures: string[] = [];
  const usage = createUsageMethods(story.world, [production], () => story.settings);
  const stop = startAutoplay({ world: story.world, usage, onFailure: (message) => failures.push(message) });
  onTestFinished(stop);
  const invoices = (): number =>
    [...story.state.preSales.all(), ...story.state.consumptions.all()].reduce(
      (total, item) => total + item.invoices_sent + item.invoices_received,
      0,
    );
  return { ...story, stop, failures, invoices };
}

test("the seed and the minute alone determine the invoices of a day, and weekends have at most five", () => {
  const week = (seed: number) =>
    Array.from({ length: 7 }, (_, day) =>
      generateInvoices(new Random(seed, new Store()), day * 60_000 + 59_999),
    );
  expect(week(1)).toEqual(week(1));
  expect(week(1)).not.toEqual(week(2));
  for (const { sent, received } of week(1).slice(5)) expect(sent + received).toBeLessThanOrEqual(5);
});

test("autoplay plays one day per whole minute of simulated time, and nothing for less than a minute", async () => {
  const { world, invoices } = playing();
  await world.clock.advance("59s");
  expect(invoices()).toBe(0);
  await world.clock.advance("1s");
  const { sent, received } = generateInvoices(world.random, now + 60_000);
  expect(invoices()).toBe(sent + received);
});

test("autoplay uses up the credit, dates the mail with a full minute, and charges the rest to the month", async () => {
  const { world, state, failures } = playing();
  await world.clock.advance("2h");
  expect(world.mailbox.messages()).toHaveLength(1);
  expect(world.mailbox.messages()[0]?.at).toMatch(/^2026-03-01T09:\d\d:00\.000Z$/);
  expect(state.preSales.get("old")?.current_credit_available).toBe("0.00");
  expect(state.consumptions.all()).toMatchObject([{ year: 2026, month: 3 }]);
  expect(failures).toEqual([]);
});

test("advancing by a + b equals advancing by a and then by b, including usage and autoplay", async () => {
  const seconds = fc.integer({ min: 0, max: 1_500 });
  await fc.assert(
    fc.asyncProperty(seconds, seconds, fc.integer({ min: 0, max: 100 }), async (a, b, sent) => {
      const [once, twice] = [playing(), playing()];
      for (const story of [once, twice]) story.record({ sent });
      await once.world.clock.advance(`${a + b}s`);
      await twice.world.clock.advance(`${a}s`);
      await twice.world.clock.advance(`${b}s`);
      expect(contents(once)).toEqual(contents(twice));
      for (const story of [once, twice]) story.stop();
    }),
    { numRuns: 25 },
  );
});

test("autoplay continues from the new time after a restore and after the clock was set back, and stops on request", async () => {
  const { world, stop, invoices } = playing();
  const start = world.snapshot();
  await world.clock.advance("7m");
  const week = invoices();
  world.restore(start);
  await world.clock.advance("7m");
  expect(invoices()).toBe(week);
  world.clock.freeze("2026-01-05T00:00:00Z");
  await world.clock.advance("7m");
  expect(invoices()).toBeGreaterThan(week);
  stop();
  const before = invoices();
  await world.clock.advance("7m");
  expect(invoices()).toBe(before);
  expect(world.clock.pending).toBe(0);
});

test("a ticking clock runs autoplay as time passes, without any request", async () => {
  let wallNow = now;
  let wake = (): void => {};
  let asleep = (): void => {};
  const wall: WallClock = {
    now: () => wallNow,
    pause: () =>
      new Promise((resolve) => {
        wake = resolve;
        asleep();
      }),
  };
  const { world, invoices } = playing(wall);
  world.clock.resume();
  wallNow += 60_000;
  await new Promise<void>((resolve) => {
    asleep = resolve;
    wake();
  });
  expect(invoices()).toBeGreaterThan(0);
});

test("autoplay skips time that the clock jumps over", async () => {
  const { world, invoices } = playing();
  world.clock.freeze("2036-01-01T00:00:00Z");
  await world.clock.runDue();
  expect(invoices()).toBe(0);
});

test("autoplay reports a world without users and continues", async () => {
  const { world, failures } = playing();
  world.identities.of(production.key).clear();
  await world.clock.advance("2m");
  expect(failures).toEqual(Array(2).fill("Autoplay: account has no user. (at /user)"));
});

test("a sandbox with autoplay uses up the first user's presales, and goes on after a reset", async () => {
  await using sandbox = await frozenSandbox({ autoplay: true });
  const sent = () =>
    sandbox.data.account.preSales.all().reduce((total, item) => total + item.invoices_sent, 0);
  const before = sent();
  await sandbox.clock.advance("5m");
  const after = sent();
  expect(after).toBeGreaterThan(before);
  sandbox.reset();
  expect(sent()).toBe(before);
  await sandbox.clock.advance("5m");
  expect(sent()).toBe(after);
});

function contents({ world, state }: ReturnType<typeof playing>): unknown {
  return [
    world.clock.now(),
    state.preSales.all(),
    state.preSaleActions.all(),
    state.consumptions.all(),
    world.mailbox.messages(),
  ];
}
