/**
 * What the names in a scenario's settings and data refer to: settings, environments, collections and entities
 * are checked against the services before anything is changed.
 */

import type { z } from "zod";
import { fieldsAt } from "../operation/fields.ts";
import type { Path } from "../operation/path.ts";
import { type Environment, findEnvironment, type Service } from "../operation/service.ts";
import { check, unknownIssue, validate } from "../operation/validate.ts";
import { unknownName } from "../world/nearest.ts";
import { type Refuse, readAll, refuseIssues } from "./complaint.ts";
import type { DataChange } from "./schema.ts";

/** Settings of one service, to be merged into the current ones. */
export function checkSettings(
  name: string,
  settings: unknown,
  services: readonly Service[],
  refuse: Refuse,
): void {
  const service = serviceOf(name, services, refuse);
  const { issues } = check(service.settings, settings);
  if (issues !== undefined) refuseIssues(issues, ["settings", name], refuse);
}

/** What is done to one collection, and where. */
export type CollectionChange = {
  readonly service: Service;
  readonly environment: Environment;
  readonly collection: string;
  readonly change: DataChange;
};

export function checkData(
  key: string,
  changes: Readonly<Record<string, DataChange>>,
  services: readonly Service[],
  refuse: Refuse,
): CollectionChange[] {
  const { service, environment } = placeOf(key, services, refuse);
  const read = ([collection, change]: [string, DataChange]): CollectionChange => {
    const definition = Object.hasOwn(service.collections, collection)
      ? service.collections[collection]
      : undefined;
    if (definition === undefined) {
      const known = Object.keys(service.collections);
      return refuse(
        unknownName(`collection of ${service.name}`, collection, known),
        ["data", key, collection],
        "key",
      );
    }
    readAll(
      (["replace", "upsert"] as const).map((verb) => () => {
        checkEntities(change[verb] ?? [], definition.schema, ["data", key, collection, verb], refuse);
      }),
    );
    return { service, environment, collection, change };
  };
  return readAll(Object.entries(changes).map((entry) => () => read(entry)));
}

/** Refuses names under `settings` and `data` that do not exist, whatever is nested in them. */
export function checkNames(value: unknown, services: readonly Service[], refuse: Refuse): void {
  readAll([
    ...keysOf(value, "settings").map((name) => () => serviceOf(name, services, refuse)),
    ...keysOf(value, "data").map((key) => () => placeOf(key, services, refuse)),
  ]);
}

function keysOf(value: unknown, field: "settings" | "data"): string[] {
  const { [field]: part } = (value ?? {}) as { readonly settings?: unknown; readonly data?: unknown }; // it may be any value
  return typeof part === "object" && part !== null && !Array.isArray(part) ? Object.keys(part) : [];
}

function serviceOf(name: string, services: readonly Service[], refuse: Refuse): Service {
  const service = services.find((one) => one.name === name);
  if (service !== undefined) return service;
  const owner = services.find(({ settings }) => fieldsAt(settings, []).includes(name));
  const names = services.map((one) => one.name);
  return refuse(
    owner === undefined ? unknownName("service", name, names) : belongs("setting", name, owner.name),
    ["settings", name],
    "key",
  );
}

type DataPlace = Pick<CollectionChange, "service" | "environment">;

function placeOf(key: string, services: readonly Service[], refuse: Refuse): DataPlace {
  const places = services.flatMap((service) =>
    service.environments.map((environment): DataPlace => ({ service, environment })),
  );
  const environments = places.map(({ environment }) => environment);
  const named = findEnvironment(environments, key);
  const place = places.find(({ environment }) => environment === named);
  if (place !== undefined) return place;
  const owner = places.find(({ service }) => Object.hasOwn(service.collections, key));
  const keys = environments.map((environment) => environment.key);
  return refuse(
    owner === undefined
      ? unknownName("environment", key, keys)
      : belongs("collection", key, owner.environment.key),
    ["data", key],
    "key",
  );
}

function belongs(kind: string, name: string, place: string): string {
  return `The ${kind} ${JSON.stringify(name)} belongs in ${JSON.stringify(place)}.`;
}

function checkEntities(entities: readonly unknown[], schema: z.ZodType, base: Path, refuse: Refuse): void {
  const checkEntity = (entity: unknown, index: number): void => {
    const { issues = [], unknown } = validate(schema, entity);
    const all = [...issues, ...unknown.map((name) => unknownIssue(name, schema))];
    if (all.length > 0) refuseIssues(all, [...base, index], refuse);
  };
  readAll(entities.map((entity, index) => () => checkEntity(entity, index)));
}
