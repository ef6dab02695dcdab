/** Fills a world with base data. Reads and writes collections by name. */

import type { z } from "zod";
import { readText } from "../errors/arguments.ts";
import { getMember } from "../errors/nearest.ts";
import { quote } from "../errors/quote.ts";
import { UsageError } from "../errors/usage-error.ts";
import { formatPath, toPointer } from "../http/json-pointer.ts";
import type { CollectionDefinition, Environment, Service } from "../operation/service.ts";
import { check } from "../operation/validate.ts";
import { formatIssue } from "../operation/wording.ts";
import { toNameKey } from "../world/identities.ts";
import type { Entity, Store, StoreCollection } from "../world/store.ts";
import type { World } from "../world/world.ts";
import type { DataSections } from "./data-file.ts";

function toStoreName(environment: Environment, collection: string): string {
  return `${environment.key}/${collection}`;
}

/** Writes entities into a store without validation. */
export function fillStore(
  store: Store,
  service: Service,
  environment: Environment,
  section: DataSections[string],
): void {
  for (const [name, entities] of Object.entries(section)) {
    const collection = store.collection<Entity>(toStoreName(environment, name));
    const { key } = findDefinition(service, name);
    for (const entity of entities) collection.set(key(entity), entity);
  }
}

export type EnvironmentData<C extends Readonly<Record<string, CollectionDefinition>>> = {
  readonly [K in keyof C]: DataCollection<z.output<C[K]["schema"]> & Entity>;
};

/** Creates an accessor for each collection of the environment `key`. `key` defaults to the name of the service. */
export function createCollections<C extends Readonly<Record<string, CollectionDefinition>>>(
  world: World,
  service: Service,
  definitions: C,
  key: string = service.name,
): EnvironmentData<C> {
  const environment = service.environments.find((each) => each.key === key);
  if (environment === undefined) throw new Error(`${service.name} has no environment ${key}`);
  const names = Object.keys(definitions);
  const entries = names.map((name) => [name, new DataCollection(world, service, environment, name)]);
  return Object.fromEntries(entries) as EnvironmentData<C>; // Safe cast: `entries` has each key of `definitions`.
}

/** A collection for tests and the control API. Validates every entity against the schema of the service before a write. */
export class DataCollection<T extends Entity = Entity> {
  readonly #definition: CollectionDefinition;
  readonly #collection: StoreCollection<T>;
  readonly #label: string;

  constructor(world: World, service: Service, environment: Environment, name: string) {
    this.#definition = findDefinition(service, name);
    this.#collection = world.store.collection<T>(toStoreName(environment, name));
    this.#label = `${environment.key}.${name}`;
  }

  all(): readonly T[] {
    return this.#collection.all();
  }

  get(key: string): T | undefined {
    return this.#collection.get(toNameKey(readText(key, "key")));
  }

  upsert(entities: unknown): void {
    for (const entity of this.#checked([entities].flat()))
      this.#collection.set(this.#definition.key(entity), entity);
  }

  replace(entities: unknown): void {
    const checked = this.#checked([entities].flat());
    this.#collection.clear();
    for (const entity of checked) this.#collection.set(this.#definition.key(entity), entity);
  }

  remove(given: string | readonly string[]): void {
    const keys = [given].flat();
    for (const [at, key] of keys.entries()) {
      if (this.get(key) === undefined)
        throw new UsageError("badData", `No entity ${quote(key)} in ${this.#label}.`, { pointer: `/${at}` });
    }
    for (const key of keys) this.#collection.remove(toNameKey(key));
  }

  #checked(entities: readonly unknown[]): T[] {
    return entities.map((entity, index) => {
      const checked = check(this.#definition.schema, entity);
      if (checked.issues === undefined) return checked.value as T; // Safe cast: T is the output type of this schema.
      const [issue = { path: [], message: "is not valid" }] = checked.issues;
      const message = formatIssue(issue, formatPath(issue.path) || "the entity");
      const pointer = toPointer([index, ...issue.path]);
      throw new UsageError("badData", `${this.#label}: ${message}`, { pointer });
    });
  }
}

function findDefinition({ name: service, collections }: Service, name: string): CollectionDefinition {
  return getMember(collections, `collection of ${service}`, name);
}
