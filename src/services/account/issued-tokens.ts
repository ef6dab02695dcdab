/** The tokens that logins handed out, as the throttle remembers them, and how a user is let in again. */

import type { Identity } from "../../world/identities.ts";
import { type Instant, parseDuration, toIso } from "../../world/time.ts";
import type { AccountSettings } from "./settings.ts";
import type { AccountState } from "./state.ts";
import { blockAt } from "./throttle.ts";
import { verifyToken } from "./tokens.ts";

/** A token that a login handed out. Instants are ISO 8601 in UTC. */
export type IssuedToken = {
  readonly environment: string;
  readonly user: string;
  readonly issued: string;
  readonly expires: string;
  /** When its user may log in again; left out: now. */
  readonly nextLogin?: string;
};

/** Those that are still good, the newest first. */
export function issuedTokens(state: AccountState, settings: AccountSettings, now: Instant): IssuedToken[] {
  const { world, environment, logins } = state;
  const every = parseDuration(settings.login.every);
  return world.identities
    .of(environment)
    .all()
    .flatMap(({ name: user, uid }) => {
      const events = logins.get(String(uid))?.events ?? [];
      const block = blockAt(events, now, every);
      const nextLogin = block === undefined ? {} : { nextLogin: toIso(block.due) };
      return events.flatMap(({ at, token }) => {
        const claims =
          token === undefined ? undefined : verifyToken(token, world, environment, settings, now);
        if (claims === undefined || "kind" in claims) return [];
        return { environment, user, issued: toIso(at), expires: toIso(claims.exp * 1000), ...nextLogin };
      });
    })
    .sort((one, other) => (one.issued < other.issued ? 1 : one.issued > other.issued ? -1 : 0));
}

/** Lets a user log in again at once. Tokens stay good. */
export function liftThrottle({ logins }: AccountState, { uid }: Identity): void {
  const events = logins.get(String(uid))?.events ?? [];
  if (events.length > 0)
    logins.set(String(uid), { uid, events: events.map((event) => ({ ...event, lifted: true as const })) });
}
