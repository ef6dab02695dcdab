/** The login operation. Source: common-account-billing, Authentication and Limits; Assumed: errors as in Symfony and Lexik JWT. */

import type { Identity } from "../../../world/identities.ts";
import { getPlatform } from "../../../world/platform.ts";
import { parseDuration, type Timestamp, toIso } from "../../../world/time.ts";
import { defineAccountOperation } from "../operation.ts";
import { problems } from "../problems.ts";
import { Credentials, SIGN_IN_MEDIA, Token } from "../schemas.ts";
import { checkStrictToken } from "../security.ts";
import type { AccountSettings } from "../settings.ts";
import { type AccountState, getExampleUser, getLoginEvents } from "../state.ts";
import { findBlock, getRetryAfter, type LoginBlock, type LoginEvent, withEvent } from "../throttle.ts";
import { issueToken, verifyToken } from "../tokens.ts";

const MAX_NAME_BYTES = 4096;

export const login = defineAccountOperation({
  method: "post",
  path: "/login",
  summary: "Obtain a bearer token",
  description: ({ tokenLifetime, login: { every, onRepeat, status } }) =>
    `A token is valid for ${formatPeriod(tokenLifetime)} and can be requested once every ${formatPeriod(every)}. ${describeRepeatLogin(onRepeat, status)}`,
  tag: "Login",
  source: "common-account-billing, Authentication",
  security: "none",
  request: { body: Credentials, accepts: SIGN_IN_MEDIA },
  responses: { 200: Token },
  problems: ["malformedLogin", "badCredentials", "loginThrottled", "pathNotFound", "bodyTooLarge"],
  invalid: "malformedLogin",
  // Must stay synchronous, so that only one of several concurrent logins gets a new token.
  handle({ body: { email, password }, state, settings, now, exchange, reply, fail }) {
    const { world, environment } = state;
    const strict = checkStrictToken(exchange, state, settings);
    if (strict !== undefined)
      return fail("badCredentials", { title: strict.title ?? problems[strict.key].title });
    const { identities } = world;
    const name = getPlatform().utf8Length(email) > MAX_NAME_BYTES ? "" : email; // "" is unknown, because user names are not empty.
    const identity = identities.check(environment, name, password);
    if (identity === undefined) {
      const attempted = settings.login.countFailures ? identities.find(environment, name) : undefined;
      if (attempted !== undefined) recordLogin(state, attempted, { at: now });
      return fail("badCredentials", { keepsChanges: true });
    }
    exchange.user = identity.name;
    const block = findBlock(getLoginEvents(state, identity), now, parseDuration(settings.login.every));
    const issue = (): string => {
      const token = issueToken(world, environment, settings, identity, now);
      recordLogin(state, identity, { at: now, token });
      return token;
    };
    if (block === undefined) return reply(200, { token: issue() });
    switch (settings.login.onRepeat) {
      case "refuse":
        return fail("loginThrottled", {
          title: settings.login.message ?? explainThrottle(block, settings),
          headers: { "Retry-After": String(getRetryAfter(block, now)) },
        });
      case "same-token":
        return reply(200, { token: findValidToken(block, state, settings, now) ?? issue() });
      case "allow": {
        const warning = `A token was issued at ${toIso(block.since.at)}; the real service would reject this login until ${toIso(block.due)}.`;
        exchange.findings.push({ key: "loginRepeated", message: warning });
        return reply(200, { token: issue() }, { "X-Vitrine-Warning": warning });
      }
    }
  },
  example: (state) => {
    const { name: email = "", password = "" } = getExampleUser(state) ?? {};
    return { body: { email, password }, reply: { token: "eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.e30.c2ln" } };
  },
});

/** Formats a duration for messages. `24h` becomes "24 hours", the wording of the document. */
function formatPeriod(duration: string): string {
  return duration === "24h" ? "24 hours" : duration;
}

function describeRepeatLogin(onRepeat: AccountSettings["login"]["onRepeat"], status: number): string {
  switch (onRepeat) {
    case "refuse":
      return `An earlier login returns ${status}, with the seconds until the next login in \`Retry-After\`.`;
    case "same-token":
      return "An earlier login returns the same token.";
    case "allow":
      return "An earlier login returns a new token and the header `X-Vitrine-Warning`.";
  }
}

/** Returns the token of the login that blocks a new login, unless that token has expired. */
function findValidToken(
  { since: { token } }: LoginBlock,
  { world, environment }: AccountState,
  settings: AccountSettings,
  now: Timestamp,
) {
  if (token === undefined) return undefined;
  return "kind" in verifyToken(token, world, environment, settings, now) ? undefined : token;
}

function explainThrottle({ since, due }: LoginBlock, { login: { every } }: AccountSettings): string {
  const cause = since.token === undefined ? "An attempt failed" : "A token was issued";
  return (
    `A token can be requested once every ${formatPeriod(every)}. ${cause} at ${toIso(since.at)}; ` +
    `the next one is available at ${toIso(due)}. In this sandbox, advance the clock, or set settings.account.login.onRepeat: ` +
    '"allow" returns a new token each time; "same-token" returns the same token with its original expiry, so a ' +
    "client that stores tokens must read their exp, and not count from the time of the login."
  );
}

function recordLogin(state: AccountState, identity: Identity, event: LoginEvent): void {
  const events = withEvent(getLoginEvents(state, identity), event);
  state.logins.set(String(identity.uid), { uid: identity.uid, events });
}
