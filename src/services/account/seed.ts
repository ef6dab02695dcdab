/**
 * The account's base data: how faker generates it, and how its dates follow the clock's today. What must exist for
 * every seed (who logs in, which presales) is fixed here; faker fills in names, addresses and figures.
 */

import type { Faker } from "@faker-js/faker";
import type { Fixture, GenerateOptions } from "../../operation/service.ts";
import type { Entity } from "../../world/store.ts";
import { addDays, type CalendarDate, daysBetween } from "../../world/time.ts";
import { toAmount, toCents } from "./money.ts";
import { profile } from "./schemas.ts";
import type {
  StoredConsumption,
  StoredIdentity,
  StoredPreSale,
  StoredPreSaleAction,
  StoredUser,
} from "./stored.ts";

/** Assumed: the roles name the production domain of an API set; the same in both environments. */
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

function shiftedMonth({ year, month }: Entity, by: number): Pick<StoredConsumption, "year" | "month"> {
  return toMonth(Number(year) * 12 + Number(month) - 1 + by);
}

function toMonth(months: number): Pick<StoredConsumption, "year" | "month"> {
  return { year: Math.floor(months / 12), month: (months % 12) + 1 };
}

function shifted(entity: Entity, days: number, ...fields: readonly string[]): Entity {
  const moved = fields.map((field) => {
    const text = String(entity[field]);
    return [field, addDays(text.slice(0, 10), days) + text.slice(10)];
  });
  return { ...entity, ...Object.fromEntries(moved) };
}

/** A user with an account, and everything that belongs to it. */
type Person = {
  readonly user: StoredUser;
  readonly identity: Omit<StoredIdentity, "name" | "uid" | "roles">;
  readonly consumptions: readonly StoredConsumption[];
  readonly preSales: readonly StoredPreSale[];
  readonly preSaleActions: readonly StoredPreSaleAction[];
};

type Draft = {
  readonly faker: Faker;
  readonly anchor: CalendarDate;
  /** Of the e-mail addresses. */
  readonly domain: string;
  readonly uid: number;
};

type Counts = GenerateOptions["counts"];

/**
 * All data of one environment: an English user with plenty of everything, an Italian company, and a user whose account
 * is disabled. `counts` are totals; never fewer are created than the company and the three typical presales need.
 */
export async function generate({ seed, environment, anchor, counts }: GenerateOptions): Promise<Fixture> {
  const [{ faker: english }, { faker: italian }] = await Promise.all([
    import("@faker-js/faker/locale/en_GB"),
    import("@faker-js/faker/locale/it"),
  ]);
  const sandbox = environment === "accountSandbox";
  english.seed([seed, sandbox ? 1 : 0, 0]);
  italian.seed([seed, sandbox ? 1 : 0, 1]);
  const [domain, uid] = sandbox ? ["sandbox.example.test", 201] : ["example.test", 101];
  const people = [
    ada({ faker: english, anchor, domain, uid }, counts),
    company({ faker: italian, anchor, domain, uid: uid + 1 }, sandbox ? "Prova#2026" : "Fattura#2026"),
    formerColleague({ faker: italian, anchor, domain, uid: uid + 2 }),
  ];
  return {
    anchor,
    collections: {
      users: people.map(({ user }) => user),
      identities: people.map(({ user, identity }): StoredIdentity => {
        const { password, ...rest } = identity;
        return { name: user.email, password, uid: user.uid, roles: ROLES, ...rest };
      }),
      consumptions: people.flatMap((person) => person.consumptions),
      preSales: people.flatMap((person) => person.preSales),
      preSaleActions: people.flatMap((person) => person.preSaleActions),
    },
  };
}

const MONTHS_OF_COMPANY = 5;

/** The user of the README. Presales: an expired, a nearly used up and a healthy one, and more if more are asked for. */
function ada(draft: Draft, counts: Counts): Person {
  const { faker, domain } = draft;
  const expired = preSale(draft, { age: 500, credit: 250, used: 231.75 });
  const nearlyUsedUp = preSale(draft, { age: 200, credit: 500, used: 496.5 });
  const healthy = preSale(draft, { age: 40, credit: 1000, used: 120 });
  const more = range((counts["preSales"] ?? 0) - 4).map((index) =>
    preSale(draft, { age: 30 + index, credit: 100, used: faker.number.int({ max: 100 }) }),
  );
  return {
    user: englishUser(draft),
    identity: { password: "Vitrine!2026" },
    consumptions: consumptions(draft, (counts["consumptions"] ?? 45) - MONTHS_OF_COMPANY),
    preSales: [expired, nearlyUsedUp, healthy, ...more],
    preSaleActions: [
      action(draft, nearlyUsedUp, { threshold: 3, target: `ops@${domain}`, enabled: true }),
      action(draft, healthy, { threshold: 200, target: `ada@${domain}`, enabled: true }),
      action(draft, healthy, { threshold: 900, target: `billing@${domain}`, enabled: false }),
      action(draft, expired, { threshold: 50, target: `ada@${domain}`, enabled: true }),
      ...range((counts["preSaleActions"] ?? 0) - 5).map((index) =>
        action(draft, healthy, { threshold: index, target: `ops@${domain}`, enabled: index % 2 === 0 }),
      ),
    ],
  };
}

function company(draft: Draft, password: string): Person {
  const bought = preSale(draft, { age: 90, credit: 300, used: 75 });
  return {
    user: italianCompany(draft),
    identity: { password },
    consumptions: consumptions(draft, MONTHS_OF_COMPANY),
    preSales: [bought],
    preSaleActions: [
      action(draft, bought, { threshold: 100, target: `avvisi@${draft.domain}`, enabled: true }),
    ],
  };
}

function formerColleague(draft: Draft): Person {
  return {
    user: { ...blank(draft, "ex-collega"), fullname: draft.faker.person.fullName() },
    identity: { password: "Passato$2025", disabled: true },
    consumptions: [],
    preSales: [],
    preSaleActions: [],
  };
}

/** 0, 1, 2, … below `length`; empty when that is negative. */
function range(length: number): readonly number[] {
  return Array.from({ length: Math.max(0, length) }, (_, index) => index);
}

/** The last `count` months, this one included; every seventh without any usage. */
function consumptions({ faker, anchor, uid: owner }: Draft, count: number): StoredConsumption[] {
  return range(count).map((index) => {
    const idle = index % 7 === 3;
    const { month, year } = toMonth(monthsOf(anchor) - index);
    const invoices_sent = idle ? 0 : faker.number.int({ min: 1, max: 400 });
    const invoices_received = idle ? 0 : faker.number.int({ min: 0, max: 250 });
    return {
      uuid: faker.string.uuid(),
      month,
      year,
      total: toAmount(priceOf(invoices_sent + invoices_received)),
      invoices_sent,
      invoices_received,
      owner,
    };
  });
}

function priceOf(invoices: number): bigint {
  return toCents(PRICE_PER_INVOICE, "price") * BigInt(invoices);
}

/** Bought `age` days ago, for a year; credit in units. The amount used agrees with the invoices. */
function preSale(
  { faker, anchor, uid: owner }: Draft,
  { age, credit, used }: { readonly age: number; readonly credit: number; readonly used: number },
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
    valid_until: `${addDays(bought, 365)}T${time}`,
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

function englishUser(draft: Draft): StoredUser {
  const { faker } = draft;
  return {
    ...blank(draft, "ada"),
    fullname: `Ada ${faker.person.lastName()}`,
    invoicing_vat_number: `GB${faker.string.numeric(9)}`,
    invoicing_address: faker.location.streetAddress(),
    invoicing_city: faker.location.city(),
    invoicing_cap: faker.location.zipCode(),
    invoicing_name: faker.company.name(),
    invoicing_country: "GB",
  };
}

function italianCompany(draft: Draft): StoredUser {
  const { faker } = draft;
  const { cap, city, province } = faker.helpers.arrayElement(PLACES);
  const vat = faker.string.numeric({ length: 11, allowLeadingZeros: true });
  return {
    ...blank(draft, "contabilita"),
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

/** A profile with nothing but the address. */
function blank({ uid, domain }: Draft, name: string): StoredUser {
  return { uid, email: `${name}@${domain}`, ...profile(() => null) };
}
