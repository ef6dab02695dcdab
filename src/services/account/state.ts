/**
 * What the account's handlers see of one environment: its collections, and which entities a user may see in which
 * order. Independent of HTTP.
 */

import type { Environment } from "../../operation/service.ts";
import type { Identity } from "../../world/identities.ts";
import { remembered } from "../../world/recent.ts";
import type { Collection } from "../../world/store.ts";
import { parseInstant } from "../../world/time.ts";
import type { World } from "../../world/world.ts";
import type { StoredConsumption, StoredPreSale, StoredPreSaleAction, StoredUser } from "./stored.ts";
import type { LoginEvent } from "./throttle.ts";

/** What the throttle remembers of one user. */
type Logins = { readonly uid: number; readonly events: readonly LoginEvent[] };

export type AccountState = {
  readonly world: World;
  /** The key of the environment. */
  readonly environment: string;
  readonly consumptions: Collection<StoredConsumption>;
  readonly preSales: Collection<StoredPreSale>;
  readonly preSaleActions: Collection<StoredPreSaleAction>;
  /** Profiles, by uid. */
  readonly users: Collection<StoredUser>;
  /** By uid. */
  readonly logins: Collection<Logins>;
};

export function accountState(world: World, { key }: Pick<Environment, "key">): AccountState {
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

export function exampleUser({ world, environment }: AccountState): Identity | undefined {
  return world.identities.of(environment).all()[0];
}

/** The entities of that user. */
export function exampleEntities<T extends Owned>(state: AccountState, entities: Collection<T>): readonly T[] {
  return entities.all().filter(({ owner }) => owner === exampleUser(state)?.uid);
}

type Owned = { readonly uuid: string; readonly owner: number };

/**
 * Those of one user, in the order of their collection. Accounts are separate: what belongs to another does not exist
 * for this one. Computed once for each state of the collection.
 */
export function ownedBy<T extends Owned>(
  { uid }: Identity,
  entities: Collection<T>,
  inOrder: (owned: readonly T[]) => readonly T[],
): readonly T[] {
  const all = entities.all();
  // With its name: collections that nobody has written to share one empty list.
  return remembered(all, `${entities.name} of ${uid}`, () => {
    const owned = Object.freeze(inOrder(all.filter(({ owner }) => owner === uid)));
    return [owned, 100 + 8 * owned.length];
  });
}

/** By uuid, in any case. */
export function findOwned<T extends Owned>(
  { uid }: Identity,
  entities: Collection<T>,
  uuid: string,
): T | undefined {
  const entity = entities.get(uuid) ?? entities.get(uuid.toLowerCase());
  return entity?.owner === uid ? entity : undefined;
}

/** Assumed: the latest month first. */
export function latestFirst(consumptions: readonly StoredConsumption[]): readonly StoredConsumption[] {
  return [...consumptions].sort(
    (one, other) => other.year - one.year || other.month - one.month || compare(one.uuid, other.uuid),
  );
}

/** Assumed: in order of creation. */
export function oldestFirst<T extends { readonly uuid: string; readonly created_at: string }>(
  entities: readonly T[],
): readonly T[] {
  return [...entities].sort(
    (one, other) =>
      parseInstant(one.created_at) - parseInstant(other.created_at) || compare(one.uuid, other.uuid),
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
