/** What the account service stores: the fields of each resource, and those that are never on the wire. */

import { z } from "zod";
import { isTimestamp, parseTimestamp } from "../../world/time.ts";
import { Consumption, PreSale, PreSaleAction, toDateTime, User } from "./schemas.ts";

/** Who logs in: stored apart from the profile, since passwords are never part of it. */
export const StoredIdentity = z.object({
  name: z.string().min(1),
  password: z.string(),
  uid: z.int().min(1),
  roles: z.record(z.string(), z.array(z.string())),
  disabled: z.boolean().optional(),
});
export type StoredIdentity = z.output<typeof StoredIdentity>;

/** An instant in any form, stored in the one that the service shows: a fraction of a second is dropped. */
const instant = z
  .string()
  .refine(isFourDigitInstant, 'must be an instant, such as "2026-03-01T09:00:00+00:00"')
  .transform((text) => toDateTime(parseTimestamp(text)));
/** The uid of the identity an entity belongs to; never on the wire. */
const owner = z.int().min(1);
export const StoredConsumption = Consumption.extend({ owner });
export type StoredConsumption = z.output<typeof StoredConsumption>;
export const StoredPreSale = PreSale.extend({ owner, created_at: instant, valid_until: instant });
export type StoredPreSale = z.output<typeof StoredPreSale>;
/** `running` is computed from the two instants, in milliseconds. `armed`: fires at the next crossing. */
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

/** Whether it is an instant whose year in UTC has four digits. */
function isFourDigitInstant(text: string): boolean {
  return isTimestamp(text) && isTimestamp(toDateTime(parseTimestamp(text)));
}
