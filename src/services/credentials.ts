/** Implements `sandbox.auth`, which creates credentials for tests: HTTP Basic headers, logins and test tokens. */

import { readFields } from "../errors/arguments.ts";
import { UsageError } from "../errors/usage-error.ts";
import { readEnvironment } from "../operation/service.ts";
import type { IssuedTokenView, Jwks } from "../sandbox/views.ts";
import type { Identity } from "../world/identities.ts";
import { parseDuration, type Timestamp, toIso } from "../world/time.ts";
import type { World } from "../world/world.ts";
import { account } from "./account/index.ts";
import type { AccountSettings } from "./account/settings.ts";
import { type AccountState, createAccountState, getLoginEvents } from "./account/state.ts";
import type { AccountClient } from "./account/surface.ts";
import { createTestToken, type TestTokenOptions } from "./account/test-tokens.ts";
import { findBlock } from "./account/throttle.ts";
import { buildJwks, verifyToken } from "./account/tokens.ts";
import { toBasicHeader } from "./museum/security.ts";

export const ACCOUNTS = ["account", "accountSandbox"] as const;
/** Key of an environment of the account service: `account` is production, `accountSandbox` is the sandbox. */
export type AccountKey = (typeof ACCOUNTS)[number];
/** Key or name of an environment of the account service. */
export type AccountName = AccountKey | "production" | "sandbox";

export type Login = {
  readonly email: string;
  readonly password: string;
  /** Default: `account`. */
  readonly environment?: AccountName | undefined;
};

export type Authorization = { readonly authorization: string };

export type Auth = {
  /** Returns an HTTP Basic header. The museum accepts every user and password, unless its setting `credentials` lists valid ones. */
  basic(user?: string, password?: string): Authorization;
  /** Sends `POST /login`, by default limited to one in 24 hours. Default: the first user. Rejects with a UsageError if it fails. */
  login(login?: Partial<Login>): Promise<Authorization>;
  token(options?: TestTokenOptions & { readonly environment?: AccountName | undefined }): string;
  tokens(): readonly IssuedTokenView[];
  clearThrottle(user: string, environment?: AccountName): void;
  keys(environment?: AccountName): Jwks;
};

type AuthContext = {
  readonly world: World;
  readonly settings: () => AccountSettings;
  readonly client: (environment: AccountKey) => AccountClient;
};

export function createAuth({ world, settings, client }: AuthContext): Auth {
  return {
    basic: toBasicAuth,
    async login(login) {
      const { environment, ...given } = readFields(login, ["email", "password", "environment"], "login");
      const key = resolveAccountKey(environment);
      const email = given.email ?? world.identities.resolve(key).name;
      const password = given.password ?? world.identities.find(key, email)?.password ?? "";
      return logIn(client(key), { email, password });
    },
    tokens: () =>
      account.environments.flatMap((environment) =>
        listIssuedTokens(createAccountState(world, environment), settings(), world.clock.now()),
      ),
    clearThrottle(user, name) {
      const key = resolveAccountKey(name);
      liftThrottle(createAccountState(world, { key }), world.identities.resolve(key, user));
    },
    keys: (environment) => buildJwks(world, resolveAccountKey(environment), settings()),
    token(given) {
      const { environment, ...options } = readFields(given, ["user", "kind", "environment"]);
      return createTestToken(world, resolveAccountKey(environment), settings(), options);
    },
  };
}

export const toBasicAuth: Auth["basic"] = (user = "", password = "") => ({
  authorization: toBasicHeader({ user, password }),
});

export async function logIn(
  client: AccountClient,
  body: Pick<Login, "email" | "password">,
): Promise<Authorization> {
  const reply = await client.login({ body });
  if (reply.ok) return { authorization: `Bearer ${reply.body.token}` };
  const [email, refusal] = [body.email, reply.body].map((value) => JSON.stringify(value));
  throw new UsageError("loginRefused", `The login of ${email} failed with ${reply.status}: ${refusal}`);
}

/** Returns the key of an environment. Default: `account`. Throws a UsageError for an unknown name. */
export function resolveAccountKey(name: AccountName | undefined): AccountKey {
  return readEnvironment(account.environments, name).key as AccountKey; // Safe cast: `AccountKey` lists all keys.
}

function listIssuedTokens(state: AccountState, settings: AccountSettings, now: Timestamp): IssuedTokenView[] {
  const { world, environment } = state;
  const every = parseDuration(settings.login.every);
  return world.identities
    .of(environment)
    .all()
    .flatMap((identity) => {
      const events = getLoginEvents(state, identity);
      const block = findBlock(events, now, every);
      const nextLogin = block === undefined ? {} : { nextLogin: toIso(block.due) };
      return events.flatMap(({ at, token }) => {
        if (token === undefined) return [];
        const claims = verifyToken(token, world, environment, settings, now);
        if ("kind" in claims) return [];
        const expires = toIso(claims.exp * 1000);
        return { environment, user: identity.name, issued: toIso(at), expires, ...nextLogin };
      });
    })
    .sort((a, b) => (a.issued < b.issued ? 1 : a.issued > b.issued ? -1 : 0));
}

function liftThrottle(state: AccountState, identity: Identity): void {
  const events = getLoginEvents(state, identity).map((event) => ({ ...event, lifted: true as const }));
  if (events.length > 0) state.logins.set(String(identity.uid), { uid: identity.uid, events });
}
