/** Finds the presale actions that fire after a change of credit (usage.ts), and sends their alert mails. */

import type { Message } from "../../world/mailbox.ts";
import { parseDuration, parseTimestamp, type Timestamp } from "../../world/time.ts";
import { buildAlertMail } from "./alert-mail.ts";
import { type Cents, toCents, unitsToCents } from "./money.ts";
import type { AccountSettings } from "./settings.ts";
import type { AccountState } from "./state.ts";
import type { StoredPreSale, StoredPreSaleAction } from "./stored.ts";

/**
 * An enabled and armed action fires if the credit is below its threshold. Firing disarms it until the credit is at or
 * above the threshold again. Assumed, because the document only says "the value under which the action is triggered":
 * - Each fall below the threshold sends one mail, however far the credit falls.
 * - An action that was created below its threshold, or was disabled during the fall, fires at the next usage.
 * - The action is also armed if the credit `before` the usage is at or above the threshold, for example if you lowered the threshold.
 */
export function evaluateCrossing(
  before: Cents,
  after: Cents,
  action: Pick<StoredPreSaleAction, "enabled" | "armed" | "threshold">,
): { readonly fires: boolean; readonly armed: boolean } {
  const ready = isArmed(action, before);
  const fires = action.enabled && ready && after < unitsToCents(action.threshold);
  return { fires, armed: ready && !fires };
}

/** Whether an action is armed: its field `armed` is true, or the credit is at or above its threshold. */
export function isArmed(action: Pick<StoredPreSaleAction, "armed" | "threshold">, credit: Cents): boolean {
  return action.armed || credit >= unitsToCents(action.threshold);
}

export function parseCredit({ uuid, current_credit_available }: StoredPreSale): Cents {
  return toCents(current_credit_available, `presale ${uuid}: current_credit_available`);
}

/** Computes the field `running`: true after the action fired, for the time of the setting `actionDuration`. */
export function isRunning(
  { running_from = 0, running_until }: Pick<StoredPreSaleAction, "running_from" | "running_until">,
  now: Timestamp,
): boolean {
  return running_from <= now && now < running_until;
}

/** Whether a presale is valid at a time: from `created_at` to `valid_until`. Assumed: both ends are included. */
export function isValid({ created_at, valid_until }: StoredPreSale, at: Timestamp): boolean {
  return parseTimestamp(created_at) <= at && at <= parseTimestamp(valid_until);
}

export type CreditChange = {
  readonly preSale: StoredPreSale;
  readonly before: Cents;
  readonly at: Timestamp;
  readonly settings: AccountSettings;
};

/** Fires or arms an action after its presale's credit changed. Returns the mail if it fires. Does nothing if the presale is not valid. */
export function applyCreditChange(
  state: AccountState,
  action: StoredPreSaleAction,
  { preSale, before, at, settings }: CreditChange,
): Message | undefined {
  if (!isValid(preSale, at)) return undefined;
  const { fires, armed } = evaluateCrossing(before, parseCredit(preSale), action);
  if (!fires) {
    if (armed !== action.armed) state.preSaleActions.set(action.uuid, { ...action, armed });
    return undefined;
  }
  const running = { running_from: at, running_until: at + parseDuration(settings.actionDuration) };
  state.preSaleActions.set(action.uuid, { ...action, ...running, armed });
  const recipient = state.users.get(String(action.owner))?.fullname || action.target;
  const mail = { environment: state.environment, to: action.target, actionUuid: action.uuid };
  return state.world.mailbox.deliver({ ...mail, ...buildAlertMail(action, preSale, recipient) }, at);
}
