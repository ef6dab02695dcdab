/**
 * Messages for values that a schema refuses, where the schema has none of its own. Each reads as the end of a
 * sentence that begins with the field: `is required`, `must be a string, not a number`.
 */

import type { z } from "zod";
import { FloatLiteral } from "./json.ts";

/** For `safeParse(value, { error: inWords })`. */
export function inWords(issue: z.core.$ZodRawIssue): string {
  const { input } = issue;
  switch (issue.code) {
    case "invalid_type":
      return input === undefined
        ? "is required"
        : `must be ${withArticle(issue.expected)}, not ${kindOf(input)}`;
    case "invalid_value":
      return `must be ${orList(issue.values.map((value) => JSON.stringify(value)))}${input === undefined ? "" : `, not ${shown(input)}`}`;
    case "unrecognized_keys":
      return `has an unknown field ${orList(issue.keys.map((key) => JSON.stringify(key)))}`;
    case "too_small":
      return `must ${measure(issue.origin)} ${issue.inclusive === false ? "more than" : "at least"} ${unit(issue.minimum, issue.origin)}`;
    case "too_big":
      return `must ${measure(issue.origin)} ${issue.inclusive === false ? "less than" : "at most"} ${unit(issue.maximum, issue.origin)}`;
    case "invalid_union": {
      if (input === undefined) return "is required";
      const kinds = issue.errors.flatMap(([first]) =>
        first?.code === "invalid_type" ? [withArticle(first.expected)] : [],
      );
      return kinds.length === 0
        ? "does not match any allowed form"
        : `must be ${orList([...new Set(kinds)])}, not ${kindOf(input)}`;
    }
    default:
      return "is not valid";
  }
}

function measure(origin: string): string {
  return ["string", "array"].includes(origin) ? "have" : "be";
}

function unit(count: number | bigint, origin: string): string {
  const [one, many] = origin === "string" ? ["character", "characters"] : ["item", "items"];
  return measure(origin) === "be" ? String(count) : `${count} ${Number(count) === 1 ? one : many}`;
}

/** `a, b or c` */
export function orList(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

/** `a string`, `an object`; schemas have their own names for some types. */
export function withArticle(type: string): string {
  const name = { int: "integer", record: "object" }[type] ?? type;
  if (name === "null") return name;
  return /^[aeio]/.test(name) ? `an ${name}` : `a ${name}`;
}

function kindOf(value: unknown): string {
  return withArticle(jsonType(value));
}

function shown(value: unknown): string {
  return typeof value === "object" && value !== null ? kindOf(value) : JSON.stringify(value);
}

/** The JSON type of a value: `null`, `array`, `object`, `string`, `number`, `boolean`. */
export function jsonType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return value instanceof FloatLiteral ? "number" : typeof value;
}
