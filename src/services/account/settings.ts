// Owns the switches of the account service, for `settings.account` of a scenario and of `createSandbox`. The defaults
// are the decisions of the README's list of assumptions.

import { z } from "zod";
import { parseDuration } from "../../world/time.ts";

const duration = z.string().refine(isDuration, 'must be a duration such as "500ms", "30s" or "24h"');

export const AccountSettings = z.strictObject({
  /** The wire style of errors: API Platform 2.x, 4.x, or plain RFC 7807 everywhere. */
  profile: z.enum(["api-platform-2", "api-platform-4", "problem"]).default("api-platform-2"),
  /** `link`: `@context` is the path of the context document; `inline`: it is an object in the item. */
  itemContext: z.enum(["link", "inline"]).default("link"),
  /** Life of a token, from its issue. */
  tokenLifetime: duration.default("24h"),
  algorithm: z.enum(["RS256", "HS256", "ES256"]).default("RS256"),
  login: z
    .strictObject({
      /** How long after a token was handed out the next one can be had. */
      every: duration.default("24h"),
      /** What a login within that time gets. */
      onRepeat: z.enum(["refuse", "same-token", "allow"]).default("refuse"),
      /** Status of the refusal. */
      status: z.int().min(400).max(499).default(429),
      /** Text of the refusal; default: when the next token is due, and how to relax the rule. */
      message: z.string().optional(),
      /** Whether attempts with a wrong password start the window too. */
      countFailures: z.boolean().default(false),
    })
    .prefault({}),
  /** Items on a page. */
  pageSize: z.int().min(1).max(1000).default(30),
  /** A bad `page` is refused, or read as 1. */
  badPage: z.enum(["refuse", "first"]).default("refuse"),
  /** A filter that is not a number is ignored, or refused. */
  badFilter: z.enum(["ignore", "refuse"]).default("ignore"),
  /** Status of a field of another JSON type. */
  typeErrors: z.union([z.literal(400), z.literal(422)]).default(400),
  usage: z
    .strictObject({
      /** Assumed: one price for every invoice, sent or received, above zero; the document shows no tariff. */
      pricePerInvoice: z
        .string()
        .regex(/^(?!0+\.00$)\d{1,9}\.\d{2}$/, 'must be an amount above zero such as "0.25"')
        .default("0.25"),
    })
    .prefault({}),
  /** How long an action runs after the credit went under its threshold. */
  actionDuration: duration.default("5s"),
  /** Whether an action created under its threshold fires at once. */
  fireOnCreate: z.boolean().default(false),
  /** Writes JSON the way PHP does: `\/`, and in plain JSON `\uXXXX`. */
  phpEscaping: z.boolean().default(false),
});
export type AccountSettings = z.output<typeof AccountSettings>;

function isDuration(text: string): boolean {
  try {
    parseDuration(text);
    return true;
  } catch {
    return false; // parseDuration throws for nothing but a text that is no duration
  }
}
