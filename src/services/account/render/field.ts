// Owns what kind of value a field of a schema holds, beneath everything that may be wrapped around it.

import { z } from "zod";

export type FieldKind = "integer" | "boolean" | "dateTime" | "string";

/** The schema beneath optional, nullable, default and pipes. */
export function beneath(field: unknown): unknown {
  if (field instanceof z.ZodPipe) return beneath(field.in);
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable || field instanceof z.ZodDefault)
    return beneath(field.unwrap());
  return field;
}

export function kindOf(field: unknown): FieldKind {
  const type = beneath(field);
  if (type instanceof z.ZodNumber) return "integer";
  if (type instanceof z.ZodBoolean) return "boolean";
  const wire = type instanceof z.ZodType ? z.globalRegistry.get(type)?.["wire"] : undefined;
  return (wire as { format?: unknown } | undefined)?.format === "date-time" ? "dateTime" : "string"; // `wire` is JSON Schema
}
