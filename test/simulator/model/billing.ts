// The model of usage: invoices are paid from the oldest valid presale, then the next; what none covers is a consumption of
// the month. Credit that goes under a threshold sends a mail, once.

import type { AccountKey } from "../operations.ts";
import {
  type Action,
  type Consumption,
  type Mail,
  type Moment,
  type PreSale,
  withAccount,
  withNext,
} from "./moment.ts";
import { oldestFirst } from "./owned.ts";

/** An invoice costs 0.25. */
const PRICE = 25;
const RUNNING_MS = 5_000;

/** `"12.50"` is 1250. Amounts here stay far below what a number holds exactly. */
export function cents(amount: string): number {
  return Math.round(Number(amount) * 100);
}

function toAmount(value: number): string {
  return (value / 100).toFixed(2);
}

export type Usage = { readonly sent: number; readonly received: number; readonly uid: number };

/** `learn` gives the id of the consumption that the month did not have yet. */
export function bill(
  moment: Moment,
  key: AccountKey,
  { sent, received, uid }: Usage,
  learn: (known: readonly string[]) => string,
): Moment {
  let due = PRICE * (sent + received);
  let paidBefore = 0;
  const account = moment[key];
  const own = oldestFirst(account.preSales.filter(({ owner }) => owner === uid));
  const charged = new Map<string, PreSale>();
  /** Invoices count for the pot that pays their last cent; those sent come first. */
  const share = (paid: number) => {
    const [from, to] = [Math.floor(paidBefore / PRICE), Math.floor((paidBefore + paid) / PRICE)];
    const ofSent = Math.min(to, sent) - Math.min(from, sent);
    paidBefore += paid;
    due -= paid;
    return { ofSent, ofReceived: to - from - ofSent };
  };
  for (const preSale of own) {
    const credit = cents(preSale.current_credit_available);
    const paid = Math.min(credit, due);
    if (paid <= 0 || !isValid(preSale, moment.now)) continue;
    const { ofSent, ofReceived } = share(paid);
    charged.set(preSale.uuid, {
      ...preSale,
      current_credit_available: toAmount(credit - paid),
      invoices_sent: preSale.invoices_sent + ofSent,
      invoices_received: preSale.invoices_received + ofReceived,
    });
  }
  const preSales = account.preSales.map((one) => charged.get(one.uuid) ?? one);
  const paidOff = withAccount(moment, key, { preSales });
  const accrued = due > 0 ? accrue(paidOff, key, uid, { paid: due, ...share(due) }, learn) : paidOff;
  return sent + received === 0 ? accrued : alert(accrued, key, own);
}

/** From when it was bought until it expires; at both instants it is valid. */
function isValid({ created_at, valid_until }: PreSale, now: number): boolean {
  return Date.parse(created_at) <= now && now <= Date.parse(valid_until);
}

type Part = { readonly paid: number; readonly ofSent: number; readonly ofReceived: number };

function accrue(
  moment: Moment,
  key: AccountKey,
  uid: number,
  { paid, ofSent, ofReceived }: Part,
  learn: (known: readonly string[]) => string,
): Moment {
  const { consumptions } = moment[key];
  const [year = 0, month = 0] = new Date(moment.now).toISOString().split("-").map(Number);
  const known = consumptions.find((one) => one.owner === uid && one.year === year && one.month === month);
  const before: Consumption = known ?? {
    uuid: learn(consumptions.map(({ uuid }) => uuid)),
    ...{ month, year, total: "0.00", invoices_sent: 0, invoices_received: 0, owner: uid },
  };
  const after = {
    ...before,
    total: toAmount(cents(before.total) + paid),
    invoices_sent: before.invoices_sent + ofSent,
    invoices_received: before.invoices_received + ofReceived,
  };
  if (known !== undefined)
    return withAccount(moment, key, {
      consumptions: consumptions.map((one) => (one === known ? after : one)),
    });
  const created = withAccount(moment, key, { consumptions: [...consumptions, after] });
  return withNext(created, `${key}/consumptions`);
}

/** `before` are the presales as they were. */
function alert(start: Moment, key: AccountKey, before: readonly PreSale[]): Moment {
  let moment = start;
  for (const action of start[key].preSaleActions) {
    const was = before.find(({ uuid, owner }) => uuid === action.pre_sale_uuid && owner === action.owner);
    const preSale = start[key].preSales.find(({ uuid }) => uuid === action.pre_sale_uuid);
    if (was === undefined || preSale === undefined || !isValid(preSale, start.now)) continue;
    const limit = action.threshold * 100;
    const isReady = action.armed || cents(was.current_credit_available) >= limit;
    const fires = action.enabled && isReady && cents(preSale.current_credit_available) < limit;
    const running = { running_from: start.now, running_until: start.now + RUNNING_MS };
    const changed: Action = { ...action, armed: isReady && !fires, ...(fires ? running : {}) };
    const preSaleActions = moment[key].preSaleActions.map((one) =>
      one.uuid === action.uuid ? changed : one,
    );
    moment = withAccount(moment, key, { preSaleActions });
    if (fires) moment = deliver(moment, key, action, preSale);
  }
  return moment;
}

function deliver(moment: Moment, environment: AccountKey, action: Action, preSale: PreSale): Moment {
  const sent = withNext(moment, "mailbox");
  const left = preSale.current_credit_available;
  const mail: Mail = {
    id: String(sent.series["mailbox"]),
    environment,
    to: action.target,
    subject: `Presale credit is low – ${left} left, under your threshold of ${action.threshold}`,
    at: new Date(moment.now).toISOString(),
    actionUuid: action.uuid,
  };
  return { ...sent, mails: [...moment.mails, mail] };
}
