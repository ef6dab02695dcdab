/** Who may call an environment. Passwords are test data, stored as text, and compared in constant time. */

import { createUnknownError } from "../errors/nearest.ts";
import { UsageError } from "../errors/usage-error.ts";
import { getPlatform } from "./platform.ts";
import type { Store, StoreCollection } from "./store.ts";

export type Identity = {
  /** The login name: an e-mail address, compared in lower case and Unicode NFC. */
  readonly name: string;
  readonly password: string;
  readonly uid: number;
  /** Production domain of an API set -> role names. */
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

  /** The identity that a given name refers to; without a name, the first. Throws a UsageError for an unknown one. */
  resolve(environment: string, name?: string): Identity {
    const all = this.of(environment).all();
    const identity = name === undefined ? all[0] : this.find(environment, String(name));
    if (identity !== undefined) return identity;
    const place = { pointer: "/user" };
    if (name === undefined) throw new UsageError("unknownName", `${environment} has no user.`, place);
    const known = all.map((one) => one.name);
    throw createUnknownError(`user of ${environment}`, name, known, place);
  }

  /** The identity with this name and password. Takes the same time whether the name is known or not. */
  check(environment: string, name: string, password: string): Identity | undefined {
    const identity = this.find(environment, name);
    const same = isSameSecret(password, identity?.password ?? "");
    return identity !== undefined && same && identity.disabled !== true ? identity : undefined;
  }

  setPassword(environment: string, name: string, password: string): void {
    const identity = this.find(environment, name);
    if (identity !== undefined) this.add(environment, { ...identity, password });
  }
}

/** The normal form of a name, so that case and composed letters do not split one person into two. */
export function toNameKey(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** Compares two secrets, in Unicode NFC, without revealing how far they agree, nor how long they are. */
export function isSameSecret(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => getPlatform().digest(text.normalize("NFC")));
  let difference = 0;
  first?.forEach((byte, at) => {
    difference |= byte ^ (second?.[at] ?? 0);
  });
  return difference === 0;
}
