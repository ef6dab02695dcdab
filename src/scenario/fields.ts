// Owns which fields a schema has at a place, and where a field belongs that stands in another.

import type { z } from "zod";
import type { Path } from "./source.ts";

/** Names of the fields that a schema has at a path inside it. */
export function fieldsAt(schema: z.ZodType, path: Path): string[] {
  let at: Schema | undefined = unwrap(schema as Schema); // read by its definition, whatever its kind
  for (const part of path) at = unwrap(at?.shape?.[part] ?? at?.element ?? at?.valueType);
  return Object.keys(at?.shape ?? {});
}

/** What schemas of any kind may have; objects have a shape, lists an element, defaults an inner type. */
type Schema = {
  readonly shape?: Readonly<Record<string | number, Schema>>;
  readonly element?: Schema;
  readonly valueType?: Schema;
  readonly options?: readonly Schema[];
  readonly def?: { readonly innerType?: Schema };
};

function unwrap(schema: Schema | undefined): Schema | undefined {
  const inner = schema?.def?.innerType;
  if (inner !== undefined) return unwrap(inner);
  if (schema?.options === undefined) return schema;
  return { shape: Object.assign({}, ...schema.options.map((option) => unwrap(option)?.shape)) };
}

/**
 * Where a field belongs that the object at `path` does not have: in one of that object's own members, or beside or in a
 * member of the object around it. Undefined when neither has such a field.
 */
export function homeOf(field: string, schema: z.ZodType, path: Path): string | undefined {
  const within = memberWith(field, schema, path);
  if (within !== undefined) return `in ${JSON.stringify(within)}`;
  const depth = path.findLastIndex((part) => typeof part === "string");
  const place = path[depth];
  if (place === undefined || place === field) return undefined;
  const around = path.slice(0, depth);
  if (fieldsAt(schema, around).includes(field)) return `beside ${JSON.stringify(place)}`;
  const member = memberWith(field, schema, around);
  return member === undefined ? undefined : `in ${JSON.stringify(member)}, beside ${JSON.stringify(place)}`;
}

/** The first member of the object at `path` that is an object with such a field. */
export function memberWith(field: string, schema: z.ZodType, path: Path): string | undefined {
  return fieldsAt(schema, path).find((member) => fieldsAt(schema, [...path, member]).includes(field));
}
