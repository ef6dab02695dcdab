// The declarations as they are packed: what an editor shows of the verbs that are used most, which mistakes the compiler
// finds and in which words, and how much of them there is. Needs the built package; `npm run docs` writes the files anew.

import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { hovers } from "./hover.ts";

const HERE = import.meta.dirname;
const DIST = join(HERE, "../../dist");

const VERBS = [
  "museum.createSpecialEvent",
  "museum.listSpecialEvents",
  "account.createPreSaleAction",
  "data.museum.specialEvents.upsert",
  "auth.token",
  "clock.advance",
  "journal.count",
  "journal.verify",
  "scenario",
  "use",
];

test("the verbs that are used most are shown as plain types, with a line of documentation", async () => {
  const source = [
    'import { createSandbox } from "vitrine";',
    "const sandbox = await createSandbox();",
    ...VERBS.map((verb) => `sandbox.${verb};`),
  ].join("\n");
  const texts = VERBS.map((verb) => `sandbox.${verb}`);
  const shown = await hovers(join(HERE, "example.ts"), source, texts);
  const parts = texts.map((text, index) => `${text}\n\n${shown[index]}`);
  await expect(`${parts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`).toMatchFileSnapshot("hover.txt");
  expect(shown.join("\n")).not.toMatch(/zod|\bany\b|\.\.\. \d+ more/i);
});

test("each mistake is found by the compiler, which says what is right", async () => {
  const source = (await readFile(join(HERE, "mistakes.ts"), "utf8")).split("\n");
  const found = await compile("mistakes.ts");
  // Whatever lies between a heading and the next one is one mistake.
  const titles = source.map((line) => /^\/\* (\d+: .*) \*\/$/.exec(line)?.[1]);
  const titleAt = (line: number) => titles.slice(0, line).findLast((title) => title !== undefined);
  const messages = new Map<string | undefined, string>();
  for (const { line, message } of found.toReversed()) messages.set(titleAt(line), message); // the first one stays
  const lines = titles.flatMap((title) =>
    title === undefined ? [] : `${title}\n   ${messages.get(title) ?? "NOT FOUND"}`,
  );
  expect(lines.filter((line) => line.endsWith("NOT FOUND"))).toEqual([]);
  expect(messages.get(undefined)).toBeUndefined();
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("mistakes.txt");
});

test("they name no package that is not there, and weigh less than 150 kB", async () => {
  const names = await readdir(DIST, { recursive: true });
  const texts = await Promise.all(
    names.filter((name) => name.endsWith(".d.ts")).map((name) => readFile(join(DIST, name), "utf8")),
  );
  const imported = texts.flatMap((text) =>
    [...text.matchAll(/(?:from |import\()"([^."][^"]*)"/g)].map(([, name]) => name),
  );
  expect([...new Set(imported)].sort()).toEqual(["@playwright/test", "msw", "vitest"]);
  expect(Buffer.byteLength(texts.join(""))).toBeLessThan(150_000);
});

type Complaint = { readonly line: number; readonly message: string };

/** What the compiler finds wrong with a file, in order. */
async function compile(file: string): Promise<readonly Complaint[]> {
  const manifest = createRequire(import.meta.url).resolve("typescript/package.json");
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023", "--types", "node"];
  const args = [
    join(dirname(manifest), "bin", "tsc"),
    "--ignoreConfig",
    ...options,
    "--pretty",
    "false",
    file,
  ];
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: HERE }, (_failure, stdout) => resolve(stdout)); // it fails where it finds
  });
  const complaints = output.matchAll(/^\S+\((\d+),\d+\): error \w+: (.*)$/gm);
  return Array.from(complaints, ([, line, message = ""]) => ({ line: Number(line), message }));
}
