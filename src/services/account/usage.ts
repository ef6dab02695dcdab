/** Simulates usage. Assumed: the oldest valid presale pays first; the rest is added to the month's consumption. */

import { readFields } from "../../errors/arguments.ts";
import { quote } from "../../errors/quote.ts";
import { runAtPointer, UsageError } from "../../errors/usage-error.ts";
import { type Environment, readEnvironment } from "../../operation/service.ts";
import type { Identity } from "../../world/identities.ts";
import type { Message } from "../../world/mailbox.ts";
import { parseTimestamp, type Timestamp, toIso } from "../../world/time.ts";
import type { World } from "../../world/world.ts";
import { applyCreditChange, isValid, parseCredit } from "./alerts.ts";
import { type Cents, toAmount, toCents } from "./money.ts";
import type { AccountSettings } from "./settings.ts";
import {
  type AccountState,
  createAccountState,
  listOwned,
  sortLatestFirst,
  sortOldestFirst,
} from "./state.ts";
import type { StoredConsumption, StoredPreSale } from "./stored.ts";

/** Usage to record: numbers of sent and received invoices that the platform has processed. */
export type Usage = {
  /** `sent` and `received`: whole numbers from 0 to 1,000,000. Default: 0. */
  readonly sent?: number | undefined;
  readonly received?: number | undefined;
  /** Time of processing (ISO 8601), which selects the valid presales and the month. Default: now. */
  readonly at?: string | Date | undefined;
  /** Login name. Default: the first user of the environment. */
  readonly user?: string | undefined;
  /** Key or name of the environment, such as `accountSandbox` or `sandbox`. Default: production. */
  readonly environment?: string | undefined;
};

/** Share of a usage. One presale pays it, or it is added to a consumption. */
type UsageShare = InvoiceTotals & {
  readonly uuid: string;
  /** Amount as a decimal string. */
  readonly paid: string;
};
type InvoiceTotals = { readonly invoices_sent: number; readonly invoices_received: number };

/** Result of a usage. The amounts of all shares add up to the price of the usage. */
export type UsageReceipt = {
  readonly environment: string;
  readonly user: string;
  readonly at: string;
  /** Shares of the presales that paid, oldest presale first. */
  readonly preSales: readonly UsageShare[];
  /** Share that no presale paid, if any. */
  readonly consumption: UsageShare | undefined;
  /** Alert mails that the usage triggered. */
  readonly mails: readonly Message[];
};

const MAX_INVOICES = 1_000_000;

export type UsageMethods = { record(usage: Usage): UsageReceipt };

/** Creates the methods of `sandbox.usage`. `settings` returns the current settings. */
export function createUsageMethods(
  world: World,
  environments: readonly Environment[],
  settings: () => AccountSettings,
): UsageMethods {
  return {
    record(given) {
      const usage = readFields(given, ["sent", "received", "at", "user", "environment"], "usage");
      const environment = readEnvironment(environments, usage.environment);
      return recordUsage(createAccountState(world, environment), usage, settings());
    },
  };
}

export function recordUsage(state: AccountState, usage: Usage, settings: AccountSettings): UsageReceipt {
  const invoices = { sent: parseInvoiceCount("sent", usage), received: parseInvoiceCount("received", usage) };
  const { at: given = new Date(state.world.clock.now()) } = usage;
  const at = runAtPointer("/at", () => parseTimestamp(given));
  const user = state.world.identities.resolve(state.environment, usage.user);
  const { result } = state.world.store.transaction(() => charge(state, user, invoices, { at, settings }));
  return { environment: state.environment, user: user.name, at: toIso(at), ...result };
}

type ChargeTerms = { readonly at: Timestamp; readonly settings: AccountSettings };

function charge(state: AccountState, user: Identity, invoices: Invoices, terms: ChargeTerms) {
  const { at, settings } = terms;
  const before = listOwned(user, state.preSales, sortOldestFirst);
  const valid = before.filter((preSale) => isValid(preSale, at) && parseCredit(preSale) > 0n);
  const price = toCents(settings.usage.pricePerInvoice, "pricePerInvoice");
  const { parts, rest } = splitPrice(valid.map(parseCredit), invoices, price);
  const preSales = valid.flatMap((preSale, index) => {
    const part = parts[index];
    if (part === undefined || part.paid === 0n) return [];
    state.preSales.set(preSale.uuid, {
      ...preSale,
      ...addInvoices(preSale, part),
      current_credit_available: toAmount(parseCredit(preSale) - part.paid),
    });
    return [toShare(preSale.uuid, part)];
  });
  const consumption = rest.paid === 0n ? undefined : accrue(state, user, rest, at);
  const isEmpty = invoices.sent + invoices.received === 0;
  return { preSales, consumption, mails: isEmpty ? [] : runAlerts(state, before, terms) };
}

/** Adds the share that no presale paid to the user's consumption of the month (UTC). Creates the consumption if it is missing. */
function accrue(state: AccountState, user: Identity, part: Payment, at: Timestamp): UsageShare {
  const { world, environment, consumptions } = state;
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1];
  const owned = listOwned(user, consumptions, sortLatestFirst);
  const known = owned.find((item) => item.year === year && item.month === month);
  const { uuid, total, ...rest }: StoredConsumption = known ?? {
    uuid: world.random.uuid(`${environment}/consumptions`),
    month,
    year,
    total: "0.00",
    invoices_sent: 0,
    invoices_received: 0,
    owner: user.uid,
  };
  const sum = toAmount(toCents(total, `consumption ${uuid}: total`) + part.paid);
  consumptions.set(uuid, { uuid, ...rest, ...addInvoices(rest, part), total: sum });
  return toShare(uuid, part);
}

/** Checks the actions of all presales of the user, including presales whose credit did not change. Returns their mails. */
function runAlerts(state: AccountState, before: readonly StoredPreSale[], terms: ChargeTerms): Message[] {
  const mails: Message[] = [];
  const preSales = new Map(before.map((preSale) => [preSale.uuid, preSale]));
  for (const action of state.preSaleActions.all()) {
    const previous = preSales.get(action.pre_sale_uuid);
    const preSale = state.preSales.get(action.pre_sale_uuid);
    if (previous === undefined || preSale === undefined || action.owner !== preSale.owner) continue;
    const mail = applyCreditChange(state, action, { preSale, before: parseCredit(previous), ...terms });
    if (mail !== undefined) mails.push(mail);
  }
  return mails;
}

function addInvoices({ invoices_sent, invoices_received }: InvoiceTotals, { sent, received }: Payment) {
  const counts = { invoices_sent: invoices_sent + sent, invoices_received: invoices_received + received };
  for (const [field, value] of Object.entries(counts)) {
    if (Number.isSafeInteger(value)) continue;
    const message = `${field} would go over ${Number.MAX_SAFE_INTEGER}. Record fewer invoices.`;
    throw new UsageError("badData", message);
  }
  return counts;
}

function toShare(uuid: string, { paid, sent, received }: Payment): UsageShare {
  return { uuid, paid: toAmount(paid), invoices_sent: sent, invoices_received: received };
}

function parseInvoiceCount(field: "sent" | "received", usage: Usage): number {
  const value: unknown = usage[field];
  if (value === undefined) return 0;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_INVOICES)
    return value;
  const shown = typeof value === "string" ? quote(value) : String(value);
  const message = `${field} must be a whole number from 0 to ${MAX_INVOICES}, not ${shown}.`;
  throw new UsageError("badData", message, { pointer: `/${field}` });
}

export type Invoices = { readonly sent: number; readonly received: number };

export type Payment = { readonly paid: Cents } & Invoices;

/** Splits the price of all invoices among credits, in order. An invoice belongs to the payer of its last cent. Sent invoices come first. */
export function splitPrice(
  credits: readonly Cents[],
  { sent, received }: Invoices,
  price: Cents,
): { readonly parts: readonly Payment[]; readonly rest: Payment } {
  const due = price * BigInt(sent + received);
  let covered: Cents = 0n;
  const pay = (paid: Cents): Payment => {
    const from = Number(covered / price);
    covered += paid;
    const to = Number(covered / price);
    const paidSent = Math.min(to, sent) - Math.min(from, sent);
    return { paid, sent: paidSent, received: to - from - paidSent };
  };
  const parts = credits.map((credit) => pay(credit < due - covered ? credit : due - covered));
  return { parts, rest: pay(due - covered) };
}
