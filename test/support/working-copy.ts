// A copy of the repository in a folder of its own, where a test changes the sources as a contributor does: by the blocks of
// a page of Markdown, which are differences without line numbers, and new files.

import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";

const ROOT = join(import.meta.dirname, "../..");
const MODULES = join(ROOT, "node_modules");
const COPIED = ["src", "test", "docs", "fixtures", "scenarios", ".ci", ".biome.jsonc"];
const COPIED_FILES = ["README.md", "package.json", "tsconfig.json", "vitest.config.ts"];

export class WorkingCopy {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<WorkingCopy> {
    const folder = await mkdtemp(join(tmpdir(), "vitrine-copy-"));
    for (const name of [...COPIED, ...COPIED_FILES])
      await cp(join(ROOT, name), join(folder, name), { recursive: true, filter: isOurs });
    for (const name of ["node_modules", "test/node_modules"])
      await symlink(join(ROOT, name), join(folder, name));
    return new WorkingCopy(folder);
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }

  read(file: string): Promise<string> {
    return readFile(join(this.folder, file), "utf8");
  }

  /** Does what a block says; `block` is its text between the fences. */
  apply(block: string): Promise<void> {
    return applyBlock(this.folder, block);
  }

  /** What the compiler complains of; nothing when all is well. */
  typeCheck(): Promise<string> {
    return this.#complaints("typescript/bin/tsc", "--noEmit");
  }

  /** What linter and formatter complain of. */
  lint(): Promise<string> {
    return this.#complaints("@biomejs/biome/bin/biome", "ci", "--diagnostic-level=warn", "src", "test");
  }

  /** Runs its tests; what failed is in the error. */
  async vitest(...args: readonly string[]): Promise<string> {
    return (await this.#run("vitest/vitest.mjs", "run", "--no-isolate", ...args)).stdout;
  }

  /** The part of `npm run docs` that reads the sources. */
  async docs(): Promise<void> {
    const { scripts } = JSON.parse(await this.read("package.json"));
    const [first = ""] = scripts.docs.split(" && ");
    const [, ...args] = first.split(" "); // vitest run …
    await this.#run("vitest/vitest.mjs", ...args);
  }

  async #complaints(program: string, ...args: readonly string[]): Promise<string> {
    try {
      await this.#run(program, ...args);
      return "";
    } catch (error) {
      const { stdout = "", stderr = "" } = error as { readonly stdout?: string; readonly stderr?: string };
      return stdout + stderr;
    }
  }

  #run(program: string, ...args: readonly string[]) {
    return promisify(execFile)(process.execPath, [join(MODULES, program), ...args], {
      cwd: this.folder,
      env: { ...process.env, VITEST: undefined, NO_COLOR: "1" },
      maxBuffer: 2 ** 26,
    });
  }
}

function isOurs(path: string): boolean {
  return basename(path) !== "node_modules";
}

/** Writes the file that the first line of a block names, or changes it by a difference without line numbers. */
export async function applyBlock(folder: string, block: string): Promise<void> {
  const [first = "", ...lines] = block.split("\n");
  const [, changed] = /^--- (.+)$/.exec(first) ?? [];
  const [, created] = /^(?:\/\/|<!--|#) ([^ ]+)(?: -->)?$/.exec(first) ?? [];
  if (changed !== undefined) return changeFile(join(folder, changed), lines);
  if (created === undefined) throw new Error(`A block begins with the name of its file, not with ${first}`);
  await mkdir(dirname(join(folder, created)), { recursive: true });
  await writeFile(join(folder, created), lines.join("\n"));
}

async function changeFile(file: string, lines: readonly string[]): Promise<void> {
  let text = await readFile(file, "utf8");
  for (const part of lines.join("\n").split(/^@@\n/m)) {
    const marked = part.split("\n").filter((line) => line !== "");
    const side = (others: string) =>
      marked.flatMap((line) => (line.startsWith(others) ? [] : `${line.slice(1)}\n`)).join("");
    const [before, after, ...more] = text.split(side("+"));
    if (after === undefined || more.length > 0) throw new Error(`${file} must have this once:\n${side("+")}`);
    text = before + side("-") + after;
  }
  await writeFile(file, text);
}

/** The blocks under a heading of a page, in order, without their fences. */
export function blocksUnder(heading: string, page: string): readonly string[] {
  const [, section] = page.split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`The page has no heading ${heading}.`);
  const [text = ""] = section.split(/^## /m);
  return [...text.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
}
