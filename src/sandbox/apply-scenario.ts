// Owns the laying of a scenario over a sandbox: clock, settings, data and rules. All of it or, when something does not
// fit the data that is there, nothing.

import { isOffset } from "../rules/primitives.ts";
import type { WrittenData } from "../rules/rules.ts";
import type { DataStep } from "../scenario/check-data.ts";
import type { Scenario, SettingsStep } from "../scenario/scenario.ts";
import { Clock } from "../world/clock.ts";
import type { Entity } from "../world/store.ts";
import { type CalendarDate, toDate } from "../world/time.ts";
import { UsageError } from "../world/usage-error.ts";
import { DataCollection } from "./data.ts";
import type { Sandbox, Settings } from "./sandbox.ts";

/** Sets the clock as a scenario wants it. */
export function setClock(clock: Clock, wanted: Scenario["clock"]): void {
  if (wanted === undefined) return;
  const { at, mode = "frozen" } = wanted;
  if (isOffset(at)) clock.offset(at);
  else clock.set(at);
  if (mode === "frozen") clock.freeze();
  else clock.resume();
}

/** Everything a scenario says, over the state that is there. Rules added at run time stay before its rules. */
export async function stage(sandbox: Sandbox, scenario: Scenario): Promise<void> {
  const { world } = sandbox;
  sandbox.rules.expectRoom(scenario.rules);
  const clock = new Clock(world.wall, world.clock.state);
  setClock(clock, scenario.clock);
  const seed = scenario.seed ?? world.random.seed;
  const made = new Map<DataStep, readonly Entity[]>();
  for (const step of scenario.data) {
    if (step.change.generate !== undefined) made.set(step, await generate(step, seed, toDate(clock.now())));
  }
  world.store.transaction(() => {
    for (const step of scenario.data) apply(sandbox, step, made.get(step));
    checkReferences(sandbox, scenario.data);
  });
  setClock(world.clock, scenario.clock);
  world.random.reseed(seed);
  stageRules(sandbox, scenario);
}

/** Rules and settings alone: the data and the clock stay as they are. */
export function stageRules(sandbox: Sandbox, scenario: Scenario): void {
  const { name, title, expect, rules, data } = scenario;
  sandbox.rules.load({ name, title, expect, rules, data: data.map(toWritten) }); // first: it may refuse
  sandbox.changeSettings(layered(sandbox, scenario.settings));
}

function toWritten({ environment: { key }, collection, change }: DataStep): WrittenData {
  return { environment: key, collection, change };
}

/** The settings that the sandbox was made with, and the scenario's over them. */
function layered(sandbox: Sandbox, steps: readonly SettingsStep[]): Settings {
  return Object.fromEntries(
    sandbox.services.map((service) => {
      const own = steps.filter((step) => step.service === service.name).map(({ settings }) => settings);
      const given = own.reduce<unknown>(lay, sandbox.baseSettings[service.name]);
      return [service.name, service.settings.parse(given)];
    }),
  );
}

/** Objects are laid over objects, field by field; anything else replaces what is there. Only own keys are read. */
function lay(beneath: unknown, above: unknown): unknown {
  if (!isRecord(beneath) || !isRecord(above)) return above;
  const entries = Object.entries(above).map(([key, value]): [string, unknown] => [
    key,
    Object.hasOwn(beneath, key) ? lay(beneath[key], value) : value,
  ]);
  return { ...beneath, ...Object.fromEntries(entries) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function apply(
  sandbox: Sandbox,
  { service, environment, collection, change }: DataStep,
  made: readonly Entity[] | undefined,
): void {
  const target = new DataCollection(sandbox.world, service, environment, collection);
  if (made !== undefined) target.replace(made);
  if (change.replace !== undefined) target.replace(change.replace);
  if (change.upsert !== undefined) target.upsert(change.upsert);
  if (change.remove !== undefined) target.remove(change.remove);
}

/** New entities of one collection, made with faker. */
async function generate(
  { service, environment, collection, change }: DataStep,
  seed: number,
  anchor: CalendarDate,
): Promise<readonly Entity[]> {
  const count = change.generate ?? 0;
  const counts = { [collection]: count };
  const { collections } = await service.generate({ seed, environment: environment.key, anchor, counts });
  return (collections[collection] ?? []).slice(0, count);
}

/**
 * What a scenario writes must find what it points to. Base data that points to what the scenario took away goes with
 * it, as it would where the data is kept.
 */
function checkReferences(sandbox: Sandbox, steps: readonly DataStep[]): void {
  const touched = new Map(
    steps.map(({ service, environment }) => [environment.key, { service, environment }]),
  );
  for (const { service, environment } of touched.values()) {
    for (const [name, { references = {}, key }] of Object.entries(service.collections)) {
      const collection = new DataCollection(sandbox.world, service, environment, name);
      const written = new Set(
        steps
          .filter((step) => step.environment === environment && step.collection === name)
          .flatMap(({ change }) => [...(change.replace ?? []), ...(change.upsert ?? [])])
          .map((entity) => key(entity as Entity)), // checked against the collection's schema, which is an object
      );
      for (const [field, to] of Object.entries(references)) {
        const targets = new DataCollection(sandbox.world, service, environment, to);
        const lost = collection.all().filter((entity) => targets.get(String(entity[field])) === undefined);
        const wrong = lost.find((entity) => written.has(key(entity)));
        if (wrong !== undefined) {
          throw new UsageError(
            "badScenario",
            `${environment.key}.${name}: ${field} ${JSON.stringify(wrong[field])} is none of ${environment.key}.${to}.`,
            { pointer: `/data/${environment.key}/${name}` },
          );
        }
        collection.remove(lost.map(key));
      }
    }
  }
}
