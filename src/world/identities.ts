/** Users of the environments. Passwords are test data, so they are stored as plain text. */

import { createUnknownError } from "../errors/nearest.ts";
import { UsageError } from "../errors/usage-error.ts";
import { getPlatform } from "./platform.ts";
import type { Store, StoreCollection } from "./store.ts";

export type Identity = {
  /** Login name: an e-mail address. `toNameKey` makes comparisons ignore case and Unicode composition. */
  readonly name: string;
  readonly password: string;
  readonly uid: number;
  /** Names of roles by production domain, such as `api.example.test`. Tokens contain them as the claim `roles`. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
  readonly disabled?: boolean | undefined;
};

export class Identities {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  of(environment: string): StoreCollection<Identity> {
    return this.#store.collection<Identity>(`${environment}/identities`);
  }

  add(environment: string, identity: Identity): void {
    this.of(environment).set(toNameKey(identity.name), identity);
  }

  find(environment: string, name: string): Identity | undefined {
    return this.of(environment).get(toNameKey(name));
  }

  /** Finds a user by name. Default: the first user. Throws a UsageError for an unknown name. */
  resolve(environment: string, name?: string): Identity {
    const all = this.of(environment).all();
    const identity = name === undefined ? all[0] : this.find(environment, String(name));
    if (identity !== undefined) return identity;
    const location = { pointer: "/user" };
    if (name === undefined) throw new UsageError("unknownName", `${environment} has no user.`, location);
    const known = all.map((user) => user.name);
    throw createUnknownError(`user of ${environment}`, name, known, location);
  }

  /** Returns the user if the password is correct and the user is enabled. Takes the same time for known and unknown names. */
  check(environment: string, name: string, password: string): Identity | undefined {
    const identity = this.find(environment, name);
    const isSame = isSameSecret(password, identity?.password ?? "");
    return identity !== undefined && isSame && identity.disabled !== true ? identity : undefined;
  }

  setPassword(environment: string, name: string, password: string): void {
    const identity = this.find(environment, name);
    if (identity !== undefined) this.add(environment, { ...identity, password });
  }
}

/** Normalizes case and Unicode composition, so that equivalent names have the same key. */
export function toNameKey(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** Compares two secrets in constant time, after conversion to Unicode NFC. */
export function isSameSecret(left: string, right: string): boolean {
  const [first, second] = [left, right].map((text) => getPlatform().digest(text.normalize("NFC")));
  let difference = 0;
  first?.forEach((byte, at) => {
    difference |= byte ^ (second?.[at] ?? 0);
  });
  return difference === 0;
}
