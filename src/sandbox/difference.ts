/** Compares two snapshots of a sandbox. */

import type { Entity } from "../world/store.ts";
import { VersionedMap } from "../world/versioned-map.ts";
import type { SandboxSnapshot } from "./sandbox-state.ts";
import type { StateDifference } from "./views.ts";

export function compareSnapshots(from: SandboxSnapshot, to: SandboxSnapshot): StateDifference {
  const [before, after] = [from.world.store.collections, to.world.store.collections];
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  const collections = names.flatMap((name) => {
    const [from, to] = [before.get(name), after.get(name)];
    const found = from === to ? undefined : compareCollections(new VersionedMap(from), new VersionedMap(to));
    return found === undefined ? [] : [[name, found] as const];
  });
  return {
    collections: Object.fromEntries(collections),
    clock: !isSame(from.world.clock, to.world.clock),
    settings: !isSame(from.settings, to.settings),
    rules: !isSame(selectRules(from), selectRules(to)),
  };
}

/** Returns the rules without their counters, which the comparison ignores. */
function selectRules({ rules: { added, layers } }: SandboxSnapshot) {
  return [added, layers.map(({ name, rules }) => [name, rules])];
}

/** Compares two versions of a collection. Returns undefined if they are equal. */
function compareCollections(before: VersionedMap<Entity>, after: VersionedMap<Entity>) {
  const added = after.keys().filter((key) => before.get(key) === undefined);
  const removed = before.keys().filter((key) => after.get(key) === undefined);
  const changed = after.keys().flatMap((key) => {
    const fields = findChangedFields(before.get(key), after.get(key));
    return fields.length === 0 ? [] : [{ key, fields }];
  });
  return added.length + removed.length + changed.length === 0 ? undefined : { added, removed, changed };
}

/** Returns the names of the fields that differ. The list is empty if the entity exists in only one snapshot. */
function findChangedFields(before: Entity | undefined, after: Entity | undefined): string[] {
  if (before === undefined || after === undefined || before === after) return [];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isSame(before[name], after[name]));
}

function isSame(before: unknown, after: unknown): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after);
}
