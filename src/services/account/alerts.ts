/** When a presale action fires, and the mail it sends. `usage.ts` changes the credit. */

import type { Message } from "../../world/mailbox.ts";
import { parseDuration, parseTimestamp, type Timestamp } from "../../world/time.ts";
import { buildAlertMail } from "./alert-mail.ts";
import { type Cents, toCents, unitsToCents } from "./money.ts";
import type { AccountSettings } from "./settings.ts";
import type { AccountState } from "./state.ts";
import type { StoredPreSale, StoredPreSaleAction } from "./stored.ts";

/**
 * What a change of credit does to an action. It fires when the credit is under its threshold (equal is not under) and
 * the action is enabled and armed; firing disarms it until the credit has been at or above the threshold again.
 * Assumed: the document says only that the threshold is "the value under which the action is triggered". So
 * - one crossing sends one mail, however far the credit goes on falling;
 * - an action that is under its threshold from the start, or was disabled meanwhile, fires at the next usage;
 * - `before` counts too: credit that was raised, or a threshold that was lowered, since the last usage arms it again.
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

/** Whether an action would fire under its threshold: it is still armed, or the credit is at or above the threshold. */
export function isArmed(action: Pick<StoredPreSaleAction, "armed" | "threshold">, credit: Cents): boolean {
  return action.armed || credit >= unitsToCents(action.threshold);
}

export function parseCredit({ uuid, current_credit_available }: StoredPreSale): Cents {
  return toCents(current_credit_available, `presale ${uuid}: current_credit_available`);
}

/** What `running` shows: true for the duration of the settings. Before the crossing, on a clock set back, it is false. */
export function isRunning(
  { running_from = 0, running_until }: Pick<StoredPreSaleAction, "running_from" | "running_until">,
  now: Timestamp,
): boolean {
  return running_from <= now && now < running_until;
}

/** From `created_at` to `valid_until`, both included. Assumed: the document does not say. */
export function isValid({ created_at, valid_until }: StoredPreSale, at: Timestamp): boolean {
  return parseTimestamp(created_at) <= at && at <= parseTimestamp(valid_until);
}

export type CreditChange = {
  readonly preSale: StoredPreSale;
  readonly before: Cents;
  readonly at: Timestamp;
  readonly settings: AccountSettings;
};

/** Applies a change of credit to an action; returns the mail it sent, if it fired. Only a valid presale moves one. */
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
