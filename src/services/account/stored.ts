/** Schemas of the stored entities. They have internal fields in addition to the fields that clients receive. */

import { z } from "zod";
import { isTimestamp, parseTimestamp } from "../../world/time.ts";
import { Consumption, PreSale, PreSaleAction, toDateTime, User } from "./schemas.ts";

/** Login data of a user. It is separate from the profile, so that the profile never contains a password. */
export const StoredIdentity = z.object({
  name: z.string().min(1),
  password: z.string(),
  uid: z.int().min(1),
  roles: z.record(z.string(), z.array(z.string())),
  disabled: z.boolean().optional(),
});
export type StoredIdentity = z.output<typeof StoredIdentity>;

/** A timestamp in any ISO 8601 format. It is converted to the format of the service, without fractions of a second. */
const instant = z
  .string()
  .refine(isFourDigitInstant, 'must be a time, such as "2026-03-01T09:00:00+00:00"')
  .transform((text) => toDateTime(parseTimestamp(text)));
/** `uid` of the user who owns the entity. Never sent to clients. */
const owner = z.int().min(1);
export const StoredConsumption = Consumption.extend({ owner });
export type StoredConsumption = z.output<typeof StoredConsumption>;
export const StoredPreSale = PreSale.extend({ owner, created_at: instant, valid_until: instant });
export type StoredPreSale = z.output<typeof StoredPreSale>;
/** `running` is computed from `running_from` and `running_until` (ms). Only an armed action can fire (alerts.ts). */
export const StoredPreSaleAction = PreSaleAction.omit({ running: true }).extend({
  owner,
  created_at: instant,
  updated_at: instant,
  armed: z.boolean().default(true),
  running_from: z.int().optional(),
  running_until: z.int().default(0),
});
export type StoredPreSaleAction = z.output<typeof StoredPreSaleAction>;
export const StoredUser = User.extend({ uid: owner });
export type StoredUser = z.output<typeof StoredUser>;

/** Whether the string is a timestamp whose year in UTC has four digits. */
function isFourDigitInstant(text: string): boolean {
  return isTimestamp(text) && isTimestamp(toDateTime(parseTimestamp(text)));
}
