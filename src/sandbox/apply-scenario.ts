/** Applies a scenario (clock, settings, data, rules) to a sandbox, or nothing if it does not fit the data. */

import { issuesUnder } from "../operation/issue.ts";
import { callerIssues } from "../rules/check-matcher.ts";
import { isOffset } from "../rules/primitives.ts";
import type { Placing } from "../rules/rules.ts";
import type { CollectionChange } from "../scenario/check-data.ts";
import type { Scenario, ServiceSettings } from "../scenario/scenario.ts";
import { Clock } from "../world/clock.ts";
import type { Entity } from "../world/store.ts";
import { type CalendarDate, toDate } from "../world/time.ts";
import { UsageError } from "../world/usage-error.ts";
import { moveBaseData, noteDay } from "./origin.ts";
import type { Sandbox } from "./sandbox.ts";
import type { Settings } from "./sandbox-state.ts";

/** Sets the clock as a scenario specifies. */
export function setClock(clock: Clock, wanted: Scenario["clock"]): void {
  if (wanted === undefined) return;
  const { at, mode = "frozen" } = wanted;
  if (isOffset(at)) clock.offset(at);
  else clock.set(at);
  if (mode === "frozen") clock.freeze();
  else clock.resume();
}

/** Applies a whole scenario to the present state. Rules added at run time stay ahead of its rules. */
export async function applyScenario(
  sandbox: Sandbox,
  scenario: Scenario,
  placing: Placing = "instead",
): Promise<void> {
  const { world } = sandbox;
  sandbox.rules.expectRoom(scenario.rules, placing);
  const clock = new Clock(world.wall, world.clock.state);
  setClock(clock, scenario.clock);
  const seed = scenario.seed ?? world.random.seed;
  const day = toDate(clock.now());
  const made = new Map<CollectionChange, readonly Entity[]>();
  for (const change of scenario.data)
    if (change.change.generate !== undefined) made.set(change, await generate(change, seed, day));
  const moves = scenario.clock !== undefined && scenario.clock.rebase !== false;
  world.store.transaction(() => {
    if (moves) moveBaseData(world.store, sandbox.baseData, day);
    for (const change of scenario.data) apply(sandbox, change, made.get(change));
    checkReferences(sandbox, scenario.data);
    checkUsers(sandbox, scenario, placing);
  });
  if (moves) noteDay(world.store, day);
  setClock(world.clock, scenario.clock);
  world.random.reseed(seed);
  applyRules(sandbox, scenario, placing);
}

/** Applies rules and settings only; data and clock stay as they are. */
export function applyRules(sandbox: Sandbox, scenario: Scenario, placing: Placing = "instead"): void {
  checkUsers(sandbox, scenario, placing);
  const { name, title, expect, rules } = scenario;
  const data = scenario.data.map(({ environment: { key }, collection, change }) => {
    return { environment: key, collection, change };
  });
  sandbox.rules.load({ name, title, expect, rules, data }, placing); // first: it may refuse
  sandbox.changeSettings(mergedSettings(sandbox, scenario.settings, placing));
}

/** Refuses a rule for a user whom neither the world nor the scenario's own data knows. */
function checkUsers(sandbox: Sandbox, scenario: Scenario, placing: Placing): void {
  const { world, services } = sandbox;
  const settings = mergedSettings(sandbox, scenario.settings, placing);
  scenario.checkRules(({ when }) => {
    const issues = callerIssues(when, services, (service, environment) =>
      service.callers?.(world, environment, settings[service.name]),
    );
    return issuesUnder(["when"], issues);
  });
}

/** The sandbox's base settings, or on top those in force, with the scenario's merged into them. */
function mergedSettings(sandbox: Sandbox, changes: readonly ServiceSettings[], placing: Placing): Settings {
  return Object.fromEntries(
    sandbox.services.map((service) => {
      const own = changes.filter((change) => change.service === service.name).map(({ settings }) => settings);
      const below = placing === "onTop" ? sandbox.settingsOf(service) : sandbox.baseSettings[service.name];
      const given = own.reduce<unknown>(merge, below);
      return [service.name, service.settings.parse(given)];
    }),
  );
}

/** Merges objects field by field; anything else replaces the base. Only own keys are read. */
function merge(base: unknown, change: unknown): unknown {
  if (!isRecord(base) || !isRecord(change)) return change;
  const entries = Object.entries(change).map(([key, value]) => [
    key,
    Object.hasOwn(base, key) ? merge(base[key], value) : value,
  ]);
  return { ...base, ...Object.fromEntries(entries) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function apply(sandbox: Sandbox, written: CollectionChange, made: readonly Entity[] | undefined): void {
  const { service, environment, collection, change } = written;
  const target = sandbox.collection(service, environment, collection);
  if (made !== undefined) target.replace(made);
  if (change.replace !== undefined) target.replace(change.replace);
  if (change.upsert !== undefined) target.upsert(change.upsert);
  if (change.remove !== undefined) target.remove(change.remove);
}

/** New entities of one collection, generated by faker. */
async function generate(
  { service, environment, collection, change }: CollectionChange,
  seed: number,
  anchor: CalendarDate,
): Promise<readonly Entity[]> {
  const count = change.generate ?? 0;
  const counts = { [collection]: count };
  const { collections } = await service.generate({ seed, environment: environment.key, anchor, counts });
  return (collections[collection] ?? []).slice(0, count);
}

/**
 * What a scenario writes must refer to existing entities. Base data that refers to entities the scenario removed is
 * removed with them, as it would be in the real services.
 */
function checkReferences(sandbox: Sandbox, changes: readonly CollectionChange[]): void {
  const touched = new Map(
    changes.map(({ service, environment }) => [environment.key, { service, environment }]),
  );
  for (const { service, environment } of touched.values()) {
    for (const [name, { references = {}, key }] of Object.entries(service.collections)) {
      const collection = sandbox.collection(service, environment, name);
      const written = new Set(
        changes
          .filter((change) => change.environment === environment && change.collection === name)
          .flatMap(({ change }) => [...(change.replace ?? []), ...(change.upsert ?? [])])
          .map((entity) => key(entity as Entity)), // checked against the collection's schema, which is an object
      );
      for (const [field, to] of Object.entries(references)) {
        const targets = sandbox.collection(service, environment, to);
        const lost = collection.all().filter((entity) => targets.get(String(entity[field])) === undefined);
        const wrong = lost.find((entity) => written.has(key(entity)));
        if (wrong !== undefined)
          throw new UsageError(
            "badScenario",
            `${environment.key}.${name}: ${field} ${JSON.stringify(wrong[field])} does not exist in ${environment.key}.${to}.`,
            { pointer: `/data/${environment.key}/${name}` },
          );
        collection.remove(lost.map(key));
      }
    }
  }
}
