/** What the options gave and the day of the base data. Kept in the store, so that forks and records have it too. */

import type { ClockState } from "../world/clock.ts";
import { toJsonString } from "../world/recent.ts";
import type { Entity, Store, StoreSnapshot } from "../world/store.ts";
import { type CalendarDate, toDate } from "../world/time.ts";
import { VersionedMap } from "../world/versioned-map.ts";
import { World } from "../world/world.ts";
import type { SandboxCore } from "./sandbox.ts";

export type BaseData = (day: CalendarDate) => StoreSnapshot;

export type Origin = {
  /** The day to which the dates of the base data belong now. */
  readonly day: CalendarDate;
  readonly seed: number;
  readonly clock: ClockState;
  /** Of which seed the base data was generated; left out: the committed fixtures. */
  readonly generated?: number | undefined;
};

const ORIGIN_KEY = "origin";
export function storeOrigin(store: Pick<Store, "setValue">, origin: Origin): void {
  store.setValue(ORIGIN_KEY, origin);
}

export function readOrigin(values: ReadonlyMap<string, unknown>): Origin | undefined {
  return values.get(ORIGIN_KEY) as Origin | undefined; // Safe: only storeOrigin writes it.
}

/** The base data goes along to the clock's day. */
export function rebase({ world, baseData }: SandboxCore): void {
  const day = toDate(world.clock.now());
  world.store.transaction(() => moveBaseData(world.store, baseData, day));
  storeDay(world.store, day);
}

/** Gives what is still as the base data had it the dates of another day. What was written since stays as it is. */
export function moveBaseData(store: Store, baseData: BaseData, to: CalendarDate): void {
  const from = findOrigin(store)?.day;
  if (from === undefined || from === to) return;
  const next = baseData(to);
  for (const [name, version] of baseData(from).collections) {
    const before = new VersionedMap<Entity>(version);
    const after = new VersionedMap<Entity>(next.collections.get(name));
    const present = store.collection<Entity>(name);
    for (const key of before.keys()) {
      const [was, moved] = [before.get(key), after.get(key)];
      if (moved !== undefined && !isSameEntity(was, moved) && isSameEntity(present.get(key), was))
        present.set(key, moved);
    }
  }
}

/** Notes the day that the base data was moved to. */
export function storeDay(store: Store, day: CalendarDate): void {
  const origin = findOrigin(store);
  if (origin !== undefined && origin.day !== day) storeOrigin(store, { ...origin, day });
}

/**
 * Takes a world back to what the options gave, without any scenario: clock, seed and data. What is in force of a scenario
 * besides, its rules and settings, is replaced by the next that is applied. Requests that wait get a 503.
 */
export function returnToOrigin({ world, baseData, ruleSet: rules }: SandboxCore): void {
  const origin = findOrigin(world.store);
  if (origin !== undefined) world.clock.restore(origin.clock);
  const day = toDate(world.clock.now());
  const seed = origin?.seed ?? world.random.seed;
  world.restore({ seed, clock: world.clock.state, store: baseData(day) });
  storeOrigin(world.store, { ...(origin ?? { clock: world.clock.state, seed }), day });
  rules.gates.cancelAll();
}

/** A separate world with the base data as of the day on which the sandbox's clock began. */
export function createOriginWorld({ world, baseData }: SandboxCore): World {
  const { seed, clock } = findOrigin(world.store) ?? { seed: world.random.seed, clock: world.clock.state };
  const base = new World({ id: world.id, seed, clock, wall: world.wall });
  base.store.restore(baseData(toDate(base.clock.now())));
  return base;
}

function findOrigin(store: Store): Origin | undefined {
  return readOrigin(store.values);
}

function isSameEntity(one: Entity | undefined, other: Entity | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one === other || toJsonString(one) === toJsonString(other);
}
