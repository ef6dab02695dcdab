// What belongs to a user of an environment, how it is found and shown, and in which order.

import type { AccountKey } from "../operations.ts";
import type { Asked } from "./life.ts";
import type { Account, Action, Consumption, Moment } from "./moment.ts";

type Owned = { readonly uuid: string; readonly owner: number };

export function accountOf(moment: Moment, { environment }: Pick<Asked, "environment">): Account {
  return moment[environment as AccountKey]; // asked of the account
}

export function owned<T extends Owned>(entities: readonly T[], uid: number): readonly T[] {
  return entities.filter(({ owner }) => owner === uid);
}

export function findOwned<T extends Owned>(entities: readonly T[], id: string, uid: number): T | undefined {
  const wanted = id.toLowerCase();
  return owned(entities, uid).find(({ uuid }) => uuid === wanted);
}

export function found<T extends Owned>(entities: readonly T[], { id }: Asked, uid: number): T | undefined {
  return findOwned(entities, id, uid);
}

/** An action runs from its crossing on, for a while. */
export function shown(action: Action, at: number): unknown {
  const { owner: _owner, armed: _armed, running_from: from = 0, running_until: until, ...rest } = action;
  return { ...rest, running: from <= at && at < until };
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

export function oldestFirst<T extends { readonly created_at: string; readonly uuid: string }>(
  entities: readonly T[],
): readonly T[] {
  return [...entities].sort(
    (one, other) => compare(one.created_at, other.created_at) || compare(one.uuid, other.uuid),
  );
}

export function latestFirst(consumptions: readonly Consumption[]): readonly Consumption[] {
  const month = (one: Consumption) => one.year * 12 + one.month;
  return [...consumptions].sort((one, other) => month(other) - month(one) || compare(one.uuid, other.uuid));
}
