/** Declares and lists the settings of services. */

import { z } from "zod";
import type { JsonSchema, Service } from "./service.ts";

/** A setting: its path, which begins with the service, and its JSON Schema with default and description. */
export type Setting = { readonly path: readonly string[]; readonly schema: JsonSchema };

/** Lists every setting of a service, also the settings inside groups. */
export function listSettings({ name, settings }: Service): readonly Setting[] {
  return collectSettings([name], z.toJSONSchema(settings, { io: "input" }));
}

function collectSettings(path: readonly string[], schema: JsonSchema): readonly Setting[] {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>; // Safe cast: JSON Schema defines it.
  return Object.entries(properties).flatMap(([name, field]) => {
    const own = [...path, name];
    return field["type"] === "object" ? collectSettings(own, field) : [{ path: own, schema: field }];
  });
}

/** A boolean setting that is false by default. */
export function createFlag(description: string) {
  return z.boolean().default(false).describe(description);
}

/** A setting with one of several values. Default: the first. */
export function createChoice<const T extends string | number>(values: readonly [T, ...T[]], about: string) {
  const preset = values[0] as never; // Safe cast: T is never undefined, which zod's type cannot express.
  return z.literal(values).default(preset).describe(about);
}
