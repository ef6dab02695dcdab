/** The origin of a world: initial clock and seed, and day of the base data. Stored in the world, so forks and records have it. */

import type { ClockState } from "../world/clock.ts";
import { toJsonString } from "../world/recent.ts";
import type { Entity, Store, StoreSnapshot } from "../world/store.ts";
import { type CalendarDate, toDate } from "../world/time.ts";
import { VersionedMap } from "../world/versioned-map.ts";
import { World } from "../world/world.ts";
import type { SandboxCore } from "./sandbox.ts";

export type BaseData = (day: CalendarDate) => StoreSnapshot;

export type Origin = {
  /** Reference day of the dates in the base data. */
  readonly day: CalendarDate;
  readonly seed: number;
  readonly clock: ClockState;
  /** Seed of generated base data. Undefined if the base data was not generated. */
  readonly generated?: number | undefined;
};

const ORIGIN_KEY = "origin";
export function storeOrigin(store: Pick<Store, "setValue">, origin: Origin): void {
  store.setValue(ORIGIN_KEY, origin);
}

export function readOrigin(values: ReadonlyMap<string, unknown>): Origin | undefined {
  return values.get(ORIGIN_KEY) as Origin | undefined; // Safe cast: only storeOrigin() writes this key.
}

/** Moves the dates of the base data to the current day of the clock. */
export function rebase({ world, baseData }: SandboxCore): void {
  const day = toDate(world.clock.now());
  world.store.transaction(() => moveBaseData(world.store, baseData, day));
  storeDay(world.store, day);
}

/** Moves the dates of the base data to the day `to`. Skips entities that differ from the base data. */
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

export function storeDay(store: Store, day: CalendarDate): void {
  const origin = findOrigin(store);
  if (origin !== undefined && origin.day !== day) storeOrigin(store, { ...origin, day });
}

/** Restores clock, seed and data as the options set them. Rules and settings stay. Requests at a gate or in a delay get a 503. */
export function returnToOrigin({ world, baseData, ruleSet: rules }: SandboxCore): void {
  const origin = findOrigin(world.store);
  if (origin !== undefined) world.clock.restore(origin.clock);
  const day = toDate(world.clock.now());
  const seed = origin?.seed ?? world.random.seed;
  world.restore({ seed, clock: world.clock.state, store: baseData(day) });
  storeOrigin(world.store, { ...(origin ?? { clock: world.clock.state, seed }), day });
  rules.gates.cancelAll();
}

/** Creates a separate world in the initial state: with the clock, seed and base data of the sandbox's options. */
export function createOriginWorld({ world, baseData }: SandboxCore): World {
  const { seed, clock } = findOrigin(world.store) ?? { seed: world.random.seed, clock: world.clock.state };
  const base = new World({ id: world.id, seed, clock, wall: world.wall });
  base.store.restore(baseData(toDate(base.clock.now())));
  return base;
}

function findOrigin(store: Store): Origin | undefined {
  return readOrigin(store.values);
}

function isSameEntity(left: Entity | undefined, right: Entity | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return left === right || toJsonString(left) === toJsonString(right);
}
