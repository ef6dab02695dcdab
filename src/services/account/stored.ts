/** Schemas of the stored entities, which have internal fields in addition to the fields on the wire. */

import { z } from "zod";
import { isTimestamp, parseTimestamp } from "../../world/time.ts";
import { Consumption, PreSale, PreSaleAction, toDateTime, User } from "./schemas.ts";

/** A login. Stored separately from the profile, which never contains passwords. */
export const StoredIdentity = z.object({
  name: z.string().min(1),
  password: z.string(),
  uid: z.int().min(1),
  roles: z.record(z.string(), z.array(z.string())),
  disabled: z.boolean().optional(),
});
export type StoredIdentity = z.output<typeof StoredIdentity>;

/** A timestamp in any ISO 8601 form. Stored in the form of the service, without fractions of a second. */
const instant = z
  .string()
  .refine(isFourDigitInstant, 'must be an instant, such as "2026-03-01T09:00:00+00:00"')
  .transform((text) => toDateTime(parseTimestamp(text)));
/** `uid` of the owner. Never sent to clients. */
const owner = z.int().min(1);
export const StoredConsumption = Consumption.extend({ owner });
export type StoredConsumption = z.output<typeof StoredConsumption>;
export const StoredPreSale = PreSale.extend({ owner, created_at: instant, valid_until: instant });
export type StoredPreSale = z.output<typeof StoredPreSale>;
/** `running` is computed from `running_from` and `running_until`, in ms. An armed action fires at the next crossing. */
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

/** Also requires a year of four digits in UTC. */
function isFourDigitInstant(text: string): boolean {
  return isTimestamp(text) && isTimestamp(toDateTime(parseTimestamp(text)));
}
