/** Settings of the account, for `settings.account` of a scenario and of `createSandbox`. */

import { z } from "zod";
import { duration } from "../../operation/checks.ts";
import { createChoice, createFlag } from "../../operation/settings.ts";

const fields = {
  profile: createChoice(
    ["api-platform-2", "api-platform-4"],
    "The wire style of errors: API Platform 2.x or 4.x.",
  ),
  itemContext: createChoice(
    ["link", "inline"],
    "`link`: `@context` is the path of the context document. `inline`: it is an object in the item.",
  ),
  tokenLifetime: duration.default("24h").describe("How long a token is valid."),
  algorithm: z.enum(["RS256", "HS256", "ES256"]).default("RS256"),
  strictTokens: createFlag("Rejects an invalid token on routes that need none: the login and documents."),
  protectDocs: createFlag("Requires a token for the entry point, contexts and documentation."),
  entryPointUser: createFlag("Adds the user to the entry point, although the user is in no collection."),
  login: z
    .strictObject({
      every: duration.default("24h").describe("Minimum time between two tokens, in whole seconds."),
      onRepeat: createChoice(
        ["refuse", "same-token", "allow"],
        "Response to an earlier login: an error; the same token with its first `exp`, which reveals caches that count from the receipt; or a new token with a warning.",
      ),
      status: z.int().min(400).max(499).default(429).describe("Status of the error."),
      message: z
        .string()
        .optional()
        .describe("Message of the error. Default: when the next token is due, and how to relax the rule."),
      countFailures: createFlag("Whether attempts with a wrong password start the time too."),
    })
    .prefault({}),
  pageSize: z.int().min(1).max(1000).default(30).describe("Items on a page."),
  badPage: createChoice(["refuse", "first"], "An invalid `page` is rejected, or read as 1."),
  badFilter: createChoice(["ignore", "refuse"], "A filter that is not a number is ignored, or rejected."),
  typeErrors: createChoice([400, 422], "Status for a field with the wrong JSON type."),
  nulls: createChoice(["typeError", "missing"], "A forbidden null counts as a wrong type, or as missing."),
  unknownPreSale: createChoice([422, 404, 400], "Status for an action with an unknown presale."),
  profilePut: createChoice(["replace", "merge"], "Omitted profile fields become null, or stay as they are."),
  usage: z
    .strictObject({
      // Assumed: one price for all invoices. The document shows no tariff.
      pricePerInvoice: z
        .string()
        .regex(/^(?!0+(\.0+)?$)\d{1,9}(\.\d\d?)?$/, "must be an amount above zero with two decimals at most")
        .default("0.25")
        .describe("Price of a recorded invoice. The base data stays."),
    })
    .prefault({}),
  actionDuration: duration.default("5s").describe("How long an action is running after it fired."),
  fireOnCreate: createFlag("Whether a new action below its threshold fires immediately."),
  routeErrors: createChoice(
    ["service", "symfony"],
    "Error form for an unknown path or method: like all errors, or HTML unless Accept has another type.",
  ),
  dateTimes: createChoice(["offset", "Z"], "Times end in `+00:00`, or in `Z`."),
};

export const AccountSettings = z.strictObject(fields);
export type AccountSettings = z.output<typeof AccountSettings>;
