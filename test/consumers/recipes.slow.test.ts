// The commands of docs/recipes. The other blocks of these pages are files of a project: projects.slow.test.ts.

import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BIN, runBin } from "../cli/bin.ts";
import { ROOT } from "../support/built.ts";
import { blocksOf } from "../support/manual.ts";
import { applyBlock } from "../support/working-copy.ts";

const FOLDER = join(ROOT, "docs/recipes");
const names = await readdir(FOLDER);
const pages = await Promise.all(names.map((name) => readFile(join(FOLDER, name), "utf8")));
const starts = pages.flatMap((page) => page.match(/npx vitrine exec [^`\n]*(?=-- npx )/g) ?? []);
const blocks = await blocksOf(join(FOLDER, "point-or-proxy.md"));

test.for([...new Set(starts)])("%s", async (start) => {
  const [, , ...args] = start.trim().split(" ");
  const run = runBin([
    ...args,
    "--",
    process.execPath,
    "-e",
    "console.log(Object.values(process.env).join())",
  ]);
  expect([await run.ended, run.output.out]).toEqual([0, expect.stringContaining("/museum/v1.1")]);
});

test("each command of point-or-proxy.md leads its client to the sandbox, and prints the output that the page shows", async () => {
  const folder = await mkdtemp(join(tmpdir(), "vitrine-point-"));
  await writeFile(join(folder, "token.txt"), "a-token-of-this-test");
  const outputs: string[] = [];
  for (const { language, text } of blocks) {
    if (language === "js") await applyBlock(folder, text);
    if (language === "sh") outputs.push(await runShell(text, folder));
    if (language === "text") expect(outputs.at(-1)).toContain(text);
  }
  expect(outputs).toHaveLength(4);
  const [first, ...others] = outputs;
  for (const output of others) expect([first, expect.stringContaining('"eventId"')]).toContainEqual(output);
  await rm(folder, { recursive: true });
});

function runShell(command: string, cwd: string): Promise<string> {
  const script = command.replace("npx vitrine", `"${process.execPath}" "${BIN}"`);
  return new Promise((resolve) => {
    execFile("sh", ["-c", script], { cwd }, (_failure, stdout, stderr) => resolve(stdout + stderr));
  });
}
