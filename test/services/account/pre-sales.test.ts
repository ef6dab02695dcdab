import { describe, expect } from "vitest";
import { ask, COMPANY, call, NO_SUCH_UUID } from "../../support/account.ts";
import { preSale } from "../../support/billing.ts";
import { frozenSandbox, NOW, test } from "../../support/test.ts";

const FIRST = "a0a00001-0000-4000-8000-000000000001";
const SECOND = "a0a00002-0000-4000-8000-000000000001";

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

test("the dates of presales follow the sandbox's date", async ({ sandbox }) => {
  const later = await frozenSandbox({ clock: "2026-03-11T09:00:00Z" });
  const [one] = (await ask(sandbox, "GET /pre-sales")).body;
  const [same] = (await ask(later, "GET /pre-sales")).body;
  expect(Date.parse(same.created_at) - Date.parse(one.created_at)).toBe(10 * 86_400_000);
});

test("a presale that expires while time passes stays in the list", async ({ sandbox }) => {
  await sandbox.clock.advance("400d");
  expect((await ask(sandbox, "GET /pre-sales")).body).toHaveLength(3);
});

test("each user has separate presales in each environment", async ({ sandbox }) => {
  const [foreign] = (await ask(sandbox, "GET /pre-sales", { user: COMPANY.email })).body;
  const [elsewhere] = (await ask(sandbox, "GET /pre-sales", { environment: "accountSandbox" })).body;
  for (const uuid of [foreign.uuid, elsewhere.uuid, NO_SUCH_UUID]) {
    expect((await ask(sandbox, `GET /pre-sales/${uuid}`)).status).toBe(404);
  }
  const mine = await ask(sandbox, `GET /pre-sales/${elsewhere.uuid}`, { environment: "accountSandbox" });
  expect(mine.body).toEqual(elsewhere);
});

describe("timestamps in the data", () => {
  const written = [
    ["2026-01-15T09:30:00+01:00", "2026-01-15T08:30:00"],
    ["2026-01-15T08:30:00Z", "2026-01-15T08:30:00"],
    ["2026-01-15T08:30:00.999Z", "2026-01-15T08:30:00"],
    ["2026-01-15T23:30-09:30", "2026-01-16T09:00:00"],
    ["2026-01-15", "2026-01-15T00:00:00"],
  ] as const;
  const seeded = (created_at: string, dateTimes: "offset" | "Z") =>
    frozenSandbox({
      scenario: {
        version: 1,
        title: "Presales with dates of all kinds",
        settings: { account: { dateTimes } },
        data: { account: { preSales: { replace: [preSale({ uuid: FIRST, created_at, owner: 101 })] } } },
      },
    });

  test.for(written)("%s is stored and returned in the service's format", async ([text, shown]) => {
    for (const [dateTimes, end] of [
      ["offset", "+00:00"],
      ["Z", "Z"],
    ] as const) {
      const sandbox = await seeded(text, dateTimes);
      for (const accept of ["application/json", "application/ld+json"]) {
        const { body } = await call(sandbox, `GET /pre-sales/${FIRST}`, { accept });
        expect(body.created_at).toBe(shown + end);
      }
      expect(sandbox.data.account.preSales.get(FIRST)?.created_at).toBe(`${shown}+00:00`);
    }
  });

  test("the timestamps of a presale action are converted too", async ({ sandbox }) => {
    const [action] = sandbox.data.account.preSaleActions.all();
    const [created_at, updated_at] = ["2026-01-15T09:30:00+01:00", "2026-01-16T08:30:00.5Z"];
    sandbox.data.account.preSaleActions.replace([{ ...action, created_at, updated_at }]);
    const { body } = await ask(sandbox, "GET /pre-sale-actions");
    expect(body).toMatchObject([
      { created_at: "2026-01-15T08:30:00+00:00", updated_at: "2026-01-16T08:30:00+00:00" },
    ]);
  });

  test("the older presale is listed and pays first, in any format of its date", async ({ sandbox }) => {
    sandbox.data.account.preSales.replace([
      preSale({ uuid: SECOND, created_at: "2026-01-15T08:00:00+00:00", owner: 101 }),
      preSale({ uuid: FIRST, created_at: "2026-01-15T08:30:00+01:00", owner: 101 }),
    ]);
    const { body } = await ask(sandbox, "GET /pre-sales");
    expect(body.map(({ uuid }: { uuid: string }) => uuid)).toEqual([FIRST, SECOND]);
    expect(sandbox.usage.record({ sent: 1 }).preSales).toMatchObject([{ uuid: FIRST, paid: "0.25" }]);
  });

  test.for(["yesterday", "2026-02-30T00:00:00Z", "9999-12-31T23:59:00-01:00", "2026-01-15T08:30:00"])(
    "%s is not a timestamp, and the data is rejected",
    (created_at, { sandbox }) => {
      const before = sandbox.data.account.preSales.all();
      expect(() => sandbox.data.account.preSales.replace([preSale({ uuid: FIRST, created_at })])).toThrow(
        /created_at must be a time, such as "2026-03-01T09:00:00\+00:00"/,
      );
      expect(sandbox.data.account.preSales.all()).toBe(before);
    },
  );
});
