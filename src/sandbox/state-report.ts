/** Reports the state of a sandbox as counts and a digest, so that tests can compare two states. */

import type { Notice } from "../journal/notices.ts";
import { toHex } from "../world/bytes.ts";
import { sortMembers } from "../world/digest.ts";
import { getPlatform } from "../world/platform.ts";
import { toIso } from "../world/time.ts";
import { VersionedMap } from "../world/versioned-map.ts";
import type { World } from "../world/world.ts";
import type { StateReport } from "./views.ts";

type JournalCounts = { readonly exchanges: number; readonly notices: readonly Notice[] };

/** `rest` adds settings and rules to the digest. The run time grows with the size of the state. */
export function buildStateReport(world: World, journal: JournalCounts, rest: unknown): StateReport {
  const { clock, store, mailbox } = world;
  const { collections, counters, values } = store.snapshot();
  const data = sortByName(
    [...collections].map(([name, version]) => [name, new VersionedMap(version).values()] as const),
  );
  const state = [
    data.filter(([, entities]) => entities.length > 0),
    sortByName([...counters]),
    sortByName([...values]),
    clock.state,
    sortMembers(rest),
  ];
  return {
    world: world.id,
    clock: { now: toIso(clock.now()), mode: clock.state.mode },
    collections: Object.fromEntries(data.map(([name, entities]) => [name, entities.length])),
    mails: mailbox.messages().length,
    ...journal,
    digest: toHex(getPlatform().digest(JSON.stringify(state))),
  };
}

function sortByName<T>(entries: readonly (readonly [string, T])[]): readonly (readonly [string, T])[] {
  return [...entries].sort(([left], [right]) => (left < right ? -1 : 1));
}
