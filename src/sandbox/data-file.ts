/**
 * Format of data files, which users can edit: a section for each environment with its collections. A base file also has
 * `anchor`, the reference day of its dates. A file that stores a world has a section `vitrine` with all other state.
 */

import { describeUnknown } from "../errors/nearest.ts";
import { quote } from "../errors/quote.ts";
import type { ValidationIssue } from "../operation/issue.ts";
import type { CollectionDefinition, Environment, Service } from "../operation/service.ts";
import { checkData, isRecord } from "../scenario/check-data.ts";
import { createLocator, throwErrors, toErrors } from "../scenario/scenario-errors.ts";
import type { JsonSource } from "../scenario/source.ts";
import { deepFreeze, type Entity } from "../world/store.ts";
import { createVersion, type Version } from "../world/versioned-map.ts";

/** Entities by environment and collection. */
export type DataSections = Readonly<Record<string, Readonly<Record<string, readonly Entity[]>>>>;

/** Collections by their name in the store, such as `museum/specialEvents`. */
export type DataVersions = ReadonlyMap<string, Version<Entity>>;

export type DataCollectionId = {
  readonly service: Service;
  readonly environment: Environment;
  readonly collection: string;
  readonly definition: CollectionDefinition;
  /** Name of the collection in the store: `museum/specialEvents`. */
  readonly id: string;
};

/** Lists the collections of all environments in the order of a data file. */
export function listCollections(services: readonly Service[]): readonly DataCollectionId[] {
  return services.flatMap((service) =>
    service.environments.flatMap((environment) =>
      Object.entries(service.collections).map(([collection, definition]) => {
        return { service, environment, collection, definition, id: `${environment.key}/${collection}` };
      }),
    ),
  );
}

/**
 * Reads the sections of a data file. Throws a UsageError with the location of each error. `others` lists valid members that
 * are not sections. If `before` (the data before an edit) is set, drops unchanged entities that refer to a removed entity.
 */
export function readSections(
  source: JsonSource,
  services: readonly Service[],
  others: readonly string[],
  before?: DataVersions,
): DataSections {
  const file: Readonly<Record<string, unknown>> = isRecord(source.value) ? source.value : {};
  const sections = Object.fromEntries(Object.entries(file).filter(([name]) => !others.includes(name)));
  const issues = isRecord(source.value)
    ? Object.entries(sections).flatMap(([key, section]) => checkSection(key, section, services, others))
    : [{ path: [], message: "A data file must be a JSON object." }];
  throwErrors(toErrors(issues, createLocator(source, "badData")));
  const schemas = new Map(listCollections(services).map(({ id, definition }) => [id, definition.schema]));
  // Safe cast: checkSection() validated each section. `parse` normalizes ids and times; `...entity` keeps the field order.
  const checked = mapLists(sections as DataSections, (list, id) =>
    list.map((entity) => ({ ...entity, ...(schemas.get(id)?.parse(entity) as Entity) })),
  );
  const read = before === undefined ? checked : dropOrphans(checked, before, services);
  // Accept broken references in a stored world, because `sandbox.data` does not check references.
  const known = before ?? (Object.hasOwn(file, "vitrine") ? toVersions(checked, services) : undefined);
  throwErrors(toErrors(checkKeys(read, services, known), createLocator(source, "badData")));
  return read;
}

function checkSection(
  key: string,
  section: unknown,
  services: readonly Service[],
  others: readonly string[],
): readonly ValidationIssue[] {
  const keys = services.flatMap(({ environments }) => environments.map((environment) => environment.key));
  if (!keys.includes(key))
    return [{ path: [key], kind: "unknown", message: describeUnknown("section", key, [...keys, ...others]) }];
  if (!isRecord(section)) return [{ path: [key], message: "must be an object of collections" }];
  const lists = Object.entries(section);
  const invalid = lists.filter(([, entities]) => !Array.isArray(entities));
  if (invalid.length > 0)
    return invalid.map(([name]) => ({ path: [key, name], message: "must be a list of entities" }));
  const changes = Object.fromEntries(lists.map(([name, entities]) => [name, { replace: entities }]));
  return checkData(key, changes as Parameters<typeof checkData>[1], services).map((issue) => {
    const [, , name = "", _replace, ...rest] = issue.path; // Example of a path: data, museum, tickets, replace, 0.
    return { ...issue, path: [key, name, ...rest] };
  });
}

type BrokenReference = Pick<DataCollectionId, "environment" | "collection" | "id"> & {
  readonly index: number;
  readonly key: string;
  readonly entity: Entity;
  readonly field: string;
  /** `to` is the name of the referenced collection. `target` is the key that does not exist in it. */
  readonly to: string;
  readonly target: string;
};

function findBrokenReferences(
  sections: DataSections,
  services: readonly Service[],
): readonly BrokenReference[] {
  return listCollections(services).flatMap(({ service, environment, collection, definition, id }) =>
    Object.entries(definition.references ?? {}).flatMap(([field, to]) => {
      const section = sections[environment.key] ?? {};
      const toKey = service.collections[to]?.key;
      const targets = new Set(toKey && section[to]?.map(toKey));
      return (section[collection] ?? []).flatMap((entity, index): BrokenReference[] => {
        const target = String(entity[field]);
        const key = definition.key(entity);
        return targets.has(target)
          ? []
          : [{ environment, collection, id, index, key, entity, field, to, target }];
      });
    }),
  );
}

function isUnchanged(known: DataVersions | undefined, id: string, key: string, entity: Entity): boolean {
  const value = known?.get(id)?.slots.get(key)?.value;
  return value !== undefined && JSON.stringify(value) === JSON.stringify(entity);
}

/** Removes entities that did not change in the edit, but refer to an entity that the edit removed. */
function dropOrphans(
  sections: DataSections,
  before: DataVersions,
  services: readonly Service[],
): DataSections {
  const orphans = findBrokenReferences(sections, services).filter((reference) => {
    const { environment, id, key, entity, to, target } = reference;
    const targetExisted = before.get(`${environment.key}/${to}`)?.slots.has(target) === true;
    return targetExisted && isUnchanged(before, id, key, entity);
  });
  const dropped = new Set(orphans.map(({ entity }) => entity));
  return mapLists(sections, (list) => list.filter((entity) => !dropped.has(entity)));
}

type Entities = readonly Entity[];

function mapLists(sections: DataSections, change: (list: Entities, id: string) => Entities): DataSections {
  return Object.fromEntries(
    Object.entries(sections).map(([key, section]) => {
      const lists = Object.entries(section).map(([name, list]) => [name, change(list, `${key}/${name}`)]);
      return [key, Object.fromEntries(lists)];
    }),
  );
}

/** Reports duplicate keys and broken references. Ignores the references of entities that are identical in `known`. */
function checkKeys(
  sections: DataSections,
  services: readonly Service[],
  known: DataVersions | undefined,
): readonly ValidationIssue[] {
  const duplicates = listCollections(services).flatMap(({ environment, collection, definition }) => {
    const seen = new Set<string>();
    return (sections[environment.key]?.[collection] ?? []).flatMap((entity, index): ValidationIssue[] => {
      const key = definition.key(entity);
      const path = [environment.key, collection, index];
      if (seen.has(key)) return [{ path, message: `The key ${quote(key)} occurs twice.` }];
      seen.add(key);
      return [];
    });
  });
  const broken = findBrokenReferences(sections, services).flatMap((reference): ValidationIssue[] => {
    const { environment, collection, id, index, key, entity, field, to, target } = reference;
    if (isUnchanged(known, id, key, entity)) return [];
    const message = `${quote(target)} does not exist in ${environment.key}.${to}.`;
    return [{ path: [environment.key, collection, index, field], message }];
  });
  return [...duplicates, ...broken];
}

/** Converts the sections of a data file to collections of the store. Keeps the order of the entities. */
export function toVersions(sections: DataSections, services: readonly Service[]): DataVersions {
  return new Map(
    listCollections(services).map(({ environment, collection, definition, id }) => {
      const entities = sections[environment.key]?.[collection] ?? [];
      const entries = entities.map((entity, index) => [definition.key(entity), index, entity] as const);
      return [id, createVersion(deepFreeze(entries))] as const;
    }),
  );
}
