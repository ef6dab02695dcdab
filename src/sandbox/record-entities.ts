/** Whether the entities of a record are those that the services keep: their collections, their fields, their keys. */

import { z } from "zod";
import { issuesUnder, type ValidationIssue } from "../operation/issue.ts";
import type { Path } from "../operation/path.ts";
import type { CollectionDefinition, Service } from "../operation/service.ts";
import { check } from "../operation/validate.ts";
import { MAILBOX } from "../world/mailbox.ts";
import { unknownName } from "../world/nearest.ts";
import { once } from "../world/once.ts";
import type { LayerTable, MomentRecord } from "../world/record.ts";

type Known = { readonly schema: z.ZodType; readonly key?: CollectionDefinition["key"] | undefined };

export function entityIssues(
  layers: LayerTable,
  moments: readonly { readonly path: Path; readonly moment: MomentRecord }[],
  services: readonly Service[],
): readonly ValidationIssue[] {
  const known = knownCollections(services);
  const seen = new Set<string>();
  return moments.flatMap(({ path, moment }) =>
    Object.entries(moment.collections).flatMap(([name, top]) => {
      const definition = known.get(name);
      if (definition === undefined) {
        const message = unknownName("collection", name, [...known.keys()]);
        return [{ path: [...path, "collections", name], kind: "unknown" as const, message }];
      }
      return chainOf(layers, top).flatMap((id) => {
        const once = `${name} ${id}`;
        if (seen.has(once)) return [];
        seen.add(once);
        return layerIssues(id, layers, definition);
      });
    }),
  );
}

/** A layer and those below it. */
function chainOf(layers: LayerTable, top: string): readonly string[] {
  const ids: string[] = [];
  for (let id: string | undefined = top; id !== undefined; id = layers[id]?.parent) {
    if (ids.includes(id) || !Object.hasOwn(layers, id)) break;
    ids.push(id);
  }
  return ids;
}

function layerIssues(id: string, layers: LayerTable, { schema, key }: Known): readonly ValidationIssue[] {
  return (layers[id]?.entries ?? []).flatMap(([own, _order, entity], index) => {
    if (entity === undefined) return [];
    const path = ["layers", id, "entries", index];
    const { issues } = check(schema, entity);
    if (issues !== undefined) return issuesUnder([...path, 2], issues);
    const right = key?.(entity) ?? own;
    const message = `must be ${JSON.stringify(right)}, the key of its entity, not ${JSON.stringify(own)}`;
    return own === right ? [] : [{ path: [...path, 0], message }];
  });
}

/** By the name in the store. */
function knownCollections(services: readonly Service[]): ReadonlyMap<string, Known> {
  const known = new Map<string, Known>([[MAILBOX, { schema: MailSchema() }]]);
  for (const { environments, collections, records = {} } of services) {
    for (const { key } of environments) {
      for (const [name, definition] of Object.entries(collections)) known.set(`${key}/${name}`, definition);
      for (const [name, schema] of Object.entries(records)) known.set(`${key}/${name}`, { schema });
    }
  }
  return known;
}

export const MailSchema = once(() =>
  z.strictObject({
    id: z.string(),
    environment: z.string(),
    to: z.string(),
    subject: z.string(),
    text: z.string(),
    html: z.string(),
    at: z.string(),
    actionUuid: z.string(),
  }),
);
