// Owns what the names in a scenario's stage mean: settings, environments, collections and entities are held against the
// services before anything is changed.

import type { z } from "zod";
import { findEnvironment } from "../operation/environment.ts";
import type { Environment, Service } from "../operation/service.ts";
import { unknownName } from "../world/nearest.ts";
import { type Refuse, refuseIssues } from "./complaint.ts";
import { fieldsAt } from "./fields.ts";
import type { DataChange } from "./schema.ts";
import type { Path } from "./source.ts";

/** Settings of one service, laid over what is there. */
export function checkSettings(
  name: string,
  settings: Readonly<Record<string, unknown>>,
  services: readonly Service[],
  refuse: Refuse,
): void {
  const service = services.find((one) => one.name === name);
  if (service === undefined) {
    const names = services.map((one) => one.name);
    refuse(unknownName("service", name, names), ["settings", name], "key");
  }
  const result = service.settings.safeParse(settings);
  if (!result.success)
    refuseIssues(result.error.issues, service.settings, settings, ["settings", name], refuse);
}

/** What is done to one collection, and where. */
export type DataStep = {
  readonly service: Service;
  readonly environment: Environment;
  readonly collection: string;
  readonly change: DataChange;
};

/** One change of data as it was written. */
export type WrittenData = Pick<DataStep, "collection" | "change"> & { readonly environment: string };

export function toWritten({ environment: { key }, collection, change }: DataStep): WrittenData {
  return { environment: key, collection, change };
}

export function checkData(
  key: string,
  changes: Readonly<Record<string, DataChange>>,
  services: readonly Service[],
  refuse: Refuse,
): DataStep[] {
  const places = services.flatMap((service) =>
    service.environments.map((environment) => ({ service, environment })),
  );
  const named = findEnvironment(
    places.map(({ environment }) => environment),
    key,
  );
  const place = places.find(({ environment }) => environment === named);
  if (place === undefined) {
    const keys = places.map(({ environment }) => environment.key);
    return refuse(unknownName("environment", key, keys), ["data", key], "key");
  }
  const { service, environment } = place;
  return Object.entries(changes).map(([collection, change]) => {
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
    for (const verb of ["replace", "upsert"] as const)
      checkEntities(change[verb] ?? [], definition.schema, ["data", key, collection, verb], refuse);
    return { service, environment, collection, change };
  });
}

function checkEntities(entities: readonly unknown[], schema: z.ZodType, base: Path, refuse: Refuse): void {
  for (const [index, entity] of entities.entries()) {
    const result = schema.safeParse(entity);
    if (!result.success) refuseIssues(result.error.issues, schema, entity, [...base, index], refuse);
    const known = fieldsAt(schema, []);
    const unknown = Object.keys(entity ?? {}).find((field) => !known.includes(field));
    if (unknown !== undefined) refuse(unknownName("field", unknown, known), [...base, index, unknown], "key");
  }
}
