/** Creates a capsule: JSON with the start state, exchanges and data changes of a test. Redacts secrets. */

import { combineScenarios, type RulesSnapshot } from "../rules/active-rules.ts";
import type { Matcher } from "../rules/grammar.ts";
import { toJsonString } from "../world/recent.ts";
import type { Entity, StoreSnapshot } from "../world/store.ts";
import { type CalendarDate, type Timestamp, toIso } from "../world/time.ts";
import { VersionedMap } from "../world/versioned-map.ts";
import type { WorldSnapshot } from "../world/world.ts";
import type { Journal } from "./journal.ts";
import {
  type RecordedChange,
  type RecordedExchange,
  toComparable,
  toRecordedChange,
} from "./recorded-exchange.ts";
import { Redactor } from "./redaction.ts";

export type Capsule = {
  readonly format: "vitrine-capsule-1";
  readonly world: string;
  readonly seed: number;
  /** Sandbox time as ISO 8601. `start`: the frozen time. If the clock runs: the time of the first exchange, otherwise `end`. */
  readonly clock: {
    readonly start: string;
    readonly end: string;
    /** The dates of the base data are relative to this day. Undefined if it is the day of `start`. */
    readonly base?: CalendarDate;
  };
  /** Complete settings by service name, without `credentials`. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Scenarios that recreate data and rules if you apply them in order. */
  readonly stage: readonly object[];
  /** Rules that were applied. `acted`: the number of times. */
  readonly rules: readonly { readonly id: string; readonly acted: number }[];
  /** Exchanges in order of arrival, without values that differ from run to run, such as wall-clock times. */
  readonly journal: readonly RecordedExchange[];
  /** Number of earlier exchanges that the journal dropped. */
  readonly evicted: number;
  /** Differences between the data at the start and at the end. */
  readonly changes: readonly RecordedChange[];
};

type CapsuleState = {
  readonly world: WorldSnapshot;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly rules: RulesSnapshot;
};

export function createCapsule(parts: {
  readonly world: string;
  readonly start: CapsuleState;
  readonly end: CapsuleState;
  readonly now: Timestamp;
  readonly baseDay: CalendarDate | undefined;
  readonly acted: Capsule["rules"];
  readonly journal: Journal;
  readonly matcher: Matcher | string | undefined;
}): Capsule {
  const { world, start, end, now, baseDay, acted, journal, matcher } = parts;
  const secrets = new Redactor(journal.marks);
  const exchanges = journal.list(matcher).map(toComparable);
  const frozen = start.world.clock.mode === "frozen" ? toIso(start.world.clock.at) : undefined;
  const begin = frozen ?? exchanges[0]?.at ?? toIso(now);
  const hasOtherBaseDay = baseDay !== undefined && !begin.startsWith(baseDay);
  return {
    format: "vitrine-capsule-1",
    world,
    seed: start.world.seed,
    clock: { start: begin, end: toIso(now), ...(hasOtherBaseDay ? { base: baseDay } : {}) },
    settings: withoutCredentials(start.settings),
    stage: toScenarios(end.rules, secrets),
    rules: acted.filter((rule) => rule.acted > 0).map(({ id, acted: times }) => ({ id, acted: times })),
    journal: exchanges,
    evicted: journal.evicted,
    changes: findChanges(start.world.store, end.world.store, secrets),
  };
}

/** Returns one scenario per data change, then one with all rules. Rules that were added at run time are first in it. */
function toScenarios({ added, layers }: RulesSnapshot, secrets: Redactor): object[] {
  const scenario = combineScenarios(layers);
  const data = scenario.data.map(({ environment, collection, change }) => ({
    version: 1,
    data: { [environment]: { [collection]: secrets.value(change) } },
  }));
  const rules = [...added, ...scenario.rules].map(({ id, at, rule }) => ({ ...rule, id, at }));
  const { title, expect } = scenario;
  const top = { version: 1, ...(title === undefined ? {} : { title }), rules: secrets.value(rules), expect };
  return [...data, top];
}

/** Lists the changed entities of all collections. Skips a collection without writes: both snapshots are the same object. */
function findChanges(start: StoreSnapshot, end: StoreSnapshot, secrets: Redactor): RecordedChange[] {
  const names = [...new Set([...start.collections.keys(), ...end.collections.keys()])].sort();
  return names.flatMap((collection) => {
    const [from, to] = [start.collections.get(collection), end.collections.get(collection)];
    if (from === to) return [];
    const [before, after] = [new VersionedMap<Entity>(from), new VersionedMap<Entity>(to)];
    const keys = [...new Set([...before.keys(), ...after.keys()])];
    return keys
      .map((key) => ({ collection, key, before: before.get(key), after: after.get(key) }))
      .filter(({ before, after }) => before !== after && toJsonString(before) !== toJsonString(after))
      .map((change) => toRecordedChange(change, secrets));
  });
}

function withoutCredentials(settings: Capsule["settings"]): Capsule["settings"] {
  return Object.fromEntries(
    Object.entries(settings).map(([service, own]) => {
      const { credentials: _credentials, ...kept } = own as Readonly<Record<string, unknown>>; // Safe: settings are always objects.
      return [service, kept];
    }),
  );
}
