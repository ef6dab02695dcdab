/** Bearer authentication. Source: common-account-billing, Authentication; Assumed: statuses and messages of Lexik JWT. */

import type { Exchange } from "../../http/exchange.ts";
import { fail, type Problem } from "../../operation/problem.ts";
import type { SecurityScheme } from "../../operation/service.ts";
import type { AccountSettings } from "./settings.ts";
import type { AccountState } from "./state.ts";
import { verifyToken } from "./tokens.ts";

/** The only role in the document. Assumed: a user needs the role for at least one production domain. */
const REQUIRED_ROLE = "ROLE_WRITER";

export const bearer = {
  problems: ["tokenMissing", "tokenInvalid", "tokenExpired", "badCredentials", "accessDenied"],
  openapi: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description: "`Bearer <ACCESS_TOKEN>`, with the token of `POST /login`.",
  },
  authenticate({ headers, world, environment, settings, exchange }) {
    const token = parseBearer(headers.get("authorization"));
    if (token === undefined) return fail("tokenMissing");
    const own = settings as AccountSettings; // Safe cast: the pipeline passes the settings of this service.
    const claims = verifyToken(token, world, environment, own, exchange.at);
    if ("kind" in claims) return claims;
    const identity = world.identities.find(environment, claims.username);
    if (identity === undefined || identity.disabled === true || identity.uid !== claims.uid)
      return fail("badCredentials");
    if (!Object.values(claims.roles).some((roles) => roles.includes(REQUIRED_ROLE)))
      return fail("accessDenied");
    return { name: identity.name, identity };
  },
} satisfies SecurityScheme;

/** Checks requests to paths that need no token. Returns a problem if `strictTokens` is on and the request has an invalid token. */
export function checkStrictToken(
  { headers, at }: Exchange,
  { world, environment }: AccountState,
  settings: AccountSettings,
): Problem<"tokenInvalid" | "tokenExpired"> | undefined {
  const token = settings.strictTokens ? parseBearer(headers.get("authorization")) : undefined;
  if (token === undefined) return undefined;
  const claims = verifyToken(token, world, environment, settings, at);
  return "kind" in claims ? claims : undefined;
}

/** Returns the token of a Bearer header. Assumed: exactly one space before the token, and no text after it. */
function parseBearer(header: string | null): string | undefined {
  return /^bearer ([^ ]+)$/i.exec(header ?? "")?.[1];
}
