/** A matcher in a query: each part is text, or JSON where it begins like JSON: `?status=404`, `?query={"page":2}`. */

import { z } from "zod";
import { UsageError } from "../errors/usage-error.ts";
import { toMatcher } from "../journal/read-matcher.ts";
import type { Matcher } from "../rules/grammar.ts";
import type { PartName } from "../rules/matcher.ts";

/** Always JSON; a text that is not stands for itself, and the matcher's own check says what is wrong. */
const JSON_PARTS: readonly string[] = ["body", "status", "after", "gone"];
/** Never JSON. */
const TEXT_PARTS: readonly string[] = ["text", "since", "until"] satisfies readonly PartName[];

type QueryText = string | readonly string[];

/** The schema of such a query, with a parameter for each part of this shape. */
export function createQuerySchema<S extends Readonly<Record<string, z.ZodType>>>(shape: S) {
  const parameters = Object.entries(shape).map(([name, schema]) => {
    const one = z.string();
    const text = z.union([one, z.array(one)]) as z.ZodType<QueryText, QueryText>; // read only
    return [name, text.optional().meta({ ...schema.meta(), id: undefined })] as const;
  });
  // One parameter for each of its own keys.
  return Object.fromEntries(parameters) as { [K in keyof S]: z.ZodOptional<z.ZodType<QueryText, QueryText>> };
}

/** Throws a UsageError for what begins like JSON and is not. */
export function readMatcherQuery(query: { readonly [part: string]: QueryText | undefined }): Matcher {
  return Object.fromEntries(Object.entries(query).map(([part, text]) => [part, toValue(part, text)]));
}

/** Without what is undefined. */
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
    const message = `${part} begins like JSON but is not: write ${part}={"$exists":true}, or plain text.`;
    throw new UsageError("badOption", message, { pointer: `/${part}` });
  }
}

function toText(part: string, value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== "string" || JSON_PARTS.includes(part)) return JSON.stringify(value);
  return !TEXT_PARTS.includes(part) && /^[[{"]/.test(value) ? JSON.stringify(value) : value;
}
