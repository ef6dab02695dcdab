import { expect } from "vitest";
import { ask, COMPANY, NO_SUCH_UUID } from "../../support/account.ts";
import { frozenSandbox, NOW, test } from "../../support/test.ts";

test("presales come in order of purchase: an expired, a nearly used up and a healthy one", async ({
  sandbox,
}) => {
  const { status, body } = await ask(sandbox, "GET /pre-sales");
  expect(status).toBe(200);
  expect(body).toHaveLength(3);
  const [expired, nearlyUsedUp, healthy] = body;
  expect(Date.parse(expired.valid_until)).toBeLessThan(Date.parse(NOW));
  expect(nearlyUsedUp).toMatchObject({ total_credit_purchased: "500.00", current_credit_available: "3.50" });
  expect(healthy).toMatchObject({ total_credit_purchased: "1000.00", current_credit_available: "880.00" });
  expect(Date.parse(healthy.valid_until)).toBeGreaterThan(Date.parse(NOW));
});

test("a presale has the documented fields and no other", async ({ sandbox }) => {
  const [first] = (await ask(sandbox, "GET /pre-sales")).body;
  expect(Object.keys(first)).toEqual([
    "uuid",
    "created_at",
    "valid_until",
    "total_credit_purchased",
    "current_credit_available",
    "current_credit_purchased",
    "invoices_sent",
    "invoices_received",
  ]);
  expect(first.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
  expect((await ask(sandbox, `GET /pre-sales/${first.uuid}`)).body).toEqual(first);
});

test("their dates move with the sandbox's today", async ({ sandbox }) => {
  const later = await frozenSandbox({ clock: "2026-03-11T09:00:00Z" });
  const [one] = (await ask(sandbox, "GET /pre-sales")).body;
  const [same] = (await ask(later, "GET /pre-sales")).body;
  expect(Date.parse(same.created_at) - Date.parse(one.created_at)).toBe(10 * 86_400_000);
});

test("a presale that expires while time passes stays in the list", async ({ sandbox }) => {
  await sandbox.clock.advance("400d");
  expect((await ask(sandbox, "GET /pre-sales")).body).toHaveLength(3);
});

test("each user and each environment has its own", async ({ sandbox }) => {
  const [foreign] = (await ask(sandbox, "GET /pre-sales", { user: COMPANY.email })).body;
  const [elsewhere] = (await ask(sandbox, "GET /pre-sales", { environment: "accountSandbox" })).body;
  for (const uuid of [foreign.uuid, elsewhere.uuid, NO_SUCH_UUID]) {
    expect((await ask(sandbox, `GET /pre-sales/${uuid}`)).status).toBe(404);
  }
  const mine = await ask(sandbox, `GET /pre-sales/${elsewhere.uuid}`, { environment: "accountSandbox" });
  expect(mine.body).toEqual(elsewhere);
});
