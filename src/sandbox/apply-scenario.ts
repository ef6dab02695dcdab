/** Applies scenarios to a sandbox: clock, settings, data and rules. An invalid scenario changes nothing. */

import { UsageError } from "../errors/usage-error.ts";
import { prefixIssues } from "../operation/issue.ts";
import type { Placement } from "../rules/active-rules.ts";
import { isOffset } from "../rules/primitives.ts";
import { type CollectionChange, mergeSettings } from "../scenario/check-data.ts";
import { checkUser } from "../scenario/check-matcher.ts";
import { checkFaults } from "../scenario/check-rule.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { Clock } from "../world/clock.ts";
import type { Entity } from "../world/store.ts";
import { type CalendarDate, toDate } from "../world/time.ts";
import { moveBaseData, returnToOrigin, storeDay } from "./origin.ts";
import { SandboxCore } from "./sandbox.ts";
import type { Settings } from "./sandbox-state.ts";

export function setClock(clock: Clock, wanted: Scenario["clock"]): void {
  if (wanted === undefined) return;
  const { at, mode = "frozen" } = wanted;
  if (isOffset(at)) clock.offset(at);
  else clock.freeze(at);
  if (mode === "ticking") clock.resume();
  else clock.freeze();
}

/** Applies a scenario to the current state. Rules added at run time stay, and run before the scenario's rules. */
export async function applyScenario(
  sandbox: SandboxCore,
  scenario: Scenario,
  placing: Placement = "instead",
): Promise<void> {
  const { world } = sandbox;
  sandbox.ruleSet.assertRoom(scenario.rules, placing);
  const clock = new Clock(world.wall, world.clock.state);
  setClock(clock, scenario.clock);
  const seed = scenario.seed ?? world.random.seed;
  const day = toDate(clock.now());
  const generated = new Map<CollectionChange, readonly Entity[]>();
  for (const change of scenario.data)
    if (change.change.generate !== undefined)
      generated.set(change, await generateEntities(change, seed, day));
  const moves = scenario.clock !== undefined && scenario.clock.rebase !== false;
  world.store.transaction(() => {
    if (moves) moveBaseData(world.store, sandbox.baseData, day);
    for (const change of scenario.data) applyChange(sandbox, change, generated.get(change), day);
    assertReferences(sandbox, scenario.data);
    assertApplicable(sandbox, scenario, placing);
  });
  if (moves) storeDay(world.store, day);
  setClock(world.clock, scenario.clock);
  world.random.reseed(seed);
  applyRules(sandbox, scenario, placing);
}

/** Rebuilds the start state (which `reset` restores) from base data and scenario. The current state does not change. */
export async function rebuildStart(sandbox: SandboxCore, scenario: Scenario | undefined): Promise<void> {
  const { start, baseSettings } = sandbox.getStoredState();
  const copy = new SandboxCore(
    sandbox.copy(sandbox.id, { present: start, start, snapshots: [], taken: 0, baseSettings }),
  );
  try {
    returnToOrigin(copy);
    if (scenario !== undefined) await applyScenario(copy, scenario);
    sandbox.setStart(copy.captureState());
  } finally {
    copy.end();
  }
}

/** Applies only the rules and settings of a scenario, not its data and clock. */
export function applyRules(sandbox: SandboxCore, scenario: Scenario, placing: Placement = "instead"): void {
  assertApplicable(sandbox, scenario, placing);
  const { name, title, isPreset, expect, settings, rules } = scenario;
  const data = scenario.data.map(({ environment: { key: environment }, collection, change }) => {
    return { environment, collection, change };
  });
  sandbox.ruleSet.load({ name, title, isPreset, expect, settings, rules, data }, placing); // Can throw, so the settings change later.
  sandbox.changeSettings(buildSettings(scenario, sandbox, placing));
}

/** Throws a UsageError for rules with an unknown user, or with a fault that the runtime cannot inject. */
function assertApplicable(sandbox: SandboxCore, scenario: Scenario, placing: Placement): void {
  const { world, services } = sandbox;
  const settings = buildSettings(scenario, sandbox, placing);
  scenario.checkRules((rule) => {
    const issues = checkUser(rule.when, services, (service, environment) =>
      service.callers?.(world, environment, settings[service.name]),
    );
    return [...prefixIssues(["when"], issues), ...checkFaults(rule, sandbox.faults)];
  });
}

/** Merges the scenario's settings into the base settings, or into the current settings if `placing` is `onTop`. */
function buildSettings({ settings }: Scenario, sandbox: SandboxCore, placing: Placement): Settings {
  const below = placing === "onTop" ? sandbox.settings : sandbox.baseSettings;
  return mergeSettings(sandbox.services, below, settings);
}

function applyChange(
  sandbox: SandboxCore,
  { service, environment, collection, change, anchor }: CollectionChange,
  generated: readonly Entity[] | undefined,
  day: CalendarDate,
): void {
  const target = sandbox.collection(service, environment, collection);
  const move = (entities: readonly unknown[]): readonly unknown[] => {
    if (anchor === undefined) return entities;
    const section = { [collection]: entities as readonly Entity[] }; // Safe cast: checkData() validated the entities.
    return service.rebase({ anchor, collections: section }, day).collections[collection] ?? [];
  };
  if (generated !== undefined) target.replace(generated);
  if (change.replace !== undefined) target.replace(move(change.replace));
  if (change.upsert !== undefined) target.upsert(move(change.upsert));
  if (change.remove !== undefined) target.remove(change.remove);
}

/** Generates entities of one collection with faker. */
async function generateEntities(
  { service, environment, collection, change }: CollectionChange,
  seed: number,
  anchor: CalendarDate,
): Promise<readonly Entity[]> {
  const count = change.generate ?? 0;
  const counts = { [collection]: count };
  const { collections } = await service.generate({ seed, environment: environment.key, anchor, counts });
  return (collections[collection] ?? []).slice(0, count);
}

/** Throws a UsageError if an entity of the scenario refers to a missing entity. Removes other entities with such a reference. */
function assertReferences(sandbox: SandboxCore, changes: readonly CollectionChange[]): void {
  const touched = new Map(changes.map(({ service, environment }) => [environment, service]));
  for (const [environment, service] of touched) {
    for (const [name, { references = {}, key }] of Object.entries(service.collections)) {
      const collection = sandbox.collection(service, environment, name);
      const written = new Set(
        changes
          .filter((change) => change.environment === environment && change.collection === name)
          .flatMap(({ change }) => [...(change.replace ?? []), ...(change.upsert ?? [])])
          .map((entity) => key(entity as Entity)), // Safe cast: checkData() validated the entity.
      );
      for (const [field, to] of Object.entries(references)) {
        const targets = sandbox.collection(service, environment, to);
        const lost = collection.all().filter((entity) => targets.get(String(entity[field])) === undefined);
        const broken = lost.find((entity) => written.has(key(entity)));
        if (broken !== undefined)
          throw new UsageError(
            "badScenario",
            `${environment.key}.${name}: ${field} ${JSON.stringify(broken[field])} does not exist in ${environment.key}.${to}.`,
            { pointer: `/data/${environment.key}/${name}` },
          );
        collection.remove(lost.map(key));
      }
    }
  }
}
