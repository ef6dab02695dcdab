/** Lists the fields that a schema allows at a path, and finds the correct place of a misplaced field. */

import type { z } from "zod";
import type { Path } from "../http/json-pointer.ts";

export function listFields(schema: z.ZodType, path: Path): string[] {
  let at: AnySchema | undefined = unwrap(schema as AnySchema); // Safe cast: AnySchema has only optional members.
  for (const part of path)
    at = unwrap(at?.shape?.[part] ?? at?.element ?? at?.valueType ?? at?.def?.catchall);
  return Object.keys(at?.shape ?? {});
}

/** A zod schema of any kind. Each kind has only some members: an object has a `shape`, an array has an `element`. */
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

/** Removes optional, nullable, default and pipe wrappers. */
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

/** Describes the place of an unknown field in the object at `path`: `in "a"`, `next to "b"`, or `in "a", next to "b"`. */
export function describeHome(field: string, schema: z.ZodType, path: Path): string | undefined {
  const within = findOwner(field, schema, path);
  if (within !== undefined) return `in ${JSON.stringify(within)}`;
  const depth = path.findLastIndex((part) => typeof part === "string");
  const name = path[depth];
  if (name === undefined || name === field) return undefined;
  const outer = path.slice(0, depth);
  if (listFields(schema, outer).includes(field)) return `next to ${JSON.stringify(name)}`;
  const member = findOwner(field, schema, outer);
  return member === undefined ? undefined : `in ${JSON.stringify(member)}, next to ${JSON.stringify(name)}`;
}

/** Returns the first member of the object at `path` whose own fields include `field`. */
function findOwner(field: string, schema: z.ZodType, path: Path): string | undefined {
  return listFields(schema, path).find((member) => listFields(schema, [...path, member]).includes(field));
}
