/** What differs between two moments of a sandbox, entity by entity and part by part. */

import type { Entity } from "../world/store.ts";
import { VersionedMap } from "../world/versioned-map.ts";
import type { SandboxSnapshot } from "./sandbox-state.ts";
import type { StateDifference } from "./views.ts";

export function compareSnapshots(from: SandboxSnapshot, to: SandboxSnapshot): StateDifference {
  const [before, after] = [from.world.store.collections, to.world.store.collections];
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  const collections = names.flatMap((name) => {
    const [one, other] = [before.get(name), after.get(name)];
    const found =
      one === other ? undefined : compareCollections(new VersionedMap(one), new VersionedMap(other));
    return found === undefined ? [] : [[name, found] as const];
  });
  return {
    collections: Object.fromEntries(collections),
    clock: !isSame(from.world.clock, to.world.clock),
    settings: !isSame(from.settings, to.settings),
    rules: !isSame(selectRules(from), selectRules(to)),
  };
}

/** Without what they have done. */
function selectRules({ rules: { added, layers } }: SandboxSnapshot) {
  return [added, layers.map(({ name, rules }) => [name, rules])];
}

/** Undefined where nothing differs. */
function compareCollections(before: VersionedMap<Entity>, after: VersionedMap<Entity>) {
  const added = after.keys().filter((key) => before.get(key) === undefined);
  const removed = before.keys().filter((key) => after.get(key) === undefined);
  const changed = after.keys().flatMap((key) => {
    const fields = findChangedFields(before.get(key), after.get(key));
    return fields.length === 0 ? [] : [{ key, fields }];
  });
  return added.length + removed.length + changed.length === 0 ? undefined : { added, removed, changed };
}

/** Of entities that are there at both moments. */
function findChangedFields(before: Entity | undefined, after: Entity | undefined): string[] {
  if (before === undefined || after === undefined || before === after) return [];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isSame(before[name], after[name]));
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
