/** A short report on a sandbox's state: its content in numbers, and one digest to distinguish two states. */

import type { Notice } from "../journal/notices.ts";
import { toHex } from "../world/bytes.ts";
import { LayeredMap } from "../world/layered-map.ts";
import { platform } from "../world/platform.ts";
import { toIso } from "../world/time.ts";
import type { World } from "../world/world.ts";

export type StateReport = {
  readonly world: string;
  readonly clock: { readonly now: string; readonly mode: "frozen" | "ticking" };
  /** `museum/specialEvents` -> how many. */
  readonly collections: Readonly<Record<string, number>>;
  readonly mails: number;
  readonly exchanges: number;
  /** What went wrong outside the exchanges, such as a mail that could not be sent: the newest 100. */
  readonly notices: readonly Notice[];
  /** Equal for equal data, next ids, clock and settings; a ticking clock alone does not change it. */
  readonly digest: string;
};

type JournalCounts = { readonly exchanges: number; readonly notices: readonly Notice[] };

/** `rest` is whatever else belongs to the state: settings, rules. The cost grows with the state. */
export function reportState(world: World, journal: JournalCounts, rest: unknown): StateReport {
  const { clock, store, mailbox } = world;
  const { collections, counters, values } = store.snapshot();
  const data = sorted(
    [...collections].map(([name, layer]) => [name, new LayeredMap(layer).values()] as const),
  );
  const state = [
    data.filter(([, entities]) => entities.length > 0),
    sorted([...counters]),
    sorted([...values]),
    clock.state,
    inOneOrder(rest),
  ];
  return {
    world: world.id,
    clock: { now: toIso(clock.now()), mode: clock.state.mode },
    collections: Object.fromEntries(data.map(([name, entities]) => [name, entities.length])),
    mails: mailbox.messages().length,
    ...journal,
    digest: toHex(platform().digest(JSON.stringify(state))),
  };
}

/** The same value with the members of each object by name. */
function inOneOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOneOrder);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(sorted(Object.entries(value)).map(([name, one]) => [name, inOneOrder(one)]));
}

function sorted<T>(entries: readonly (readonly [string, T])[]): readonly (readonly [string, T])[] {
  return [...entries].sort(([one], [other]) => (one < other ? -1 : 1));
}
