/** A short report on a sandbox's state: its content in numbers, and one digest to distinguish two states. */

import type { Notice } from "../journal/notices.ts";
import { toHex } from "../world/bytes.ts";
import { sortMembers } from "../world/digest.ts";
import { platform } from "../world/platform.ts";
import { toIso } from "../world/time.ts";
import { VersionedMap } from "../world/versioned-map.ts";
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
    [...collections].map(([name, version]) => [name, new VersionedMap(version).values()] as const),
  );
  const state = [
    data.filter(([, entities]) => entities.length > 0),
    sorted([...counters]),
    sorted([...values]),
    clock.state,
    sortMembers(rest),
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

function sorted<T>(entries: readonly (readonly [string, T])[]): readonly (readonly [string, T])[] {
  return [...entries].sort(([one], [other]) => (one < other ? -1 : 1));
}
