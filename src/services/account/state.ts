/** State of one environment: its collections, and functions to find and sort the entities that a user owns. */

import type { Environment } from "../../operation/service.ts";
import type { Identity } from "../../world/identities.ts";
import { getCached } from "../../world/recent.ts";
import type { StoreCollection } from "../../world/store.ts";
import { parseTimestamp } from "../../world/time.ts";
import type { World } from "../../world/world.ts";
import type { StoredConsumption, StoredPreSale, StoredPreSaleAction, StoredUser } from "./stored.ts";
import type { LoginEvent } from "./throttle.ts";

export type AccountState = {
  readonly world: World;
  /** Key of the environment: `account` or `accountSandbox`. */
  readonly environment: string;
  readonly consumptions: StoreCollection<StoredConsumption>;
  readonly preSales: StoreCollection<StoredPreSale>;
  readonly preSaleActions: StoreCollection<StoredPreSaleAction>;
  /** Profiles. The key of `users` and `logins` is the uid. */
  readonly users: StoreCollection<StoredUser>;
  readonly logins: StoreCollection<{ readonly uid: number; readonly events: readonly LoginEvent[] }>;
};

export function createAccountState(world: World, { key }: Pick<Environment, "key">): AccountState {
  const { store } = world;
  return {
    world,
    environment: key,
    consumptions: store.collection(`${key}/consumptions`),
    preSales: store.collection(`${key}/preSales`),
    preSaleActions: store.collection(`${key}/preSaleActions`),
    users: store.collection(`${key}/users`),
    logins: store.collection(`${key}/logins`),
  };
}

export function getLoginEvents({ logins }: AccountState, { uid }: Identity): readonly LoginEvent[] {
  return logins.get(String(uid))?.events ?? [];
}

export function getExampleUser({ world, environment }: AccountState): Identity | undefined {
  return world.identities.of(environment).all()[0];
}

export function listExampleEntities<T extends OwnedEntity>(
  state: AccountState,
  entities: StoreCollection<T>,
): readonly T[] {
  return entities.all().filter(({ owner }) => owner === getExampleUser(state)?.uid);
}

type OwnedEntity = { readonly uuid: string; readonly owner: number };

/** Lists the entities that a user owns, sorted by `inOrder`. Caches the list until the collection changes. */
export function listOwned<T extends OwnedEntity>(
  { uid }: Identity,
  entities: StoreCollection<T>,
  inOrder: (owned: readonly T[]) => readonly T[],
): readonly T[] {
  const all = entities.all();
  // The cache key contains the collection's name, because all empty collections return the same list object.
  return getCached(all, `${entities.name} of ${uid}`, () => {
    const owned = Object.freeze(inOrder(all.filter(({ owner }) => owner === uid)));
    return [owned, 100 + 8 * owned.length];
  });
}

/** Finds an entity that the user owns. `uuid` is case-insensitive. */
export function findOwned<T extends OwnedEntity>(
  { uid }: Identity,
  entities: StoreCollection<T>,
  uuid: string,
): T | undefined {
  const entity = entities.get(uuid.toLowerCase());
  return entity?.owner === uid ? entity : undefined;
}

/** Sorts consumptions. Assumed: the latest month is first. */
export function sortLatestFirst(consumptions: readonly StoredConsumption[]): readonly StoredConsumption[] {
  return [...consumptions].sort(
    (a, b) => b.year - a.year || b.month - a.month || compareStrings(a.uuid, b.uuid),
  );
}

/** Sorts entities. Assumed: in order of creation. */
export function sortOldestFirst<T extends { readonly uuid: string; readonly created_at: string }>(
  entities: readonly T[],
): readonly T[] {
  return [...entities].sort(
    (a, b) => parseTimestamp(a.created_at) - parseTimestamp(b.created_at) || compareStrings(a.uuid, b.uuid),
  );
}

function compareStrings(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
