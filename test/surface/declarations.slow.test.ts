// The declarations as they are packed: what an editor shows of the verbs that are used most, which mistakes the compiler
// finds and in which words, and how much of them there is. Needs the built package; `npm run docs` writes the files anew.

import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { declarationsOf } from "../../.ci/declarations.mjs";
import { ROOT } from "../support/built.ts";
import { inEditor } from "./editor.ts";

/** A project of a user, with vitrine installed. */
let project: string;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "vitrine-declarations-"));
  await mkdir(join(project, "node_modules"));
  await symlink(ROOT, join(project, "node_modules/vitrine"));
  await symlink(join(ROOT, "node_modules/@types"), join(project, "node_modules/@types"));
  await writeFile(join(project, "package.json"), '{ "type": "module" }');
  await copyFile(join(import.meta.dirname, "mistakes.ts"), join(project, "mistakes.ts"));
});
afterAll(() => rm(project, { recursive: true }));

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

test("the editor shows the most used methods as plain types, with a line of documentation", async () => {
  const source = [
    'import { createSandbox } from "vitrine";',
    "const sandbox = await createSandbox();",
    ...VERBS.map((verb) => `sandbox.${verb};`),
  ].join("\n");
  const shown = await inEditor(join(project, "example.ts"), source, async ({ hover }) => {
    const texts: string[] = [];
    for (const verb of VERBS) texts.push(await hover(`sandbox.${verb}`));
    return texts;
  });
  const parts = VERBS.map((verb, index) => `sandbox.${verb}\n\n${shown[index]}`);
  await expect(`${parts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`).toMatchFileSnapshot("hover.txt");
  expect(shown.join("\n")).not.toMatch(/zod|\bany\b|\.\.\. \d+ more/i);
});

test("the editor completes names in every place where they are allowed", async () => {
  const places = [
    'sandbox.use({ when: { operation: "',
    'sandbox.use({ when: { operation: "account.login" }, then: { problem: "',
    'defineScenario({ version: 1, rules: [{ when: { operation: "',
    'sandbox.journal.verify({ operation: "',
    'sandbox.scenario("',
    'createSandbox({ scenario: "',
    "createSandbox({ settings: { museum: { ",
    'sandbox.auth.token({ kind: "',
    "sandbox.data.museum.",
  ];
  const source = [
    'import { createSandbox, defineScenario } from "vitrine";',
    "const sandbox = await createSandbox();",
    ...places.map((text) => `${text}${closing(text)};`),
  ].join("\n");
  const completed = await inEditor(join(project, "example.ts"), source, async ({ complete }) => {
    const lists: string[] = [];
    for (const text of places) lists.push(`${text}…\n   ${(await complete(text)).join(" ")}`);
    return lists;
  });
  await expect(`${completed.join("\n")}\n`).toMatchFileSnapshot("completions.txt");
});

/** What an editor writes by itself: the other quote, and brackets. */
function closing(text: string): string {
  const quote = text.endsWith('"') ? '"' : "";
  const pairs: Readonly<Record<string, string>> = { "(": ")", "{": "}", "[": "]" };
  const stack: string[] = [];
  for (const mark of text.replace(/"[^"]*"/g, "")) {
    if (mark in pairs) stack.push(mark);
    else if (")}]".includes(mark)) stack.pop();
  }
  return (
    quote +
    stack
      .toReversed()
      .map((mark) => pairs[mark])
      .join("")
  );
}

test("the compiler reports each error with a hint", async () => {
  const source = (await readFile(join(project, "mistakes.ts"), "utf8")).split("\n");
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

test("the declarations import only optional packages, and have less than 150 kB", async () => {
  const dist = join(ROOT, "dist/package/dist");
  const names = await readdir(dist, { recursive: true });
  const texts = await Promise.all(
    names.filter((name) => name.endsWith(".d.ts")).map((name) => readFile(join(dist, name), "utf8")),
  );
  const imported = texts.flatMap((text) =>
    [...text.matchAll(/(?:from |import\()"([^."][^"]*)"/g)].map(([, name]) => name),
  );
  expect([...new Set(imported)].sort()).toEqual(["@playwright/test", "hono", "msw", "vitest", "vitest/node"]);
  expect(Buffer.byteLength(texts.join(""))).toBeLessThan(150_000);
});

test("the build fails if a declaration imports an internal package, and names the path", async () => {
  const root = await mkdtemp(join(tmpdir(), "vitrine-leak-"));
  await mkdir(join(root, "src"));
  await symlink(join(ROOT, "node_modules"), join(root, "node_modules"));
  const compilerOptions = {
    module: "nodenext",
    target: "es2023",
    strict: true,
    declaration: true,
    rootDir: ".",
  };
  const files: Readonly<Record<string, string>> = {
    "tsconfig.json": JSON.stringify({ compilerOptions }),
    "index.ts": 'export type { Kept } from "./kept.js";',
    "kept.ts": `import { z } from "zod";
      const Inside = z.string();
      export type Kept = z.output<typeof Inside>;`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, "src", name), text);
  expect(() => declarationsOf(root, ["index"], () => false)).toThrow("zod, which is not there: Kept → z.");
  await rm(root, { recursive: true });
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
    execFile(process.execPath, args, { cwd: project }, (_failure, stdout) => resolve(stdout)); // it fails where it finds
  });
  const complaints = output.matchAll(/^\S+\((\d+),\d+\): error \w+: (.*)$/gm);
  return Array.from(complaints, ([, line, message = ""]) => ({ line: Number(line), message }));
}
