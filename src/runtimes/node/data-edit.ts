/** Compares two versions of a data file and applies the differences to a world in one transaction. */

import type { Service } from "../../operation/service.ts";
import { type DataCollectionId, type DataVersions, listCollections } from "../../sandbox/data-file.ts";
import type { SandboxCore } from "../../sandbox/sandbox.ts";
import type { Entity } from "../../world/store.ts";
import { VersionedMap } from "../../world/versioned-map.ts";

/** An edited collection. `was` is its content before the edit, `is` its content after. */
type Edit = DataCollectionId & { readonly was: VersionedMap<Entity>; readonly is: VersionedMap<Entity> };

export function findEdits(
  before: DataVersions,
  after: DataVersions,
  services: readonly Service[],
): readonly Edit[] {
  const edits = listCollections(services).map((collection): Edit => {
    const [was, is] = [before.get(collection.id), after.get(collection.id)];
    return { ...collection, was: new VersionedMap(was), is: new VersionedMap(is) };
  });
  return edits.filter(({ was, is }) => JSON.stringify(was.values()) !== JSON.stringify(is.values()));
}

/** Applies the edits and the file's order of entities. Appends entities that the world has added since it last wrote the file. */
export function applyEdits(sandbox: SandboxCore, edits: readonly Edit[]): void {
  sandbox.world.store.transaction(() => {
    for (const { service, environment, collection, definition, was, is } of edits) {
      const present = sandbox.collection(service, environment, collection);
      const edited = is.keys().map((key) => (isEdited(key, was, is) ? is.get(key) : present.get(key)));
      const isNew = (key: string): boolean => (was.get(key) ?? is.get(key)) === undefined;
      const added = present.all().filter((entity) => isNew(definition.key(entity)));
      present.replace([...edited.filter((entity) => entity !== undefined), ...added]);
    }
  });
}

/** Summarizes the edits. Example: `museum/specialEvents: 1 changed, 2 added`. */
export function describeEdits(edits: readonly Edit[]): string {
  const parts = edits.map(({ id, was, is }) => {
    const edited = is.keys().filter((key) => isEdited(key, was, is));
    const added = edited.filter((key) => was.get(key) === undefined).length;
    const removed = was.keys().filter((key) => is.get(key) === undefined).length;
    const counts = Object.entries({ changed: edited.length - added, added, removed });
    const kinds = counts.filter(([, count]) => count > 0).map(([kind, count]) => `${count} ${kind}`);
    return `${id}: ${kinds.join(", ") || "reordered"}`;
  });
  return parts.join("; ");
}

function isEdited(key: string, was: VersionedMap<Entity>, is: VersionedMap<Entity>): boolean {
  return JSON.stringify(was.get(key)) !== JSON.stringify(is.get(key));
}
