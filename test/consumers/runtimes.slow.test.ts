// Runtimes that are no Node import the built package, serve it, and meet the same answers and the same token.

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../support/built.ts";

const run = promisify(execFile);
let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "vitrine-runtimes-"));
  await mkdir(join(project, "node_modules"));
  await symlink(ROOT, join(project, "node_modules/vitrine"));
  await writeFile(join(project, "package.json"), '{ "type": "module" }');
  await writeFile(
    join(project, "smoke.mjs"),
    await readFile(join(ROOT, "test/consumers/projects/smoke.mjs")),
  );
});
afterAll(() => rm(project, { recursive: true }));

async function smoke(command: string, args: readonly string[]): Promise<unknown> {
  // Deno takes what it compiled of a file of the same name for this one's, whatever is in it now.
  const env = { ...process.env, DENO_DIR: join(project, "deno") };
  const { stdout } = await run(command, [...args, "smoke.mjs"], { cwd: project, env });
  return JSON.parse(stdout);
}

test.for([
  {
    runtime: "Deno",
    packages: ["deno@2"],
    command: ["deno", "run", "--allow-all", "--node-modules-dir=manual"],
  },
  { runtime: "Bun", packages: ["bun@1"], command: ["bun", "run"] },
])("$runtime serves the sandbox as Node does", { timeout: 300_000 }, async ({ packages, command }) => {
  const expected = await smoke(process.execPath, []);
  expect(expected).toMatchObject({ answers: [200, 200, 200, 401, 503, 200] });
  const chosen = packages.flatMap((name) => ["--package", name]);
  expect(await smoke("npx", ["--yes", ...chosen, "--", ...command])).toEqual(expected);
});
