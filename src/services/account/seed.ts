/** Generates base data of the account service. Logins and credits are mostly fixed; faker generates names, addresses and numbers. */

import type { Faker } from "@faker-js/faker";
import type { Fixture, GenerateOptions } from "../../operation/service.ts";
import type { Entity } from "../../world/store.ts";
import { addDays, type CalendarDate, countDays } from "../../world/time.ts";
import { toAmount, toCents } from "./money.ts";
import { mapProfile } from "./schemas.ts";
import type {
  StoredConsumption,
  StoredIdentity,
  StoredPreSale,
  StoredPreSaleAction,
  StoredUser,
} from "./stored.ts";

/** The claim `roles` of all users: roles by production domain. Assumed: the same in both environments. */
const ROLES = { "api.example.test": ["ROLE_WRITER"] };
/** Assumed. Must equal the default of the setting `pricePerInvoice`, so that amounts match the numbers of invoices. */
const PRICE_PER_INVOICE = "0.25";

/** Moves dates by the number of days from the fixture's anchor to today. Moves the month of consumptions by the number of months. */
export function rebase(fixture: Fixture, today: CalendarDate): Fixture {
  const days = countDays(fixture.anchor, today);
  const months = toMonthNumber(today) - toMonthNumber(fixture.anchor);
  const { consumptions = [], preSales = [], preSaleActions = [], ...others } = fixture.collections;
  return {
    anchor: today,
    collections: {
      ...others,
      consumptions: consumptions.map((entity) => ({ ...entity, ...shiftMonth(entity, months) })),
      preSales: preSales.map((entity) => shiftDates(entity, days, "created_at", "valid_until")),
      preSaleActions: preSaleActions.map((entity) => shiftDates(entity, days, "created_at", "updated_at")),
    },
  };
}

function toMonthNumber(date: CalendarDate): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
}

function shiftMonth({ year, month }: Entity, by: number) {
  return toMonth(Number(year) * 12 + Number(month) - 1 + by);
}

function toMonth(months: number) {
  return { year: Math.floor(months / 12), month: (months % 12) + 1 };
}

function shiftDates(entity: Entity, days: number, ...fields: readonly string[]): Entity {
  const moved = fields.map((field) => {
    const text = String(entity[field]);
    return [field, addDays(text.slice(0, 10), days) + text.slice(10)];
  });
  return { ...entity, ...Object.fromEntries(moved) };
}

type Person = {
  readonly user: StoredUser;
  readonly identity: Omit<StoredIdentity, "name" | "uid" | "roles">;
  readonly consumptions: readonly StoredConsumption[];
  readonly preSales: readonly StoredPreSale[];
  readonly preSaleActions: readonly StoredPreSaleAction[];
};

type SeedContext = {
  readonly faker: Faker;
  readonly anchor: CalendarDate;
  /** Domain of the users' email addresses. */
  readonly domain: string;
  readonly uid: number;
};

/** Creates an English user with a lot of data, an Italian company, and a disabled user. `counts`: minimum sizes of collections. */
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
    createAda({ faker: english, anchor, domain, uid }, counts),
    createCompany({ faker: italian, anchor, domain, uid: uid + 1 }, sandbox ? "Prova#2026" : "Fattura#2026"),
    createColleague({ faker: italian, anchor, domain, uid: uid + 2 }),
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

const COMPANY_MONTHS = 5;

/** Creates the user of the README's examples, with three presales: expired, nearly used up, and with a lot of credit. */
function createAda(draft: SeedContext, counts: GenerateOptions["counts"]): Person {
  const { faker, domain } = draft;
  const expired = createPreSale(draft, { age: 500, credit: 250, used: 231.75 });
  const nearlyUsedUp = createPreSale(draft, { age: 200, credit: 500, used: 496.5 });
  const healthy = createPreSale(draft, { age: 40, credit: 1000, used: 120 });
  const more = createRange((counts["preSales"] ?? 0) - 4).map((index) =>
    createPreSale(draft, { age: 30 + index, credit: 100, used: faker.number.int({ max: 100 }) }),
  );
  return {
    user: {
      ...createBlankUser(draft, "ada"),
      fullname: `Ada ${faker.person.lastName()}`,
      invoicing_vat_number: `GB${faker.string.numeric(9)}`,
      invoicing_address: faker.location.streetAddress(),
      invoicing_city: faker.location.city(),
      invoicing_cap: faker.location.zipCode(),
      invoicing_name: faker.company.name(),
      invoicing_country: "GB",
    },
    identity: { password: "Vitrine!2026" },
    consumptions: createConsumptions(draft, (counts["consumptions"] ?? 45) - COMPANY_MONTHS),
    preSales: [expired, nearlyUsedUp, healthy, ...more],
    preSaleActions: [
      createAlertAction(draft, nearlyUsedUp, { threshold: 3, target: `ops@${domain}`, enabled: true }),
      createAlertAction(draft, healthy, { threshold: 200, target: `ada@${domain}`, enabled: true }),
      createAlertAction(draft, healthy, { threshold: 900, target: `billing@${domain}`, enabled: false }),
      createAlertAction(draft, expired, { threshold: 50, target: `ada@${domain}`, enabled: true }),
      ...createRange((counts["preSaleActions"] ?? 0) - 5).map((threshold) => {
        const enabled = threshold % 2 === 0;
        return createAlertAction(draft, healthy, { threshold, target: `ops@${domain}`, enabled });
      }),
    ],
  };
}

function createCompany(draft: SeedContext, password: string): Person {
  const bought = createPreSale(draft, { age: 90, credit: 300, used: 75 });
  return {
    user: createItalianUser(draft),
    identity: { password },
    consumptions: createConsumptions(draft, COMPANY_MONTHS),
    preSales: [bought],
    preSaleActions: [
      createAlertAction(draft, bought, { threshold: 100, target: `avvisi@${draft.domain}`, enabled: true }),
    ],
  };
}

function createColleague(draft: SeedContext): Person {
  return {
    user: { ...createBlankUser(draft, "ex-collega"), fullname: draft.faker.person.fullName() },
    identity: { password: "Passato$2025", disabled: true },
    consumptions: [],
    preSales: [],
    preSaleActions: [],
  };
}

/** Returns the numbers from 0 to `length` - 1, or an empty list if `length` is negative. */
function createRange(length: number): readonly number[] {
  return Array.from({ length: Math.max(0, length) }, (_, index) => index);
}

/** Creates the consumptions of the last `count` months, including the current month. Every seventh month has no usage. */
function createConsumptions({ faker, anchor, uid: owner }: SeedContext, count: number): StoredConsumption[] {
  return createRange(count).map((index) => {
    const idle = index % 7 === 3;
    const { month, year } = toMonth(toMonthNumber(anchor) - index);
    const invoices_sent = idle ? 0 : faker.number.int({ min: 1, max: 400 });
    const invoices_received = idle ? 0 : faker.number.int({ min: 0, max: 250 });
    return {
      uuid: faker.string.uuid(),
      month,
      year,
      total: toAmount(computePrice(invoices_sent + invoices_received)),
      invoices_sent,
      invoices_received,
      owner,
    };
  });
}

function computePrice(invoices: number): bigint {
  return toCents(PRICE_PER_INVOICE, "price") * BigInt(invoices);
}

/** Creates a presale that was bought `age` days ago and is valid for a year. `credit` and `used` are in credit units. */
function createPreSale(
  { faker, anchor, uid: owner }: SeedContext,
  { age, credit, used }: { readonly age: number; readonly credit: number; readonly used: number },
): StoredPreSale {
  const purchased = toCents(credit.toFixed(2), "credit");
  const spent = toCents(used.toFixed(2), "used");
  const invoices = Number(spent / computePrice(1));
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

function createAlertAction(
  { faker }: SeedContext,
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

function createItalianUser(draft: SeedContext): StoredUser {
  const { faker } = draft;
  const { cap, city, province } = faker.helpers.arrayElement(ITALIAN_CITIES);
  const vat = faker.string.numeric({ length: 11, allowLeadingZeros: true });
  return {
    ...createBlankUser(draft, "contabilita"),
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

const ITALIAN_CITIES = [
  { cap: "10121", city: "Torino", province: "TO" },
  { cap: "06121", city: "Perugia", province: "PG" },
  { cap: "39100", city: "Bolzano/Bozen", province: "BZ" },
  { cap: "67100", city: "L'Aquila", province: "AQ" },
  { cap: "47521", city: "Cesena", province: "FC" },
];

function createBlankUser({ uid, domain }: SeedContext, name: string): StoredUser {
  return { uid, email: `${name}@${domain}`, ...mapProfile(() => null) };
}
