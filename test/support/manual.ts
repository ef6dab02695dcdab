// The manual. Recipes have tests of their own.

import { readFile } from "node:fs/promises";

/** Pages whose blocks test/readme.test.ts runs. */
export const PAGES: readonly string[] = [
  "README.md",
  "docs/operations.md",
  "docs/assumptions.md",
  "docs/settings.md",
  "docs/scenarios.md",
  "docs/matchers.md",
  "docs/journal.md",
  "docs/time-and-worlds.md",
  "docs/data-files.md",
  "docs/control-api.md",
  "docs/command-line.md",
  "docs/glossary.md",
  "docs/recipes/cookbook.md",
];

export type Block = {
  readonly page: string;
  readonly language: string;
  readonly text: string;
  /** Where it begins in its page, from 1. */
  readonly line: number;
};

export async function blocksOf(page: string): Promise<readonly Block[]> {
  const text = await readFile(page, "utf8");
  return Array.from(text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm), (match) => ({
    page,
    language: match[1] ?? "",
    text: match[2] ?? "",
    line: text.slice(0, match.index).split("\n").length,
  }));
}
