import { describe, expect, test } from "vitest";
import { account, accountCollections } from "../../../src/services/account/index.ts";
import { toCents } from "../../../src/services/account/money.ts";
import { AccountSettings } from "../../../src/services/account/settings.ts";
import { ADA, COMPANY, DISABLED, SANDBOX_ADA } from "../../support/account.ts";

const make = (seed: number, environment = "account", counts = {}) =>
  account.generate({ seed, environment, anchor: "2026-03-31", counts });

describe.each(["account", "accountSandbox"])("base data of %s", (environment) => {
  test("depends on the seed alone", async () => {
    expect(await make(5, environment)).toEqual(await make(5, environment));
    expect(await make(5, environment)).not.toEqual(await make(6, environment));
  });

  test("matches the schemas of its collections, and every entity has a unique key", async () => {
    const { collections } = await make(5, environment);
    expect(Object.keys(collections).sort()).toEqual(Object.keys(accountCollections).sort());
    for (const [name, { schema, key }] of Object.entries(accountCollections)) {
      const entities = collections[name] ?? [];
      for (const entity of entities) expect(schema.parse(entity)).toEqual(entity);
      expect(new Set(entities.map(key)).size).toBe(entities.length);
    }
  });

  test("is consistent: owners, presales of actions, and amounts of money", async () => {
    const {
      users = [],
      identities = [],
      preSales = [],
      preSaleActions = [],
    } = (await make(5, environment)).collections;
    expect(users.map(({ uid, email }) => [uid, email])).toEqual(
      identities.map(({ uid, name }) => [uid, name]),
    );
    const price = toCents(AccountSettings.parse({}).usage.pricePerInvoice, "price");
    for (const preSale of preSales) {
      const [bought, left] = [preSale["current_credit_purchased"], preSale["current_credit_available"]];
      const spent = toCents(String(bought), "bought") - toCents(String(left), "left");
      expect(spent).toBe(
        price * BigInt(Number(preSale["invoices_sent"]) + Number(preSale["invoices_received"])),
      );
    }
    for (const { pre_sale_uuid, owner } of preSaleActions)
      expect(preSales.find(({ uuid }) => uuid === pre_sale_uuid)?.["owner"]).toBe(owner);
  });
});

test.for([
  ["account", [ADA, COMPANY, DISABLED]],
  ["accountSandbox", [SANDBOX_ADA]],
] as const)(
  "the predefined users of %s have the same passwords with every seed",
  async ([environment, users]) => {
    const { identities = [], preSaleActions = [] } = (await make(4_711, environment)).collections;
    for (const { email, password } of users)
      expect(identities).toContainEqual(expect.objectContaining({ name: email, password }));
    for (const { target } of preSaleActions) expect(target).toMatch(/^\w[\w.-]*@[\w.]+\.test$/);
  },
);

test("the two environments have no entity and no e-mail address in common", async () => {
  const [production, sandbox] = await Promise.all([make(5), make(5, "accountSandbox")]);
  for (const name of ["consumptions", "preSales", "preSaleActions"]) {
    const known = new Set(production.collections[name]?.map(({ uuid }) => uuid));
    expect(sandbox.collections[name]?.filter(({ uuid }) => known.has(uuid))).toEqual([]);
  }
  const names = production.collections["identities"]?.map(({ name }) => name) ?? [];
  expect(sandbox.collections["identities"]?.filter(({ name }) => names.includes(name))).toEqual([]);
});

test("options increase the number of consumptions, presales and actions", async () => {
  const counts = { consumptions: 120, preSales: 40, preSaleActions: 70 };
  const { collections } = await make(5, "account", counts);
  for (const [name, count] of Object.entries(counts)) expect(collections[name]).toHaveLength(count);
  expect(collections["preSales"]?.slice(0, 3)).toEqual((await make(5)).collections["preSales"]?.slice(0, 3));
});

test("a move to another date moves days by days and months by months, across the ends of months and years", async () => {
  const fixture = await make(5);
  const moved = account.rebase(fixture, "2027-01-01");
  const first = (name: string, of = moved) => of.collections[name]?.[0] ?? {};
  expect(first("consumptions", fixture)).toMatchObject({ year: 2026, month: 3 });
  expect(first("consumptions")).toMatchObject({ year: 2027, month: 1 });
  const [before, after] = [first("preSales", fixture), first("preSales")];
  for (const field of ["created_at", "valid_until"])
    expect(Date.parse(String(after[field])) - Date.parse(String(before[field]))).toBe(276 * 86_400_000);
  expect(first("preSaleActions")["updated_at"]).toBe(first("preSaleActions")["created_at"]);
  expect(account.rebase(fixture, fixture.anchor)).toEqual(fixture);
});
