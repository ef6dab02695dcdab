/** Which fields a schema has at a path inside it, and where a misplaced field belongs. */

import type { z } from "zod";
import type { Path } from "../http/json-pointer.ts";

export function listFields(schema: z.ZodType, path: Path): string[] {
  let at: AnySchema | undefined = unwrap(schema as AnySchema); // read by its definition, whatever its kind
  for (const part of path)
    at = unwrap(at?.shape?.[part] ?? at?.element ?? at?.valueType ?? at?.def?.catchall);
  return Object.keys(at?.shape ?? {});
}

/** What schemas of any kind may have; objects have a shape, lists an element, defaults an inner type. */
export type AnySchema = {
  readonly shape?: Readonly<Record<string | number, AnySchema>>;
  readonly element?: AnySchema | undefined;
  readonly valueType?: AnySchema | undefined;
  readonly options?: readonly AnySchema[];
  readonly def?: {
    readonly type?: string;
    readonly innerType?: AnySchema;
    readonly in?: AnySchema;
    readonly catchall?: AnySchema;
  };
};

/** The schema without optional, nullable, default and pipes. */
export function stripWrappers(schema: AnySchema | undefined): AnySchema | undefined {
  const inner = schema?.def?.innerType ?? schema?.def?.in;
  return inner === undefined ? schema : stripWrappers(inner);
}

function unwrap(schema: AnySchema | undefined): AnySchema | undefined {
  const inner = stripWrappers(schema);
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
export function describeHome(field: string, schema: z.ZodType, path: Path): string | undefined {
  const within = findOwner(field, schema, path);
  if (within !== undefined) return `in ${JSON.stringify(within)}`;
  const depth = path.findLastIndex((part) => typeof part === "string");
  const place = path[depth];
  if (place === undefined || place === field) return undefined;
  const around = path.slice(0, depth);
  if (listFields(schema, around).includes(field)) return `next to ${JSON.stringify(place)}`;
  const member = findOwner(field, schema, around);
  return member === undefined ? undefined : `in ${JSON.stringify(member)}, next to ${JSON.stringify(place)}`;
}

/** The first member of the object at `path` that is an object with such a field. */
function findOwner(field: string, schema: z.ZodType, path: Path): string | undefined {
  return listFields(schema, path).find((member) => listFields(schema, [...path, member]).includes(field));
}
