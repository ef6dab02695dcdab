import { expect, test } from "vitest";
import { applyCreditChange, evaluateCrossing, isRunning } from "../../../src/services/account/alerts.ts";
import { alertAction, billing, NOW, preSale, profile } from "../../support/billing.ts";

const now = Date.parse(NOW);

/** One presale with this much credit, watched by one action under 10; an invoice costs 1.00. */
function watched(credit: string, action: Parameters<typeof alertAction>[0] = {}, settings: object = {}) {
  const story = billing({ usage: { pricePerInvoice: "1.00" }, ...settings });
  story.state.preSales.set("old", preSale({ uuid: "old", current_credit_available: credit }));
  story.state.preSaleActions.set("watch", alertAction(action));
  return { ...story, watch: () => story.state.preSaleActions.get("watch") };
}

test.each([
  { before: 1100n, after: 1000n, armed: true, fires: false, stays: true, name: "equal is not under" },
  { before: 1000n, after: 999n, armed: true, fires: true, stays: false, name: "a cent under fires" },
  { before: 999n, after: 500n, armed: false, fires: false, stays: false, name: "one crossing fires once" },
  { before: 999n, after: 500n, armed: true, fires: true, stays: false, name: "under from the start fires" },
  {
    before: 1000n,
    after: 999n,
    armed: false,
    fires: true,
    stays: false,
    name: "credit raised since arms again",
  },
  {
    before: 1000n,
    after: 1000n,
    armed: false,
    fires: false,
    stays: true,
    name: "back at the threshold arms",
  },
])("crossing: $name", ({ before, after, armed, fires, stays }) => {
  expect(evaluateCrossing(before, after, { enabled: true, armed, threshold: 10 })).toEqual({
    fires,
    armed: stays,
  });
});

test("a disabled action never fires and stays armed for when it is enabled", () => {
  expect(evaluateCrossing(1000n, 0n, { enabled: false, armed: true, threshold: 10 })).toEqual({
    fires: false,
    armed: true,
  });
});

test("credit that falls under the threshold sends one mail with the right figures, and the action runs for a while", async () => {
  const { world, state, record, watch } = watched("12.50");
  state.users.set("1", profile("Ada <Żółć> & Co"));

  expect(record({ sent: 2 }).mails).toEqual([]);
  const { mails } = record({ received: 1 });

  expect(world.mailbox.messages()).toEqual(mails);
  expect(mails).toEqual([
    {
      id: "1",
      environment: "account",
      to: "ops@example.test",
      subject: "Presale credit is low – 9.50 left, under your threshold of 10",
      text: expect.stringMatching(
        /^Hello Ada <Żółć> & Co,[\s\S]*Credit left: 9\.50\n[\s\S]*Invoices sent: 2\n[\s\S]*received: 1\n/,
      ),
      html: expect.stringContaining("Hello Ada &lt;Żółć&gt; &amp; Co,"),
      at: "2026-03-01T09:00:00.000Z",
      actionUuid: "watch",
    },
  ]);
  const action = alertAction(watch());
  expect([now - 1, now, now + 4_999, now + 5_000].map((at) => isRunning(action, at))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(record({ sent: 3 }).mails).toEqual([]);
});

test("how long an action runs is a setting", () => {
  const { record, watch } = watched("10.00", {}, { actionDuration: "2h" });
  record({ sent: 1 });
  expect(watch()?.running_until).toBe(now + 7_200_000);
});

test("credit raised through the data makes the next crossing fire again", () => {
  const { state, record, world } = watched("10.00");
  record({ sent: 1 });
  state.preSales.set("old", preSale({ uuid: "old", current_credit_available: "10.00" }));
  record({ sent: 1 });
  record({ sent: 1 });
  expect(world.mailbox.messages()).toHaveLength(2);
});

test("an action below its threshold from the start fires at the next usage, even if its presale no longer pays for it", () => {
  const { record } = watched("0.00");
  expect(record({}).mails).toHaveLength(0);
  expect(record({ sent: 1 }).mails).toHaveLength(1);
  expect(record({ sent: 1 }).mails).toHaveLength(0);
});

test.each([
  ["disabled", { enabled: false }, undefined],
  ["of another account", { owner: 2 }, undefined],
  ["of an expired presale", {}, "2026-03-01T08:59:59Z"],
] as const)("an action %s sends nothing", (_case, action, expires) => {
  const { state, record, world, watch } = watched("1.00", action);
  if (expires !== undefined) {
    state.preSales.set(
      "old",
      preSale({ uuid: "old", current_credit_available: "1.00", valid_until: expires }),
    );
  }
  record({ sent: 1 });
  expect(world.mailbox.messages()).toEqual([]);
  expect(watch()).toEqual(alertAction(action));
});

test("an action already below its threshold fires when it is checked without a change of the credit", () => {
  const { state, settings, world } = watched("9.99");
  const preSaleNow = preSale({ uuid: "old", current_credit_available: "9.99" });
  expect(
    applyCreditChange(state, alertAction(), { preSale: preSaleNow, before: 999n, at: now, settings }),
  ).toMatchObject({
    to: "ops@example.test",
  });
  expect(world.mailbox.messages()).toHaveLength(1);
});
