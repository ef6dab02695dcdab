/** Validates the settings and data of a scenario before the sandbox applies them, and merges settings. */

import type { z } from "zod";
import { describeUnknown } from "../errors/nearest.ts";
import { quote } from "../errors/quote.ts";
import type { Path } from "../http/json-pointer.ts";
import { listFields } from "../operation/fields.ts";
import { MAX_ISSUES, prefixIssues, type ValidationIssue } from "../operation/issue.ts";
import {
  type CollectionDefinition,
  findEnvironment,
  type Service,
  type ServiceEnvironment,
} from "../operation/service.ts";
import { check, createUnknownIssue, validate } from "../operation/validate.ts";
import type { DataChange, ScenarioFile } from "./schema.ts";

export function checkSettings(
  name: string,
  settings: unknown,
  services: readonly Service[],
): readonly ValidationIssue[] {
  const service = services.find((one) => one.name === name);
  if (service === undefined) return checkService(name, services);
  return prefixIssues(["settings", name], check(service.settings, settings).issues ?? []);
}

export type CollectionChange = ServiceEnvironment & {
  readonly collection: string;
  readonly change: DataChange;
  /** The reference day of the dates in the change. The sandbox moves them to its own day. */
  readonly anchor?: string | undefined;
};

type DataChanges = Readonly<Record<string, DataChange>>;

type ScenarioData = NonNullable<ScenarioFile["data"]>;

export function listSections({ anchor: _anchor, ...sections }: ScenarioData): [key: string, DataChanges][] {
  return Object.entries(sections as Readonly<Record<string, DataChanges>>); // Safe cast: only `anchor` has another type.
}

/** Lists the changes, one for each collection. Skips unknown environments, because `checkData` reports them. */
export function toCollectionChanges(data: ScenarioData, services: readonly Service[]): CollectionChange[] {
  return listSections(data).flatMap(([key, changes]) => {
    const target = findTarget(key, services);
    const { anchor } = data;
    if (target === undefined) return [];
    return Object.entries(changes).map(([collection, change]) => ({ ...target, collection, change, anchor }));
  });
}

export function checkData(
  key: string,
  changes: DataChanges,
  services: readonly Service[],
): readonly ValidationIssue[] {
  const target = findTarget(key, services);
  if (target === undefined) return checkEnvironment(key, services);
  const { name, collections } = target.service;
  return Object.entries(changes).flatMap(([collection, change]) => {
    const path = ["data", key, collection];
    const definition = Object.hasOwn(collections, collection) ? collections[collection] : undefined;
    return definition === undefined
      ? [toUnknownIssue(path, describeUnknown(`collection of ${name}`, collection, Object.keys(collections)))]
      : prefixIssues(path, checkEntities(change, definition));
  });
}

function checkEntities(change: DataChange, { schema }: CollectionDefinition): readonly ValidationIssue[] {
  const found: ValidationIssue[] = [];
  for (const verb of ["replace", "upsert"] as const)
    for (const [index, entity] of (change[verb] ?? []).entries()) {
      if (found.length >= MAX_ISSUES) return found;
      found.push(...prefixIssues([verb, index], checkEntity(entity, schema)));
    }
  return found;
}

function checkEntity(entity: unknown, schema: z.ZodType): readonly ValidationIssue[] {
  const { issues = [], unknown } = validate(schema, entity);
  return [...issues, ...unknown.slice(0, MAX_ISSUES).map((name) => createUnknownIssue(name, schema))];
}

/** Reports unknown services under `settings` and environments under `data`. The rest of `value` may be invalid. */
export function checkNames(value: unknown, services: readonly Service[]): readonly ValidationIssue[] {
  return [
    ...listKeys(value, "settings").flatMap((name) => checkService(name, services)),
    ...listKeys(value, "data").flatMap((key) => (key === "anchor" ? [] : checkEnvironment(key, services))),
  ];
}

function listKeys(value: unknown, field: "settings" | "data"): string[] {
  const { [field]: part } = (value ?? {}) as { readonly settings?: unknown; readonly data?: unknown }; // Safe cast: both are `unknown`.
  return isRecord(part) ? Object.keys(part) : [];
}

function listTargets(services: readonly Service[]): ServiceEnvironment[] {
  return services.flatMap((service) => service.environments.map((environment) => ({ service, environment })));
}

function findTarget(key: string, services: readonly Service[]): ServiceEnvironment | undefined {
  const environments = services.flatMap((service) => service.environments);
  const named = findEnvironment(environments, key);
  return listTargets(services).find(({ environment }) => environment === named);
}

function checkService(name: string, services: readonly Service[]): readonly ValidationIssue[] {
  const names = services.map((one) => one.name);
  if (names.includes(name)) return [];
  const owner = services.find(({ settings }) => listFields(settings, []).includes(name));
  const message =
    owner === undefined
      ? describeUnknown("service", name, names)
      : describeOwner("setting", name, owner.name);
  return [toUnknownIssue(["settings", name], message)];
}

function checkEnvironment(key: string, services: readonly Service[]): readonly ValidationIssue[] {
  if (findTarget(key, services) !== undefined) return [];
  const targets = listTargets(services);
  const owner = targets.find(({ service }) => Object.hasOwn(service.collections, key));
  const keys = targets.map(({ environment }) => environment.key);
  const message =
    owner === undefined
      ? describeUnknown("environment", key, keys)
      : describeOwner("collection", key, owner.environment.key);
  return [toUnknownIssue(["data", key], message)];
}

function describeOwner(kind: string, name: string, owner: string): string {
  return `The ${kind} ${quote(name)} belongs in ${JSON.stringify(owner)}.`;
}

function toUnknownIssue(path: Path, message: string): ValidationIssue {
  return { path, kind: "unknown", message };
}

/** Settings of one service, to merge into its base settings or current settings. */
export type ServiceSettings = {
  readonly service: string;
  readonly settings: Readonly<Record<string, unknown>>;
};

/** Returns the settings of all services by name: `below`, with `changes` merged into it in their order. */
export function mergeSettings(
  services: readonly Service[],
  below: Readonly<Record<string, unknown>>,
  changes: readonly ServiceSettings[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    services.map(({ name, settings: schema }) => {
      const own = changes.filter(({ service }) => service === name).map(({ settings }) => settings);
      return [name, schema.parse(own.reduce<unknown>(merge, below[name] ?? {}))];
    }),
  );
}

/** Merges two objects field by field. If one is not an object, `change` replaces `base`. Reads only own keys. */
function merge(base: unknown, change: unknown): unknown {
  if (!isRecord(base) || !isRecord(change)) return change;
  const merged = (key: string, value: unknown) =>
    Object.hasOwn(base, key) ? merge(base[key], value) : value;
  const entries = Object.entries(change).map(([key, value]) => [key, merged(key, value)]);
  return { ...base, ...Object.fromEntries(entries) };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
