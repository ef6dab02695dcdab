/** Schemas of texts that a parser reads: what it does not accept is refused in the parser's own words everywhere. */

import { z } from "zod";
import { parseDuration } from "../world/time.ts";

/** A text that `parse` accepts. */
export function textFor(parse: (text: string) => unknown) {
  return z.string().superRefine((text, context) => {
    try {
      parse(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: (error as Error).message }); // parsers throw UsageErrors alone
    }
  });
}

export const duration = textFor(parseDuration);
