/** Reads the state of the first edition: data, seed and clock of the main world, in one file. It is never written. */

import type { ClockState } from "../../world/clock.ts";
import { layerOf } from "../../world/layered-map.ts";
import { type Entity, frozen } from "../../world/store.ts";
import type { WorldSnapshot } from "../../world/world.ts";
import { bodyOf } from "./state-manifest.ts";

export const FIRST_VERSION = 1;

type Body = {
  readonly counters: readonly (readonly [string, number])[];
  readonly values: readonly (readonly [string, unknown])[];
  readonly collections: readonly (readonly [string, readonly (readonly [string, Entity])[]])[];
};

/** Undefined: it is not as it was written. */
export function readFirstEdition(text: string): WorldSnapshot | undefined {
  const body = bodyOf(text, FIRST_VERSION);
  if (body === undefined) return undefined;
  const { counters, values, collections } = JSON.parse(body) as Body; // the checksum is right
  const { seed, clock } = Object.fromEntries(values) as { seed: number; clock: ClockState }; // kept as values there
  return {
    seed,
    clock,
    store: {
      collections: new Map(
        collections.map(([name, entities]) => {
          const entries = entities.map(([key, entity], order) => [key, order, frozen(entity)] as const);
          return [name, layerOf(undefined, entries)];
        }),
      ),
      counters: new Map(counters),
      values: new Map(values.filter(([name]) => name !== "seed" && name !== "clock")),
    },
  };
}
