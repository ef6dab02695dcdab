/** Reads and writes matchers as query parameters. Each value is text or JSON: `?status=404`, `?query={"page":2}`. */

import { z } from "zod";
import { UsageError } from "../errors/usage-error.ts";
import { toMatcher } from "../journal/read-matcher.ts";
import type { Matcher } from "../rules/grammar.ts";
import type { PartName } from "../rules/matcher.ts";

/** Matcher properties that are always parsed as JSON. Plain text stays unchanged, and the matcher's validation reports it. */
const JSON_PARTS: readonly string[] = ["body", "status", "after", "gone"];
/** Matcher properties that are never parsed as JSON: their value is always text. */
const TEXT_PARTS: readonly string[] = ["text", "since", "until"] satisfies readonly PartName[];

type QueryText = string | readonly string[];

/** Builds a query schema with an optional parameter for each property of `shape`. */
export function createQuerySchema<S extends Readonly<Record<string, z.ZodType>>>(shape: S) {
  const parameters = Object.entries(shape).map(([name, schema]) => {
    const value = z.string();
    const text = z.union([value, z.array(value)]) as z.ZodType<QueryText, QueryText>;
    return [name, text.optional().meta({ ...schema.meta(), id: undefined })] as const;
  });
  // Safe cast: each key of `shape` has a parameter.
  return Object.fromEntries(parameters) as { [K in keyof S]: z.ZodOptional<z.ZodType<QueryText, QueryText>> };
}

/** Converts query parameters to a matcher. Throws a UsageError if a value begins like JSON but is malformed. */
export function readMatcherQuery(query: { readonly [part: string]: QueryText | undefined }): Matcher {
  return Object.fromEntries(Object.entries(query).map(([part, text]) => [part, toValue(part, text)]));
}

export function writeMatcherQuery(matcher: Matcher | string): { readonly [part: string]: string } {
  const given = Object.entries(toMatcher(matcher)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([part, value]) => [part, toText(part, value)]));
}

function toValue(part: string, text: QueryText | undefined): unknown {
  if (typeof text !== "string" || TEXT_PARTS.includes(part)) return text;
  const isTyped = JSON_PARTS.includes(part);
  if (!isTyped && !/^[[{"]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    if (isTyped && !/^[[{"]/.test(text)) return text;
    const message = `${part} begins like JSON but is not valid JSON: write ${part}={"$exists":true}, or plain text.`;
    throw new UsageError("badOption", message, { pointer: `/${part}` });
  }
}

function toText(part: string, value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== "string" || JSON_PARTS.includes(part)) return JSON.stringify(value);
  return !TEXT_PARTS.includes(part) && /^[[{"]/.test(value) ? JSON.stringify(value) : value;
}
