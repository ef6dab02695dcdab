// Owns what the account's handlers see of one environment: its collections. Never sees HTTP.

import type { Environment } from "../../operation/service.ts";
import type { Collection } from "../../world/store.ts";
import type { World } from "../../world/world.ts";
import type { StoredConsumption, StoredPreSale, StoredPreSaleAction, StoredUser } from "./schemas.ts";

export type AccountState = {
  readonly world: World;
  /** The key of the environment. */
  readonly environment: string;
  readonly consumptions: Collection<StoredConsumption>;
  readonly preSales: Collection<StoredPreSale>;
  readonly preSaleActions: Collection<StoredPreSaleAction>;
  /** Profiles, by uid. */
  readonly users: Collection<StoredUser>;
};

export function accountState(world: World, { key }: Environment): AccountState {
  const { store } = world;
  return {
    world,
    environment: key,
    consumptions: store.collection(`${key}/consumptions`),
    preSales: store.collection(`${key}/preSales`),
    preSaleActions: store.collection(`${key}/preSaleActions`),
    users: store.collection(`${key}/users`),
  };
}
