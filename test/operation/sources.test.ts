// What a `source` names can be opened: it is a heading of src/services/README.md, or an assumption of ours, which says so.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listOperations } from "../../src/operation/service.ts";
import { services } from "../../src/services/index.ts";

const ROOT = join(import.meta.dirname, "../..");
const DOCUMENTS = ["museum-special-events", "common-account-billing"];

/** The headings of each document, by its name. */
const headings = new Map<string, Set<string>>();
let current = new Set<string>();
for (const [, marks = "", name = ""] of readFileSync(join(ROOT, "src/services/README.md"), "utf8").matchAll(
  /^(##+) (.+)$/gm,
)) {
  if (marks === "##") {
    current = new Set();
    headings.set(name, current);
  } else current.add(name);
}

/** What a source names and is no heading; what follows `Assumed` is our own. */
function unknownIn(source: string): string[] {
  const [cited = ""] = source.split(/(?:; |^)Assumed\b/);
  let document: Set<string> | undefined;
  return cited.split("; ").flatMap((part) => {
    const names = part.split(/, | and (?=[A-Z])/).filter((name) => name !== "");
    if (headings.has(names[0] ?? "")) document = headings.get(names.shift() ?? "");
    return names.filter((name) => document?.has(name) !== true);
  });
}

test("the facts of both documents are there", () => {
  expect([...headings.keys()]).toEqual(expect.arrayContaining(DOCUMENTS));
});

describe.each(services.map((service) => [service.name, service] as const))("of the %s", (_name, service) => {
  test.each(listOperations([service]).map(({ name, operation }) => [name, operation.source] as const))(
    "the operation %s has its source: %s",
    (_operation, source) => {
      expect(unknownIn(source)).toEqual([]);
    },
  );

  test.each(Object.entries(service.problems).map(([key, { source }]) => [key, source] as const))(
    "the problem %s has its source: %s",
    (_problem, source) => {
      expect(unknownIn(source)).toEqual([]);
    },
  );
});

test("every `Source:` in a comment names an existing heading", () => {
  const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" });
  const wrong = files
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => {
      const text = readFileSync(join(ROOT, "src", file), "utf8").replace(/\n\s*\* /g, " ");
      const found = text.matchAll(/\bSource: ((?:[^.;"`*]|\d\.\d)+)/g);
      return Array.from(found, ([, source = ""]) => `${file}: ${unknownIn(source.trim()).join(", ")}`);
    })
    .filter((line) => !line.endsWith(": "));
  expect(wrong).toEqual([]);
});
