// All that a sandbox keeps, of all its worlds, in one form: whichever way it came to be.

import type { createSandbox } from "../../src/open/create-sandbox.ts";

type Sandbox = Awaited<ReturnType<typeof createSandbox>>;
type World = ReturnType<Sandbox["worlds"]["list"]>[number];

/** By the names of the worlds. */
export function wholeOf(sandbox: Sandbox) {
  return sandbox.worlds
    .list()
    .map((world) => worldOf(world))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

function worldOf(world: World) {
  const {
    versions,
    digest: _digest,
    journal: _none,
    present,
    start,
    snapshots,
    ...rest
  } = JSON.parse(JSON.stringify(world.record()));
  const flat = <M extends { collections: Record<string, string> }>({ collections, ...moment }: M) => {
    const found = Object.entries(collections).map(([name, id]) => [name, entitiesOf(versions[id])] as const);
    return { ...moment, collections: found.filter(([, entities]) => entities.length > 0).sort() };
  };
  return {
    ...rest,
    id: String(rest.id),
    present: flat(present),
    start: flat(start),
    snapshots: snapshots.map(flat),
  };
}

/** Keys and values in order: a store that was written and read counts its positions anew. */
function entitiesOf(entries: readonly (readonly [string, number, unknown])[]): readonly unknown[] {
  return entries.map(([key, _order, value]) => [key, value]);
}
