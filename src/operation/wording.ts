/** Formats validation issues as messages. */

import type { z } from "zod";
import { describeUnknown } from "../errors/nearest.ts";
import { quote } from "../errors/quote.ts";
import { FloatLiteral, LostNumber } from "../http/json.ts";
import type { Path } from "../http/json-pointer.ts";
import { describeHome, listFields } from "./fields.ts";
import { formatField, type ValidationIssue } from "./issue.ts";

export function formatIssue(issue: ValidationIssue, field: string = formatField(issue)): string {
  return isSentence(issue) ? issue.message : `${field} ${issue.message}.`;
}

/** Joins all messages. Messages that are not whole sentences form the first sentence: `a is required; b must be true.` */
export function formatIssues(issues: readonly ValidationIssue[]): string {
  const ends = issues.filter((issue) => !isSentence(issue));
  const first = ends.map((issue) => `${formatField(issue)} ${issue.message}`).join("; ");
  const others = issues.filter(isSentence).map(({ message }) => message);
  return [...(first === "" ? [] : [`${first}.`]), ...others].join(" ");
}

function isSentence({ message }: ValidationIssue): boolean {
  return /[.?]$/.test(message);
}

/** Describes where an unknown field belongs, or suggests a similar name. */
export function describeUnknownField(field: string, schema: z.ZodType, path: Path = []): string {
  const home = describeHome(field, schema, path);
  return home === undefined
    ? describeUnknown("field", field, listFields(schema, path))
    : `The field ${quote(field)} belongs ${home}.`;
}

/** Returns a message for an issue whose schema sets no message. `field` is the name of the field. */
export function describeIssue(issue: z.core.$ZodIssue, received: unknown, field: string): string {
  if (received === undefined) return "is required";
  switch (issue.code) {
    case "invalid_type":
      if (issue.expected === "number" && received instanceof LostNumber)
        return `must be a number that a 64-bit float can represent, not ${received.written}`;
      return issue.expected === "int"
        ? `must be a whole number, not ${describeValue(received)}`
        : `must be ${withArticle(issue.expected)}, not ${describeKind(received)}`;
    case "invalid_value": {
      const { values } = issue;
      if (values.length === 1 && values[0] === true) return "must be true or omitted";
      if (typeof received === "string" && values.length > 1)
        return describeUnknown(field, received, values.map(String));
      return `must be ${joinWithOr(values.map((value) => JSON.stringify(value)))}, not ${describeValue(received)}`;
    }
    case "too_small":
      return describeBound(issue.inclusive === false ? "more than" : "at least", issue.minimum, received);
    case "too_big":
      return describeBound(issue.inclusive === false ? "less than" : "at most", issue.maximum, received);
    case "invalid_union": {
      const kinds = issue.errors.flatMap(([first]) =>
        first?.code === "invalid_type" ? [withArticle(first.expected)] : [],
      );
      return kinds.length === 0
        ? "does not match any allowed form"
        : `must be ${joinWithOr([...new Set(kinds)])}, not ${describeKind(received)}`;
    }
    default:
      return "is not valid";
  }
}

function describeBound(relation: string, limit: number | bigint, received: unknown): string {
  if (typeof received !== "string" && !Array.isArray(received))
    return `must be ${relation} ${limit}, not ${describeValue(received)}`;
  const [singular, plural] = typeof received === "string" ? ["character", "characters"] : ["item", "items"];
  return `must have ${relation} ${limit} ${Number(limit) === 1 ? singular : plural}, not ${received.length}`;
}

/** Joins names: `a, b or c`. */
function joinWithOr(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

/** Adds the article to a JSON type: `an object`. Also converts zod's names, such as `record`. */
function withArticle(type: string): string {
  const name = { int: "integer", record: "object", tuple: "array" }[type] ?? type;
  if (name === "null") return name;
  return /^[aeio]/.test(name) ? `an ${name}` : `a ${name}`;
}

function describeKind(value: unknown): string {
  return typeof value === "number" && !Number.isFinite(value)
    ? String(value)
    : withArticle(getJsonType(value));
}

function describeValue(value: unknown): string {
  return typeof value === "object" && value !== null ? describeKind(value) : quote(value);
}

/** Returns the JSON type: `null`, `array`, `object`, `string`, `number` or `boolean`. */
export function getJsonType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return value instanceof FloatLiteral ? "number" : typeof value;
}
