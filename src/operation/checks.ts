/** Converts check functions to zod refinements and schemas. */

import { z } from "zod";
import { parseDuration } from "../world/time.ts";
import type { ValidationIssue } from "./issue.ts";

/** Creates a function for zod's `superRefine` that reports the issues that `find` returns. */
export function toRefinement<T>(find: (value: T) => readonly ValidationIssue[]) {
  return (value: T, context: z.core.$RefinementCtx<T>): void => {
    for (const { path, message } of find(value))
      context.addIssue({ code: "custom", path: [...path], message });
  };
}

/** Creates a schema for strings that `parse` accepts. If `parse` throws, its message becomes the issue. */
export function createStringSchema(parse: (text: string) => unknown) {
  const find = (text: string): readonly ValidationIssue[] => {
    try {
      parse(text);
      return [];
    } catch (error) {
      return [{ path: [], message: (error as Error).message }]; // Safe cast: `parse` throws only UsageErrors.
    }
  };
  return z.string().superRefine(toRefinement(find));
}

export const duration = createStringSchema(parseDuration);
