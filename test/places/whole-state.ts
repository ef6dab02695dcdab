// All that a sandbox keeps, of all its worlds, in one form: whichever way it came to be.

import type { createSandbox } from "../../src/vitrine.ts";
import type { LayerTable } from "../../src/world/record.ts";

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
    layers,
    journal: _none,
    present,
    start,
    snapshots,
    ...rest
  } = JSON.parse(JSON.stringify(world.record()));
  const flat = <M extends { collections: Record<string, string> }>({ collections, ...moment }: M) => {
    const found = Object.entries(collections).map(([name, id]) => [name, entitiesOf(layers, id)] as const);
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

/** In their order. */
function entitiesOf(layers: LayerTable, id: string): readonly unknown[] {
  const chain = [];
  for (let at: string | undefined = id; at !== undefined; at = layers[at]?.parent) chain.unshift(layers[at]);
  const slots = new Map<string, readonly [number, unknown]>();
  for (const layer of chain)
    for (const [key, order, value] of layer?.entries ?? []) slots.set(key, [order, value]);
  return [...slots]
    .filter(([, [, value]]) => value !== undefined)
    .sort(([, [one]], [, [other]]) => one - other)
    .map(([key, [, value]]) => [key, value]);
}
