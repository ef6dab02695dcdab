// The recipes: each block is a part of a project that is run, or is run here.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runBin } from "../cli/bin.ts";

const PROJECTS = join(import.meta.dirname, "projects");
const readme = await readFile(join(import.meta.dirname, "README.md"), "utf8");
const blocks = Array.from(
  readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm),
  ([, language = "", text = ""]) => ({
    language,
    text,
  }),
);
const commands = blocks
  .filter(({ language }) => language === "sh")
  .flatMap(({ text }) => text.trim().split("\n"));

test("every block of code is a part of a project's file", async () => {
  const names = await readdir(PROJECTS, { recursive: true });
  const files = names.filter((name) => /\.\w*[tj]s$/.test(name));
  const texts = await Promise.all(files.map((name) => readFile(join(PROJECTS, name), "utf8")));
  const code = blocks.filter(({ language }) => language !== "sh").map(({ text }) => unindented(text));
  expect(code.length).toBeGreaterThan(8);
  expect(code.filter((text) => !texts.some((file) => unindented(file).includes(text)))).toEqual([]);
});

function unindented(text: string): string {
  return text.replace(/^ +/gm, "");
}

test("every file that it names is there", async () => {
  const named = Array.from(readme.matchAll(/`([\w-]+\/[\w.-]+\.\w+|\w+\.ts)`/g), ([, name = ""]) => name);
  const there = await readdir(import.meta.dirname, { recursive: true });
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((name) => !there.some((file) => file.endsWith(name)))).toEqual([]);
});

test.for(commands)("%s", async (command) => {
  const [start = "", rest = ""] = command.split(" -- ");
  expect([start.startsWith("npx vitrine exec"), rest]).toEqual([true, expect.stringMatching(/^npx /)]);
  const args = start.replace("npx vitrine ", "").split(" ");
  const run = runBin([
    ...args,
    "--",
    process.execPath,
    "-e",
    "console.log(Object.values(process.env).join())",
  ]);
  expect([await run.ended, run.output.out]).toEqual([0, expect.stringContaining("/museum/v1.1")]);
});
