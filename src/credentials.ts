// Owns how a test gets past the doors of both services: the headers of a pair, of a login, of a minted token.

import type { Client } from "./operation/client.ts";
import { readEnvironment } from "./operation/service.ts";
import { account, type accountOperations } from "./services/account/index.ts";
import type { AccountSettings } from "./services/account/settings.ts";
import { mintToken, type TokenWish } from "./services/account/test-tokens.ts";
import { jwks } from "./services/account/tokens.ts";
import { toBasic } from "./services/museum/security.ts";
import { UsageError } from "./world/usage-error.ts";
import type { World } from "./world/world.ts";

export const ACCOUNTS = ["account", "accountSandbox"] as const;
/** The keys of the account's environments: production and sandbox. */
export type AccountKey = (typeof ACCOUNTS)[number];
/** What they may be called. */
export type AccountName = AccountKey | "production" | "sandbox";

export type Login = {
  readonly email: string;
  readonly password: string;
  /** Default `account`. */
  readonly environment?: AccountName | undefined;
};

export type Authorization = { readonly authorization: string };

export type Auth = {
  /** Headers of HTTP Basic credentials for the museum; every pair is good unless the settings name some. */
  basic(user?: string, password?: string): Authorization;
  /**
   * Logs in as a client does, throttle included; the environment's first user when no other is named. Rejects with a
   * UsageError that tells the refusal.
   */
  login(login?: Partial<Login>): Promise<Authorization>;
  /** A token without a login: a good one, or one that is wrong in a known way. */
  token(wish?: TokenWish & { readonly environment?: AccountName | undefined }): string;
  /** What clients check the tokens of an environment with: a JSON Web Key Set. */
  keys(environment?: AccountName): ReturnType<typeof jwks>;
};

type Door = {
  readonly world: World;
  readonly settings: () => AccountSettings;
  readonly client: (environment: AccountKey) => Client<typeof accountOperations>;
};

export function createAuth({ world, settings, client }: Door): Auth {
  return {
    basic: (user = "", password = "") => ({ authorization: toBasic({ user, password }) }),
    async login({ environment, ...given } = {}) {
      const key = accountKey(environment);
      const email = given.email ?? world.identities.meant(key).name;
      const password = given.password ?? world.identities.find(key, email)?.password ?? "";
      const body = { email, password };
      const reply = await client(key).login({ body });
      if (reply.ok) return { authorization: `Bearer ${reply.body.token}` };
      throw refusedLogin(email, reply);
    },
    keys: (environment) => jwks(world, accountKey(environment), settings()),
    token: ({ environment, ...wish } = {}) => mintToken(world, accountKey(environment), settings(), wish),
  };
}

export function refusedLogin(email: string, { status, body }: { status: number; body: unknown }): UsageError {
  return new UsageError(
    "loginRefused",
    `The login of ${JSON.stringify(email)} was refused with ${status}: ${JSON.stringify(body)}`,
  );
}

/** The environment that a name from outside means; the first without one. Throws a UsageError for an unknown one. */
export function accountKey(name: AccountName | undefined): AccountKey {
  return readEnvironment(account.environments, name).key as AccountKey; // the account has exactly these
}
