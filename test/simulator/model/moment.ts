// The state of a world as the model has it: plain values that are replaced, never changed, so that a snapshot is the value
// itself. Written apart from the product: nothing here is shared with it.

import type { AccountKey } from "../operations.ts";
import type { RuleText } from "../steps.ts";

export type SpecialEvent = {
  readonly eventId: string;
  readonly name: string;
  readonly location: string;
  readonly eventDescription: string;
  readonly dates: readonly string[];
  readonly price: number;
};

/** What a client sends of an event. */
export type EventFields = Omit<SpecialEvent, "eventId">;

export type Ticket = {
  readonly ticketId: string;
  readonly ticketType: string;
  readonly ticketDate: string;
  readonly confirmationCode: string;
  readonly message: string;
  readonly eventName?: string;
  readonly eventId?: string;
  readonly email: string;
  readonly phone?: string;
};

export type Identity = {
  readonly name: string;
  readonly password: string;
  readonly uid: number;
  readonly roles: Readonly<Record<string, readonly string[]>>;
  readonly disabled?: boolean;
};

export type Profile = { readonly uid: number; readonly email: string } & Readonly<Record<string, unknown>>;

export type Consumption = {
  readonly uuid: string;
  readonly month: number;
  readonly year: number;
  readonly total: string;
  readonly invoices_sent: number;
  readonly invoices_received: number;
  readonly owner: number;
};

export type PreSale = {
  readonly uuid: string;
  readonly created_at: string;
  readonly valid_until: string;
  readonly total_credit_purchased: string;
  readonly current_credit_available: string;
  readonly current_credit_purchased: string;
  readonly invoices_sent: number;
  readonly invoices_received: number;
  readonly owner: number;
};

export type Action = {
  readonly uuid: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly threshold: number;
  readonly action_type: string;
  readonly target: string;
  readonly enabled: boolean;
  readonly pre_sale_uuid: string;
  readonly owner: number;
  readonly armed: boolean;
  readonly running_from?: number;
  readonly running_until: number;
};

/** When a token was handed out to a user. */
export type Login = { readonly uid: number; readonly at: number; readonly token: string };

export type Account = {
  readonly identities: readonly Identity[];
  readonly users: readonly Profile[];
  readonly consumptions: readonly Consumption[];
  readonly preSales: readonly PreSale[];
  readonly preSaleActions: readonly Action[];
  readonly logins: readonly Login[];
};

export type Mail = {
  readonly id: string;
  readonly environment: string;
  readonly to: string;
  readonly subject: string;
  readonly at: string;
  readonly actionUuid: string;
};

export type Settings = {
  readonly clampLimit: boolean;
  readonly validationStatus: 400 | 422;
  readonly strict: boolean;
  readonly pageSize: number;
  readonly tokenMs: number;
  readonly mergeProfile: boolean;
  readonly onRepeat: "refuse" | "allow" | "same-token";
};

export const DEFAULTS: Settings = {
  clampLimit: false,
  validationStatus: 400,
  strict: false,
  pageSize: 30,
  tokenMs: 86_400_000,
  mergeProfile: false,
  onRepeat: "refuse",
};

/** How often a rule matched and acted, for each caller that it counts apart. */
export type Counts = Readonly<Record<string, { readonly matched: number; readonly acted: number }>>;
export type Rule = RuleText & { readonly since: number; readonly counts: Counts };

/** All that a snapshot holds. */
export type Moment = {
  readonly now: number;
  readonly events: readonly SpecialEvent[];
  readonly tickets: readonly Ticket[];
  readonly account: Account;
  readonly accountSandbox: Account;
  readonly mails: readonly Mail[];
  readonly settings: Settings;
  /** Those that were added, the newest first. */
  readonly added: readonly Rule[];
  /** Those of the scenario. */
  readonly scenario: readonly Rule[];
  /** How many ids each series has given. */
  readonly series: Readonly<Record<string, number>>;
};

/** The same moment with another account. */
export function withAccount(moment: Moment, key: AccountKey, changed: Partial<Account>): Moment {
  return { ...moment, [key]: { ...moment[key], ...changed } };
}

/** The next id of a series, which the model learns from the sandbox: it cannot know what is drawn. */
export function withNext(moment: Moment, series: string): Moment {
  return { ...moment, series: { ...moment.series, [series]: nextOf(moment, series) } };
}

export function nextOf({ series }: Moment, name: string): number {
  return (series[name] ?? 0) + 1;
}

export function toDate(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/** `2026-03-01T09:00:00+00:00` */
export function toDateTime(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}+00:00`;
}

export function addDays(date: string, days: number): string {
  return toDate(Date.parse(date) + days * 86_400_000);
}
