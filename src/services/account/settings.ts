/** Settings of the account service: the value of `settings.account` in a scenario and in the options of `createSandbox`. */

import { z } from "zod";
import { duration } from "../../operation/checks.ts";
import { createChoice, createFlag } from "../../operation/settings.ts";

const fields = {
  profile: createChoice(
    ["api-platform-2", "api-platform-4"],
    "Version of API Platform that defines the error bodies: 2.x or 4.x.",
  ),
  itemContext: createChoice(
    ["link", "inline"],
    "`@context` is a link to the context document, or the context itself.",
  ),
  tokenLifetime: duration.default("24h").describe("Lifetime of a token."),
  algorithm: z.enum(["RS256", "HS256", "ES256"]).default("RS256").describe("Algorithm that signs tokens."),
  strictTokens: createFlag("Whether an invalid token is an error on paths that need no token."),
  protectDocs: createFlag("Whether entry point, `@context` documents and documentation need a token."),
  entryPointUser: createFlag("Whether the entry point also has a link to the user."),
  login: z
    .strictObject({
      every: duration.default("24h").describe("Minimum time between two logins of a user, in whole seconds."),
      onRepeat: createChoice(
        ["refuse", "same-token", "allow"],
        "Response to an early login (before `login.every` has passed): an error, the same token, or a new token.",
      ),
      status: z.int().min(400).max(499).default(429).describe("Status of the error for an early login."),
      message: z
        .string()
        .optional()
        .describe("Error message for an early login. Default: a message with the time of the next login."),
      countFailures: createFlag("Whether a failed login also starts the waiting time `login.every`."),
    })
    .prefault({}),
  pageSize: z.int().min(1).max(1000).default(30).describe("Number of items on a page."),
  badPage: createChoice(["refuse", "first"], "An invalid `page` is an error, or becomes 1."),
  badFilter: createChoice(["ignore", "refuse"], "A filter that is not a number is ignored, or is an error."),
  typeErrors: createChoice([400, 422], "Status of the error for a field with the wrong JSON type."),
  nulls: createChoice(
    ["typeError", "missing"],
    "`null` in a required field is a type error, or the same as a missing field.",
  ),
  unknownPreSale: createChoice([422, 404, 400], "Status of the error for an action with an unknown presale."),
  profilePut: createChoice(["replace", "merge"], "Omitted fields of a PUT become `null`, or do not change."),
  usage: z
    .strictObject({
      // Assumed: one price for all invoices. The document shows no tariff.
      pricePerInvoice: z
        .string()
        .regex(/^(?!0+(\.0+)?$)\d{1,9}(\.\d\d?)?$/, "must be an amount above zero with two decimals at most")
        .default("0.25")
        .describe("Price of an invoice that `usage.record` simulates."),
    })
    .prefault({}),
  actionDuration: duration.default("5s").describe("How long an action is `running` after it was triggered."),
  fireOnCreate: createFlag("Whether a new action starts immediately if the credit is below its threshold."),
  routeErrors: createChoice(
    ["service", "symfony"],
    "Body of the error for an unknown path or method: as in other errors, or HTML as in Symfony.",
  ),
  dateTimes: createChoice(["offset", "Z"], "Timestamps end in `+00:00` or in `Z`."),
};

export const AccountSettings = z.strictObject(fields);
export type AccountSettings = z.output<typeof AccountSettings>;
