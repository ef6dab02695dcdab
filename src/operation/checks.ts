/** Checks of schemas that are functions of ours: what they find is an issue like any other. */

import { z } from "zod";
import { parseDuration } from "../world/time.ts";
import type { ValidationIssue } from "./issue.ts";

/** For `superRefine`: reports what `find` finds wrong. */
export function toRefinement<T>(find: (value: T) => readonly ValidationIssue[]) {
  return (value: T, context: z.core.$RefinementCtx<T>): void => {
    for (const { path, message } of find(value))
      context.addIssue({ code: "custom", path: [...path], message });
  };
}

/** A text that `parse` accepts; any other is refused in the parser's own words. */
export function createStringSchema(parse: (text: string) => unknown) {
  const find = (text: string): readonly ValidationIssue[] => {
    try {
      parse(text);
      return [];
    } catch (error) {
      return [{ path: [], message: (error as Error).message }]; // parsers throw UsageErrors alone
    }
  };
  return z.string().superRefine(toRefinement(find));
}

export const duration = createStringSchema(parseDuration);
