/** Tokens, keys and simulated invoices. */

import { z } from "zod";
import { environment, instant, list, named, text, user } from "./parts.ts";

export const TokenInput = named("TokenInput", {
  user,
  environment,
  kind: text("valid (default), expired, …").optional(),
});
export const IssuedTokens = list(
  named("IssuedToken", {
    environment: text("The environment that it is good for."),
    user: text("The name that logged in."),
    issued: instant("When it was handed out."),
    expires: instant("When it ends."),
    nextLogin: instant("When its user may log in again; left out: now.").optional(),
  }),
);
export const TokenView = named("Token", { token: text("A JSON Web Token for `Authorization: Bearer`.") });
export const Jwks = named("Jwks", {
  keys: list(z.record(z.string(), z.unknown())).describe("Public keys as JSON Web Keys."),
});
const invoices = (about: string) =>
  z.number().describe(`${about} From 0 to 1,000,000; default 0.`).optional();
export const UsageInput = named("UsageInput", {
  sent: invoices("How many invoices were sent."),
  received: invoices("How many invoices were received."),
  at: instant("When they went through; default: now.").optional(),
  user,
  environment,
});
export const Receipt = z
  .looseObject({
    environment: text("The environment of the account."),
    user: text("The name that logs in."),
    at: instant("When the invoices went through."),
  })
  .meta({ id: "UsageReceipt" });
