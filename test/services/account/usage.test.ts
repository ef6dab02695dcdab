import { isMainThread } from "node:worker_threads";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { toAmount, toCents } from "../../../src/services/account/money.ts";
import { AccountSettings } from "../../../src/services/account/settings.ts";
import { splitPrice, type Usage } from "../../../src/services/account/usage.ts";
import { ada, alertAction, billing, bob, preSale } from "../../support/billing.ts";

test.each([
  ["0", 0n],
  ["0.05", 5n],
  ["12.5", 1250n],
  ["12.500", 1250n],
  ["-3.10", -310n],
  ["90071992547409931.01", 9007199254740993101n],
])("money %s is exactly %s cents", (text, cents) => {
  expect(toCents(text, "total")).toBe(cents);
  expect(toCents(toAmount(cents), "total")).toBe(cents);
});

test.each(["", "1,00", "1.005", "1e2", "٣.00", " 1.00", "0x10", ".50"])("money refuses %j", (text) => {
  expect(() => toCents(text, "total")).toThrow(/^total: .*is not an amount/);
});

test.each([
  ["0.4", "1.20"],
  ["2", "6.00"],
  ["0.25", "0.75"],
])("three invoices at %s cost %s", (pricePerInvoice, total) => {
  const { record } = billing({ usage: { pricePerInvoice } });
  expect(record({ sent: 3 }).consumption).toMatchObject({ paid: total });
});

test.each(["0", "0.00", "0.005", "1,50", "-1", "1.", ".5"])(
  "%j is not a valid price, and the error states the format",
  (pricePerInvoice) => {
    expect(() => AccountSettings.parse({ usage: { pricePerInvoice } })).toThrow(
      /above zero with two decimals at most/,
    );
  },
);

test("an invoice paid from two sources counts where its last cent was paid", () => {
  expect(splitPrice([60n], { sent: 2, received: 1 }, 25n)).toEqual({
    parts: [{ paid: 60n, sent: 2, received: 0 }],
    rest: { paid: 15n, sent: 0, received: 1 },
  });
});

test("usage draws down the oldest presale and counts its invoices there", () => {
  const { state, record } = billing();
  state.preSales.set("new", preSale({ uuid: "new", created_at: "2026-02-01T00:00:00+00:00" }));
  state.preSales.set("old", preSale({ uuid: "old", invoices_sent: 7 }));

  const receipt = record({ sent: 3, received: 1 });

  expect(receipt).toMatchObject({
    user: ada.name,
    at: "2026-03-01T09:00:00.000Z",
    preSales: [{ uuid: "old", paid: "1.00", invoices_sent: 3, invoices_received: 1 }],
    consumption: undefined,
  });
  expect(state.preSales.get("old")).toMatchObject({
    current_credit_available: "99.00",
    invoices_sent: 10,
    invoices_received: 1,
  });
  expect(state.preSales.get("new")).toEqual(
    preSale({ uuid: "new", created_at: "2026-02-01T00:00:00+00:00" }),
  );
  expect(state.consumptions.all()).toEqual([]);
});

test("the next presale pays when one is used up, and the rest becomes the month's consumption", () => {
  const { state, record } = billing();
  state.preSales.set("old", preSale({ uuid: "old", current_credit_available: "0.60" }));
  state.preSales.set(
    "new",
    preSale({ uuid: "new", current_credit_available: "0.50", created_at: "2026-02-01T00:00:00Z" }),
  );

  record({ sent: 4, received: 2 });
  record({ received: 1 });

  expect(state.preSales.all().map((item) => item.current_credit_available)).toEqual(["0.00", "0.00"]);
  expect(state.preSales.all().map((item) => item.invoices_sent + item.invoices_received)).toEqual([2, 2]);
  expect(state.consumptions.all()).toMatchObject([
    { year: 2026, month: 3, total: "0.65", invoices_sent: 0, invoices_received: 3, owner: ada.uid },
  ]);
});

test("each month has one consumption, by the instant of the usage in UTC", () => {
  const { state, record } = billing({ usage: { pricePerInvoice: "1.10" } });
  record({ sent: 1, at: "2026-03-31T23:59:59.999Z" });
  record({ sent: 2, at: "2026-04-01T00:00:00Z" });
  record({ sent: 1, at: new Date("2026-04-30T12:00:00Z") });
  expect(state.consumptions.all().map(({ year, month, total }) => [year, month, total])).toEqual([
    [2026, 3, "1.10"],
    [2026, 4, "3.30"],
  ]);
});

test("a presale pays until the exact time of its expiry, and keeps its credit afterwards", () => {
  const { state, record } = billing();
  state.preSales.set("old", preSale({ uuid: "old", valid_until: "2026-03-01T09:00:00+00:00" }));
  record({ sent: 4 });
  record({ sent: 4, at: "2026-03-01T09:00:00.001Z" });
  expect(state.preSales.get("old")?.current_credit_available).toBe("99.00");
  expect(state.consumptions.all()).toMatchObject([{ total: "1.00", invoices_sent: 4 }]);
});

test("a presale pays for usage from the exact time of its purchase", () => {
  const { state, record } = billing();
  state.preSales.set("later", preSale({ uuid: "later", created_at: "2026-03-10T09:00:00+00:00" }));
  expect(record({ sent: 4 })).toMatchObject({ preSales: [], consumption: { paid: "1.00" } });
  expect(record({ sent: 2, at: "2026-03-10T08:59:59.999Z" })).toMatchObject({ preSales: [] });
  expect(record({ sent: 2, at: "2026-03-10T09:00:00Z" })).toMatchObject({
    preSales: [{ uuid: "later", paid: "0.50" }],
    consumption: undefined,
  });
  expect(state.preSales.get("later")?.current_credit_available).toBe("99.50");
  expect(state.consumptions.all()).toMatchObject([{ year: 2026, month: 3, total: "1.50" }]);
});

test("usage recorded for past months becomes consumptions and uses no current credit", () => {
  const { state, record } = billing();
  state.preSales.set("old", preSale({ uuid: "old" }));
  record({ sent: 4, at: "2020-01-01T00:00:00Z" });
  expect(state.preSales.get("old")).toEqual(preSale({ uuid: "old" }));
  expect(state.consumptions.all()).toMatchObject([{ year: 2020, month: 1, total: "1.00" }]);
});

test("a presale that is not bought yet sends no alert", () => {
  const { state, world, record } = billing();
  const later = preSale({
    uuid: "old",
    created_at: "2026-03-10T09:00:00Z",
    current_credit_available: "1.00",
  });
  state.preSales.set("old", later);
  state.preSaleActions.set("watch", alertAction());
  record({ sent: 1 });
  expect(world.mailbox.messages()).toEqual([]);
  record({ sent: 1, at: "2026-03-10T09:00:00Z" });
  expect(world.mailbox.messages()).toMatchObject([{ actionUuid: "watch" }]);
});

test("a presale expires by the clock", async () => {
  const { world, state, record } = billing();
  state.preSales.set("old", preSale({ uuid: "old", valid_until: "2026-03-02T09:00:00+00:00" }));
  await world.clock.advance("24h");
  expect(record({ sent: 1 }).consumption).toBeUndefined();
  await world.clock.advance("1ms");
  expect(record({ sent: 1 })).toMatchObject({
    preSales: [],
    consumption: { paid: "0.25", invoices_sent: 1 },
  });
});

test("usage of one user leaves another user's presales and consumptions alone", () => {
  const { state, record } = billing();
  state.preSales.set("hers", preSale({ uuid: "hers" }));
  record({ sent: 4, user: "BOB@example.test" });
  record({ sent: 2 });
  expect(state.preSales.get("hers")?.current_credit_available).toBe("99.50");
  expect(state.consumptions.all()).toMatchObject([{ owner: bob.uid, total: "1.00" }]);
});

test.each<[Usage, RegExp]>([
  [{ sent: "10" as never }, /^sent must be a whole number from 0 to 1000000, not "10"\./],
  [{ sent: -1 }, /^sent must be a whole number from 0 to 1000000, not -1\./],
  [{ received: 1.5 }, /^received must be .*, not 1\.5\./],
  [{ sent: 1e300 }, /^sent must be .*, not 1e\+300\./],
  [{ sent: Number.NaN }, /^sent must be .*, not NaN\./],
  [{ sent: 1, at: "yesterday" }, /^"yesterday" is not a time.*\(at \/at\)$/],
  [{ sent: 1, at: new Date(Number.NaN) }, /\(at \/at\)$/],
  [{ sent: 1, user: "eda@example.test" }, /Did you mean "ada@example\.test"\?/],
])("usage %o is refused and nothing is written", (usage, message) => {
  const { world, state, record } = billing();
  state.preSales.set("old", preSale({ uuid: "old" }));
  const before = world.store.snapshot();
  expect(() => record(usage)).toThrow(
    expect.objectContaining({ name: "UsageError", message: expect.stringMatching(message) }),
  );
  expect(world.store.snapshot()).toEqual(before);
});

test("a record that fails half-way writes nothing, and no mail is announced", () => {
  const { world, state, record } = billing();
  const announced: unknown[] = [];
  world.mailbox.subscribe((message) => announced.push(message));
  state.preSales.set("old", preSale({ uuid: "old", current_credit_available: "1.00" }));
  state.preSaleActions.set("watch", alertAction());
  state.preSales.set(
    "full",
    preSale({ uuid: "full", created_at: "2026-02-01T00:00:00Z", invoices_sent: Number.MAX_SAFE_INTEGER }),
  );
  expect(() => record({ sent: 5 })).toThrow(/invoices_sent would go over/);
  expect(state.preSales.get("old")?.current_credit_available).toBe("1.00");
  expect(world.mailbox.messages()).toEqual([]);
  expect(announced).toEqual([]);
});

const PRICE = 37n;
const credit = fc.bigInt({ min: 0n, max: 3000n }).map(toAmount);
const day = fc.integer({ min: 1, max: 90 });
const history = fc.record({
  preSales: fc.array(fc.record({ credit, owner: fc.constantFrom(1, 2), expires: day }), { maxLength: 4 }),
  thresholds: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 3 }),
  usages: fc.array(
    fc.record({
      sent: fc.integer({ min: 0, max: 30 }),
      received: fc.integer({ min: 0, max: 30 }),
      user: fc.constantFrom(ada.name, bob.name),
      day,
    }),
    { maxLength: 8 },
  ),
});
const onDay = (number: number): string => new Date(Date.UTC(2026, 0, number)).toISOString();

test("any history of usage is consistent: no negative amounts, balanced sums, and consumptions only for uncovered usage", () => {
  fc.assert(
    fc.property(history, ({ preSales, thresholds, usages }) => {
      const { state, record, world } = billing({ usage: { pricePerInvoice: toAmount(PRICE) } });
      for (const [index, { credit, owner, expires }] of preSales.entries()) {
        const uuid = `presale-${index}`;
        state.preSales.set(
          uuid,
          preSale({ uuid, owner, current_credit_available: credit, valid_until: onDay(expires) }),
        );
        for (const threshold of thresholds) {
          const action = { uuid: `watch-${index}-${threshold}`, threshold, owner, pre_sale_uuid: uuid };
          state.preSaleActions.set(action.uuid, alertAction(action));
        }
      }
      const available = (): bigint => sum(state.preSales.all().map((item) => item.current_credit_available));
      const start = available();
      for (const { day, ...usage } of usages) {
        const at = onDay(day);
        const valid = state.preSales
          .all()
          .filter((item) => item.created_at <= at && at <= item.valid_until)
          .filter((item) => ownerOf(usage.user) === item.owner);
        const usable = sum(valid.map((item) => item.current_credit_available));
        const due = PRICE * BigInt(usage.sent + usage.received);
        const { consumption } = record({ ...usage, at });
        expect(toCents(consumption?.paid ?? "0", "paid")).toBe(due > usable ? due - usable : 0n);
      }
      const all = [...state.preSales.all(), ...state.consumptions.all()];
      const count = (field: "sent" | "received"): number =>
        all.reduce((total, item) => total + item[`invoices_${field}`], 0);
      expect(count("sent")).toBe(usages.reduce((total, usage) => total + usage.sent, 0));
      expect(count("received")).toBe(usages.reduce((total, usage) => total + usage.received, 0));
      const charged = sum(state.consumptions.all().map((item) => item.total));
      expect(start - available() + charged).toBe(PRICE * BigInt(count("sent") + count("received")));
      for (const item of state.preSales.all())
        expect(toCents(item.current_credit_available, "credit") >= 0n).toBe(true);
      const months = state.consumptions.all().map(({ owner, year, month }) => `${owner} ${year} ${month}`);
      expect(new Set(months).size).toBe(months.length);
      const senders = world.mailbox.messages().map((message) => message.actionUuid);
      expect(new Set(senders).size).toBe(senders.length);
    }),
    { numRuns: 1_000 },
  );
});

function sum(amounts: readonly string[]): bigint {
  return amounts.reduce((total, amount) => total + toCents(amount, "amount"), 0n);
}

function ownerOf(user: string): number {
  return user === ada.name ? ada.uid : bob.uid;
}

// A thread has the time zone of its process.
test.runIf(isMainThread)("usage is charged to the month in UTC, in any time zone of the machine", () => {
  vi.stubEnv("TZ", "Pacific/Kiritimati"); // where it is April already
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(new Date("2026-03-31T23:30:00Z").getMonth()).toBe(3);
  const { state, record } = billing();
  record({ sent: 4, at: "2026-03-31T23:30:00Z" });
  expect(state.consumptions.all()).toMatchObject([{ year: 2026, month: 3, total: "1.00" }]);
});
