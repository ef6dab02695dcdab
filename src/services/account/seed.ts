// Owns the account's base data: how it is made with faker, and how its dates follow the clock's today. What must be
// there for every seed (who logs in, which presales) is written down; faker fills in names, addresses and figures.

import type { Faker } from "@faker-js/faker";
import type { Fixture, GenerateOptions } from "../../operation/service.ts";
import type { Entity } from "../../world/store.ts";
import { addDays, type CalendarDate, daysBetween } from "../../world/time.ts";
import { toAmount, toCents } from "./money.ts";
import type {
  StoredConsumption,
  StoredIdentity,
  StoredPreSale,
  StoredPreSaleAction,
  StoredUser,
} from "./schemas.ts";

/** Assumed: the production domain of an API set that the roles name; the same in both environments. */
const ROLES = { "api.example.test": ["ROLE_WRITER"] };
/** Assumed; that of the settings, so that the figures of a fixture agree. */
const PRICE_PER_INVOICE = "0.25";

/** Moves dates by the days, and consumptions by the months, between the fixture's anchor and today. */
export function rebase(fixture: Fixture, today: CalendarDate): Fixture {
  const days = daysBetween(fixture.anchor, today);
  const months = monthsOf(today) - monthsOf(fixture.anchor);
  const { consumptions = [], preSales = [], preSaleActions = [], ...others } = fixture.collections;
  return {
    anchor: today,
    collections: {
      ...others,
      consumptions: consumptions.map((entity) => ({ ...entity, ...shiftedMonth(entity, months) })),
      preSales: preSales.map((entity) => shifted(entity, days, "created_at", "valid_until")),
      preSaleActions: preSaleActions.map((entity) => shifted(entity, days, "created_at", "updated_at")),
    },
  };
}

function monthsOf(date: CalendarDate): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
}

function shiftedMonth(
  { year, month }: Entity,
  by: number,
): { readonly year: number; readonly month: number } {
  return toMonth(Number(year) * 12 + Number(month) - 1 + by);
}

function toMonth(months: number): { readonly year: number; readonly month: number } {
  return { year: Math.floor(months / 12), month: (months % 12) + 1 };
}

function shifted(entity: Entity, days: number, ...fields: readonly string[]): Entity {
  const moved = fields.map((field) => {
    const text = String(entity[field]);
    return [field, addDays(text.slice(0, 10), days) + text.slice(10)];
  });
  return { ...entity, ...Object.fromEntries(moved) };
}

/** Everything of one environment: an English user with much of everything, an Italian company, and a disabled user. */
export async function generate({ seed, environment, anchor, counts }: GenerateOptions): Promise<Fixture> {
  const [{ faker: english }, { faker: italian }] = await Promise.all([
    import("@faker-js/faker/locale/en_GB"),
    import("@faker-js/faker/locale/it"),
  ]);
  const sandbox = environment === "accountSandbox";
  english.seed([seed, sandbox ? 1 : 0, 0]);
  italian.seed([seed, sandbox ? 1 : 0, 1]);
  const domain = sandbox ? "sandbox.example.test" : "example.test";
  const first = sandbox ? 201 : 101;
  const [ada, company, left] = [first, first + 1, first + 2];
  const draft: Draft = { faker: english, anchor };
  const healthy = preSale(draft, ada, { age: 40, life: 365, credit: 1000, used: 120 });
  const nearlyUsedUp = preSale(draft, ada, { age: 200, life: 365, credit: 500, used: 496.5 });
  const expired = preSale(draft, ada, { age: 500, life: 365, credit: 250, used: 231.75 });
  const ofCompany = preSale({ faker: italian, anchor }, company, {
    age: 90,
    life: 365,
    credit: 300,
    used: 75,
  });
  const more = Array.from({ length: Math.max(0, (counts["preSales"] ?? 4) - 4) }, (_, index) =>
    preSale(draft, ada, { age: 30 + index, life: 365, credit: 100, used: english.number.int({ max: 100 }) }),
  );
  const users: StoredUser[] = [
    englishUser(english, ada, `ada@${domain}`),
    italianCompany(italian, company, `contabilita@${domain}`),
    { ...nobody(left, `ex-collega@${domain}`), fullname: italian.person.fullName() },
  ];
  const identities: StoredIdentity[] = [
    { name: `ada@${domain}`, password: "Vitrine!2026", uid: ada, roles: ROLES },
    {
      name: `contabilita@${domain}`,
      password: sandbox ? "Prova#2026" : "Fattura#2026",
      uid: company,
      roles: ROLES,
    },
    { name: `ex-collega@${domain}`, password: "Passato$2025", uid: left, roles: ROLES, disabled: true },
  ];
  return {
    anchor,
    collections: {
      users,
      identities,
      consumptions: [
        ...consumptions(draft, ada, counts["consumptions"] ?? 40),
        ...consumptions({ faker: italian, anchor }, company, 5),
      ],
      preSales: [expired, nearlyUsedUp, ofCompany, healthy, ...more],
      preSaleActions: [
        action(draft, nearlyUsedUp, { threshold: 3, target: `ops@${domain}`, enabled: true }),
        action(draft, healthy, { threshold: 200, target: `ada@${domain}`, enabled: true }),
        action(draft, healthy, { threshold: 900, target: `billing@${domain}`, enabled: false }),
        action(draft, expired, { threshold: 50, target: `ada@${domain}`, enabled: true }),
        action({ faker: italian, anchor }, ofCompany, {
          threshold: 100,
          target: `avvisi@${domain}`,
          enabled: true,
        }),
      ],
    },
  };
}

type Draft = { readonly faker: Faker; readonly anchor: CalendarDate };

/** The last `count` months, this one included; every seventh without any usage. */
function consumptions({ faker, anchor }: Draft, owner: number, count: number): StoredConsumption[] {
  return Array.from({ length: count }, (_, index) => {
    const idle = index % 7 === 3;
    const invoices_sent = idle ? 0 : faker.number.int({ min: 1, max: 400 });
    const invoices_received = idle ? 0 : faker.number.int({ min: 0, max: 250 });
    return {
      uuid: faker.string.uuid(),
      ...monthBefore(anchor, index),
      total: toAmount(priceOf(invoices_sent + invoices_received)),
      invoices_sent,
      invoices_received,
      owner,
    };
  });
}

function monthBefore(anchor: CalendarDate, by: number): { readonly month: number; readonly year: number } {
  const { month, year } = toMonth(monthsOf(anchor) - by);
  return { month, year };
}

function priceOf(invoices: number): bigint {
  return toCents(PRICE_PER_INVOICE, "price") * BigInt(invoices);
}

/** Ages and lives in days; credit in units. What was used agrees with the invoices. */
function preSale(
  { faker, anchor }: Draft,
  owner: number,
  {
    age,
    life,
    credit,
    used,
  }: { readonly age: number; readonly life: number; readonly credit: number; readonly used: number },
): StoredPreSale {
  const purchased = toCents(credit.toFixed(2), "credit");
  const spent = toCents(used.toFixed(2), "used");
  const invoices = Number(spent / priceOf(1));
  const invoices_sent = faker.number.int({ min: Math.floor(invoices / 2), max: invoices });
  const bought = addDays(anchor, -age);
  const time = `${String(faker.number.int({ min: 8, max: 17 })).padStart(2, "0")}:${String(faker.number.int({ max: 59 })).padStart(2, "0")}:00+00:00`;
  return {
    uuid: faker.string.uuid(),
    created_at: `${bought}T${time}`,
    valid_until: `${addDays(bought, life)}T${time}`,
    total_credit_purchased: toAmount(purchased),
    current_credit_available: toAmount(purchased - spent),
    current_credit_purchased: toAmount(purchased),
    invoices_sent,
    invoices_received: invoices - invoices_sent,
    owner,
  };
}

function action(
  { faker }: Draft,
  { uuid: pre_sale_uuid, created_at, owner }: StoredPreSale,
  { threshold, target, enabled }: Pick<StoredPreSaleAction, "threshold" | "target" | "enabled">,
): StoredPreSaleAction {
  return {
    uuid: faker.string.uuid(),
    created_at,
    updated_at: created_at,
    threshold,
    action_type: "alert_mail",
    target,
    enabled,
    pre_sale_uuid,
    owner,
    armed: true,
    running_until: 0,
  };
}

function englishUser(faker: Faker, uid: number, email: string): StoredUser {
  return {
    ...nobody(uid, email),
    fullname: `Ada ${faker.person.lastName()}`,
    invoicing_vat_number: `GB${faker.string.numeric(9)}`,
    invoicing_address: faker.location.streetAddress(),
    invoicing_city: faker.location.city(),
    invoicing_cap: faker.location.zipCode(),
    invoicing_name: faker.company.name(),
    invoicing_country: "GB",
  };
}

function italianCompany(faker: Faker, uid: number, email: string): StoredUser {
  const { cap, city, province } = faker.helpers.arrayElement(PLACES);
  const vat = faker.string.numeric({ length: 11, allowLeadingZeros: true });
  return {
    ...nobody(uid, email),
    fullname: faker.person.fullName(),
    invoicing_vat_number: `IT${vat}`,
    invoicing_fiscal_id: vat,
    invoicing_address: faker.location.streetAddress(),
    invoicing_city: city,
    invoicing_province: province,
    invoicing_cap: cap,
    invoicing_name: `${faker.person.lastName()} & Figli S.r.l.`,
    invoicing_country: "IT",
    invoicing_sdi_recipient_code: faker.string.alphanumeric({ length: 7, casing: "upper" }),
  };
}

const PLACES = [
  { cap: "10121", city: "Torino", province: "TO" },
  { cap: "06121", city: "Perugia", province: "PG" },
  { cap: "39100", city: "Bolzano/Bozen", province: "BZ" },
  { cap: "67100", city: "L'Aquila", province: "AQ" },
  { cap: "47521", city: "Cesena", province: "FC" },
];

function nobody(uid: number, email: string): StoredUser {
  return {
    uid,
    email,
    fullname: null,
    invoicing_vat_number: null,
    invoicing_fiscal_id: null,
    invoicing_address: null,
    invoicing_city: null,
    invoicing_province: null,
    invoicing_cap: null,
    invoicing_name: null,
    invoicing_country: null,
    invoicing_sdi_recipient_code: null,
    invoicing_sdi_pec: null,
  };
}
