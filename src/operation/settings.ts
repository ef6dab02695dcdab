/** The kinds of settings that services have; each tells what it does, in the documents and to an editor. */

import { z } from "zod";
import type { JsonSchema, Service } from "./service.ts";

/** One setting: the names that lead to it, the service's first, and its JSON Schema with default and description. */
export type Setting = { readonly path: readonly string[]; readonly schema: JsonSchema };

/** Every setting of a service, those in groups one by one. */
export function listSettings({ name, settings }: Service): readonly Setting[] {
  return collectSettings([name], z.toJSONSchema(settings, { io: "input" }));
}

function collectSettings(path: readonly string[], schema: JsonSchema): readonly Setting[] {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>; // as JSON Schema defines it
  return Object.entries(properties).flatMap(([name, field]) => {
    const own = [...path, name];
    return field["type"] === "object" ? collectSettings(own, field) : [{ path: own, schema: field }];
  });
}

/** A switch that is off unless it is turned on. */
export function createFlag(description: string) {
  return z.boolean().default(false).describe(description);
}

/** One of several values; the first is the default. */
export function createChoice<const T extends string | number>(values: readonly [T, ...T[]], about: string) {
  const preset = values[0] as never; // not undefined, which the compiler cannot tell of any T
  return z.literal(values).default(preset).describe(about);
}
