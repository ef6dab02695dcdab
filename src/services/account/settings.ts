/** Settings of the account, for `settings.account` of a scenario and of `createSandbox`. */

import { z } from "zod";
import { duration } from "../../operation/checks.ts";
import { createChoice, createFlag } from "../../operation/settings.ts";

const fields = {
  profile: createChoice(
    ["api-platform-2", "api-platform-4"],
    "Style of error bodies: API Platform 2.x or 4.x.",
  ),
  itemContext: createChoice(
    ["link", "inline"],
    "`@context` is the path of the context document, or an object.",
  ),
  tokenLifetime: duration.default("24h").describe("Lifetime of a token."),
  algorithm: z.enum(["RS256", "HS256", "ES256"]).default("RS256"),
  strictTokens: createFlag("Rejects an invalid token also on public paths."),
  protectDocs: createFlag("Requires a token also for the entry point, contexts and documentation."),
  entryPointUser: createFlag("Adds the user to the entry point."),
  login: z
    .strictObject({
      every: duration.default("24h").describe("Minimum time between two tokens of a user, in whole seconds."),
      onRepeat: createChoice(
        ["refuse", "same-token", "allow"],
        "Response to a login within that time: an error, the same token, or a new token with a warning.",
      ),
      status: z.int().min(400).max(499).default(429).describe("Status of that error."),
      message: z.string().optional().describe("Message of that error. Default: the time of the next token."),
      countFailures: createFlag("Whether a wrong password also starts that time."),
    })
    .prefault({}),
  pageSize: z.int().min(1).max(1000).default(30).describe("Number of items on a page."),
  badPage: createChoice(["refuse", "first"], "Rejects an invalid `page`, or reads it as 1."),
  badFilter: createChoice(["ignore", "refuse"], "Ignores a filter that is not a number, or rejects it."),
  typeErrors: createChoice([400, 422], "Status of a field with another JSON type."),
  nulls: createChoice(
    ["typeError", "missing"],
    "Null in a required field is a wrong type, or a missing field.",
  ),
  unknownPreSale: createChoice([422, 404, 400], "Status of an action with an unknown presale."),
  profilePut: createChoice(["replace", "merge"], "A missing profile field becomes null, or does not change."),
  usage: z
    .strictObject({
      // Assumed: one price for all invoices. The document shows no tariff.
      pricePerInvoice: z
        .string()
        .regex(/^(?!0+(\.0+)?$)\d{1,9}(\.\d\d?)?$/, "must be an amount above zero with two decimals at most")
        .default("0.25")
        .describe("Price of a simulated invoice. The base data does not change."),
    })
    .prefault({}),
  actionDuration: duration.default("5s").describe("Time that an action is `running`."),
  fireOnCreate: createFlag("Whether a new action fires immediately if the credit is below its threshold."),
  routeErrors: createChoice(
    ["service", "symfony"],
    "Body of routing errors: the usual one, or HTML unless `Accept` names another type.",
  ),
  dateTimes: createChoice(["offset", "Z"], "Timestamps end in `+00:00` or in `Z`."),
};

export const AccountSettings = z.strictObject(fields);
export type AccountSettings = z.output<typeof AccountSettings>;
