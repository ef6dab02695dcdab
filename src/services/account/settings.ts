/** The settings of the account service, for `settings.account` of a scenario and of `createSandbox`. */

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
    "`link`: `@context` is the path of the context document; `inline`: it is an object in the item.",
  ),
  tokenLifetime: duration.default("24h").describe("Life of a token, from its issue."),
  algorithm: z.enum(["RS256", "HS256", "ES256"]).default("RS256"),
  strictTokens: createFlag("Refuses a bad token also where none is needed: at the login and on documents."),
  protectDocs: createFlag("Asks for a token also on the entry point, contexts and documentation."),
  entryPointUser: createFlag("Names the user, who is in no collection, in the entry point too."),
  login: z
    .strictObject({
      every: duration
        .default("24h")
        .describe(
          "How long after a token was handed out the next one can be had, in whole seconds as its life is.",
        ),
      onRepeat: createChoice(
        ["refuse", "same-token", "allow"],
        "What a login within that time gets: a refusal; the same token, whose `exp` stays, so that a cache which counts from its receipt keeps it too long; or a new one, with a warning.",
      ),
      status: z.int().min(400).max(499).default(429).describe("Status of the refusal."),
      message: z
        .string()
        .optional()
        .describe("Text of the refusal; default: when the next token is due, and how to relax the rule."),
      countFailures: createFlag("Whether attempts with a wrong password start the window too."),
    })
    .prefault({}),
  pageSize: z.int().min(1).max(1000).default(30).describe("Items on a page."),
  badPage: createChoice(["refuse", "first"], "A bad `page` is refused, or read as 1."),
  badFilter: createChoice(["ignore", "refuse"], "A filter that is not a number is ignored, or refused."),
  typeErrors: createChoice([400, 422], "Status of a field of another JSON type."),
  nulls: createChoice(["typeError", "missing"], "A null where none may be: another type, or left out."),
  unknownPreSale: createChoice([422, 404, 400], "Status of an action whose presale is not there."),
  profilePut: createChoice(["replace", "merge"], "A profile field left out becomes null, or stays as it is."),
  usage: z
    .strictObject({
      // Assumed: one price for every invoice; the document shows no tariff.
      pricePerInvoice: z
        .string()
        .regex(/^(?!0+(\.0+)?$)\d{1,9}(\.\d\d?)?$/, "must be an amount above zero with two decimals at most")
        .default("0.25")
        .describe("What a recorded invoice costs. The base data stays."),
    })
    .prefault({}),
  actionDuration: duration
    .default("5s")
    .describe("How long an action runs after the credit went under its threshold."),
  fireOnCreate: createFlag("Whether an action created under its threshold fires at once."),
  routeErrors: createChoice(
    ["service", "symfony"],
    "Form of an unknown path or method: that of all errors, or a page unless Accept names another form.",
  ),
  dateTimes: createChoice(["offset", "Z"], "Instants end in `+00:00`, or in `Z`."),
};

export const AccountSettings = z.strictObject(fields);
export type AccountSettings = z.output<typeof AccountSettings>;
