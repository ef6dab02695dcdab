/**
 * When a presale action fires, how that changes it, and the mail it sends. How the credit came to change is in
 * `usage.ts`.
 */

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
  { enabled, armed, threshold }: Pick<StoredPreSaleAction, "enabled" | "armed" | "threshold">,
): { readonly fires: boolean; readonly armed: boolean } {
  const ready = isArmed({ armed, threshold }, before);
  const fires = enabled && ready && after < unitsToCents(threshold);
  return { fires, armed: ready && !fires };
}

/** Whether an action would fire under its threshold: it is still armed, or the credit is at or above the threshold. */
export function isArmed(
  { armed, threshold }: Pick<StoredPreSaleAction, "armed" | "threshold">,
  credit: Cents,
): boolean {
  return armed || credit >= unitsToCents(threshold);
}

export function parseCredit({ uuid, current_credit_available }: StoredPreSale): Cents {
  return toCents(current_credit_available, `presale ${uuid}: current_credit_available`);
}

/**
 * True from the crossing for the duration of the settings; what the output field `running` shows. A clock set back
 * before the crossing shows false until time catches up.
 */
export function isRunning(
  { running_from = 0, running_until }: Pick<StoredPreSaleAction, "running_from" | "running_until">,
  now: Timestamp,
): boolean {
  return running_from <= now && now < running_until;
}

/** From `created_at` to `valid_until`, both included. Assumed: the document does not say. */
export function isValid(
  { created_at, valid_until }: Pick<StoredPreSale, "created_at" | "valid_until">,
  at: Timestamp,
): boolean {
  return parseTimestamp(created_at) <= at && at <= parseTimestamp(valid_until);
}

/** What an action reacts to: its presale as it is now, what its credit was before, and when. */
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
