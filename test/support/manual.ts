// The pages that users read, apart from the recipes for runners and for a team, which have tests of their own.

import { readFile } from "node:fs/promises";

export const PAGES = [
  "README.md",
  "scenarios/README.md",
  "fixtures/README.md",
  "src/control/README.md",
  "src/runtimes/node/README.md",
  "docs/recipes/cookbook.md",
] as const;

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
