/** Which fields a schema has at a path inside it, and where a misplaced field belongs. */

import type { z } from "zod";
import type { Path } from "../http/json-pointer.ts";

/** Names of the fields that a schema has at a path inside it. */
export function fieldsAt(schema: z.ZodType, path: Path): string[] {
  let at: Schema | undefined = unwrap(schema as Schema); // read by its definition, whatever its kind
  for (const part of path) at = unwrap(at?.shape?.[part] ?? at?.element ?? at?.valueType);
  return Object.keys(at?.shape ?? {});
}

/** What schemas of any kind may have; objects have a shape, lists an element, defaults an inner type. */
export type Schema = {
  readonly shape?: Readonly<Record<string | number, Schema>>;
  readonly element?: Schema | undefined;
  readonly valueType?: Schema | undefined;
  readonly options?: readonly Schema[];
  readonly def?: { readonly type?: string; readonly innerType?: Schema; readonly in?: Schema };
};

/** The schema without optional, nullable, default and pipes. */
export function bare(schema: Schema | undefined): Schema | undefined {
  const inner = schema?.def?.innerType ?? schema?.def?.in;
  return inner === undefined ? schema : bare(inner);
}

function unwrap(schema: Schema | undefined): Schema | undefined {
  const inner = bare(schema);
  if (inner?.options === undefined) return inner;
  const options = inner.options.map(unwrap);
  return {
    shape: Object.assign({}, ...options.map((option) => option?.shape)),
    element: options.find((option) => option?.element !== undefined)?.element,
    valueType: options.find((option) => option?.valueType !== undefined)?.valueType,
  };
}

/**
 * Where a field belongs that the object at `path` does not have: in one of that object's own members, or next to
 * or in a member of the enclosing object. Undefined when neither has such a field.
 */
export function homeOf(field: string, schema: z.ZodType, path: Path): string | undefined {
  const within = memberWith(field, schema, path);
  if (within !== undefined) return `in ${JSON.stringify(within)}`;
  const depth = path.findLastIndex((part) => typeof part === "string");
  const place = path[depth];
  if (place === undefined || place === field) return undefined;
  const around = path.slice(0, depth);
  if (fieldsAt(schema, around).includes(field)) return `next to ${JSON.stringify(place)}`;
  const member = memberWith(field, schema, around);
  return member === undefined ? undefined : `in ${JSON.stringify(member)}, next to ${JSON.stringify(place)}`;
}

/** The first member of the object at `path` that is an object with such a field. */
function memberWith(field: string, schema: z.ZodType, path: Path): string | undefined {
  return fieldsAt(schema, path).find((member) => fieldsAt(schema, [...path, member]).includes(field));
}
