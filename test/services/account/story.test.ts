// What is hard to see with the real service, as a client lives it: a frozen clock, no sleeps, milliseconds.

import { expect } from "vitest";
import { frozenSandbox, NOW, test } from "../../support/test.ts";

const ada = { email: "ada@example.test", password: "Vitrine!2026" };
/** Ada's presale with the least credit, 3.50, and the action that watches it, under 3. */
const PRESALE = "5316a2ac-2e3c-4ca8-a5f8-c5efb95877fa";
const WATCH = { params: { uuid: "fb6fe210-0610-460f-9c7c-37c900e04f62" } };
const alert = {
  action_type: "alert_mail",
  target: "ops@example.test",
  enabled: true,
  pre_sale_uuid: PRESALE,
} as const;

test("an account uses up its credit, sends an alert mail and is charged for the month, and its token expires", async ({
  sandbox,
}) => {
  const headers = await sandbox.auth.login(ada);
  const running = async () => (await sandbox.account.getPreSaleAction({ ...WATCH, headers })).body;
  expect(await sandbox.account.login({ body: ada })).toMatchObject({ status: 429 });

  sandbox.usage.record({ sent: 10, received: 4 });
  expect(await sandbox.mailbox.waitFor({ to: "ops@example.test" })).toMatchObject({
    subject: "Presale credit is low – 0.00 left, under your threshold of 3",
    text: expect.stringMatching(
      /Hello Ada Rath,[\s\S]*Credit purchased: 500\.00\n[\s\S]*sent: 1960\n[\s\S]*received: 40\n/,
    ),
    at: NOW,
    actionUuid: WATCH.params.uuid,
  });
  expect(await running()).toMatchObject({ running: true });
  await sandbox.clock.advance("5s");
  expect(await running()).toMatchObject({ running: false });

  await sandbox.clock.advance("31d");
  sandbox.usage.record({ sent: 3_600 });
  expect(await sandbox.account.listConsumptions({ headers })).toMatchObject({
    status: 401,
    body: { code: 401, message: "Expired JWT Token" },
  });
  const again = await sandbox.auth.login(ada);
  const april = await sandbox.account.listConsumptions({ query: { year: 2026, month: 4 }, headers: again });
  expect(april.body).toMatchObject([{ total: "20.00", invoices_sent: 80, invoices_received: 0 }]);
  expect(sandbox.data.account.preSales.get(PRESALE)).toMatchObject({ current_credit_available: "0.00" });
  expect(sandbox.journal.count({ operation: "account.login", status: 200 })).toBe(2);
});

test("usage goes to the user and environment it names, and to no other", async ({ sandbox }) => {
  const receipt = sandbox.usage.record({ received: 8, user: "contabilita@example.test" });
  expect(receipt).toMatchObject({
    environment: "account",
    user: "contabilita@example.test",
    preSales: [{ paid: "2.00" }],
  });
  const before = sandbox.data.account.preSales.all();
  for (const environment of ["accountSandbox", "sandbox"])
    expect(sandbox.usage.record({ sent: 1, environment }).environment).toBe("accountSandbox");
  expect(sandbox.data.account.preSales.all()).toEqual(before);
  expect(() => sandbox.usage.record({ sent: 1, environment: "acount" })).toThrow(
    /Did you mean "account"\?.*\/environment/,
  );
});

test("the control API takes the environment name sandbox for data, usage and tokens", async ({ sandbox }) => {
  const post = (path: string, body: object) =>
    sandbox.fetch(`/_vitrine/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...body, environment: "sandbox" }),
    });
  const data = await sandbox.fetch("/_vitrine/data/sandbox/preSales");
  expect(await data.json()).toEqual(sandbox.data.accountSandbox.preSales.all());
  expect(await (await post("usage", { sent: 1 })).json()).toMatchObject({ environment: "accountSandbox" });
  const { token } = (await (await post("tokens", {})).json()) as { token: string };
  expect(token).toBe(sandbox.auth.token({ environment: "accountSandbox" }));
});

test("a scenario accepts the environment name sandbox, but not production, which could be the museum's", async () => {
  const data = { preSales: { replace: [] } };
  await using sandbox = await frozenSandbox({ scenario: { version: 1, data: { sandbox: data } } });
  expect(sandbox.data.accountSandbox.preSales.all()).toEqual([]);
  expect(sandbox.data.account.preSales.all()).not.toEqual([]);
  await expect(sandbox.scenario({ version: 1, data: { production: data } })).rejects.toThrow(
    /Unknown environment "production"/,
  );
});

test("an action fires again if its threshold was lowered to the credit in between, but not if it was raised", async ({
  sandbox,
}) => {
  const replace = (threshold: number) =>
    sandbox.account.replacePreSaleAction({ ...WATCH, body: { ...alert, threshold } });
  const mails = () => sandbox.mailbox.messages({ actionUuid: WATCH.params.uuid }).length;
  sandbox.usage.record({ sent: 4 });
  expect(mails()).toBe(1);
  await replace(10);
  sandbox.usage.record({ sent: 1 });
  expect(mails()).toBe(1);
  await replace(2);
  await replace(10);
  sandbox.usage.record({ sent: 1 });
  expect(mails()).toBe(2);
});

test.each([
  [{ current_credit_available: "12.345" }, /current_credit_available must be an amount with two decimals/],
  [{ valid_until: "soon" }, /valid_until must be a time/],
  [{ created_at: "2026-02-30T00:00:00Z" }, /created_at must be a time/],
])("a presale with %o is rejected, because usage cannot be calculated with it", async (fields, message) => {
  await using sandbox = await frozenSandbox();
  const known = sandbox.data.account.preSales.get(PRESALE);
  expect(() => sandbox.data.account.preSales.upsert([{ ...known, ...fields }])).toThrow(message);
  expect(sandbox.data.account.preSales.get(PRESALE)).toEqual(known);
});
