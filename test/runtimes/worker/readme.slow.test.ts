// The page for a team, followed to the letter: its entry and its configuration are what runs here.

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { parse } from "jsonc-parser";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../../support/built.ts";
import { bundled, type Setup, started } from "./miniflare.ts";

const run = promisify(execFile);
const MOST_BYTES = 600_000;
const LONG = { timeout: 240_000 };

let blocks: { readonly sh: string; readonly ts: readonly string[]; readonly jsonc: string };
let project: string;
/** As the first block makes them. */
let made: { readonly team: string; readonly token: string; readonly hash: string };
let worker: ReturnType<typeof started>;
let code: string;
let url: string;

beforeAll(async () => {
  const text = await readFile(join(ROOT, "docs/team.md"), "utf8");
  const all = Array.from(text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm), ([, kind = "", block = ""]) => [
    kind,
    block,
  ]);
  const of = (kind: string) => all.flatMap(([own, block = ""]) => (own === kind ? [block] : []));
  blocks = { sh: of("sh")[0] ?? "", ts: of("ts"), jsonc: of("jsonc")[0] ?? "" };
  project = await mkdtemp(join(tmpdir(), "vitrine-team-"));
  await mkdir(join(project, "node_modules"));
  await symlink(ROOT, join(project, "node_modules/vitrine"));
  for (const name of ["vitest", "@vitest", "playwright", "playwright-core", "@playwright"])
    await symlink(join(ROOT, "node_modules", name), join(project, "node_modules", name));
  await writeFile(join(project, "package.json"), '{ "type": "module" }');
  const { stdout } = await run("sh", ["-c", blocks.sh]);
  made = Function(`return (${stdout})`)() as typeof made; // as Node prints an object
  const entry = join(project, "index.ts");
  const [template = ""] = blocks.ts;
  await writeFile(
    entry,
    template.replace(/"\w{22}"/, `"${made.team}"`).replace(/"[0-9a-f]{64}"/, `"${made.hash}"`),
  );
  code = await bundled(entry);
  worker = started(code, parse(blocks.jsonc, [], { allowTrailingComma: true }) as Setup);
  url = `${(await worker.ready).origin}/${made.team}`;
});
afterAll(async () => {
  await worker?.dispose();
  await rm(project, { recursive: true });
});

test("the entry is small enough for a worker", () => {
  expect(gzipSync(code).length).toBeLessThanOrEqual(MOST_BYTES);
});

test("the configuration lists the classes that the entry exports, with SQLite", () => {
  const { durable_objects, migrations } = parse(blocks.jsonc, [], { allowTrailingComma: true });
  const classes = durable_objects.bindings.map(({ class_name }: { class_name: string }) => class_name);
  expect(migrations[0].new_sqlite_classes).toEqual(classes);
  for (const name of classes) expect(blocks.ts[0]).toContain(name);
});

test("a client with the token controls it with the code on the page", LONG, async () => {
  const block = (blocks.ts[1] ?? "")
    .replace('"https://vitrine.example/wq3Jc0Xk1mTn8vRz2dYb5A"', JSON.stringify(url))
    .replace('"the token"', JSON.stringify(made.token));
  const shown =
    "console.log((await world.museum.createSpecialEvent({ body: {} })).status);\nawait world.close();";
  await writeFile(join(project, "use.mjs"), block.replace("await world.close();", shown));
  const { stdout } = await run(process.execPath, ["use.mjs"], { cwd: project });
  expect(stdout).toBe("400\n");
});

test("each test of vitest has its own world", LONG, async () => {
  await writeFile(
    join(project, "vitest.config.js"),
    `export default { test: { provide: { sandboxServer: ${JSON.stringify({ url, token: made.token })} } } };`,
  );
  await writeFile(
    join(project, "team.test.js"),
    `import { expect } from "vitest";
import { test } from "vitrine/vitest";
for (const title of ["one", "two"])
  test(title, async ({ world }) => {
    expect(await world.data.museum.tickets.all()).toHaveLength(3);
    await world.museum.buyMuseumTickets({ body: { ticketType: "general", ticketDate: "2026-12-24", email: "a@b.example" } });
    expect(await world.journal.count()).toBe(1);
  });
`,
  );
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const { stdout } = await run(process.execPath, [vitest, "run", "--reporter=json"], { cwd: project });
  expect(JSON.parse(stdout)).toMatchObject({ numPassedTests: 2, numFailedTests: 0 });
  expect(await worldsLeft()).toEqual(["main"]);
});

test("each test of Playwright has its own world", LONG, async () => {
  await writeFile(
    join(project, "playwright.config.js"),
    `export default { testMatch: "*.spec.js", use: { sandboxServer: ${JSON.stringify({ url, token: made.token })} } };`,
  );
  await writeFile(
    join(project, "team.spec.js"),
    `import { expect } from "@playwright/test";
import { test } from "vitrine/playwright";
for (const title of ["one", "two"])
  test(title, async ({ world }) => {
    expect((await world.museum.getMuseumHours()).status).toBe(200);
    expect(await world.journal.count()).toBe(1);
  });
test.fail("has no sandbox of its own", async ({ sandbox }) => {});
`,
  );
  const playwright = join(ROOT, "node_modules/@playwright/test/cli.js");
  const { stdout } = await run(process.execPath, [playwright, "test", "--reporter=json"], {
    cwd: project,
  }).catch((error: { stdout: string }) => error);
  const { stats, errors } = JSON.parse(stdout);
  expect([stats, errors]).toEqual([expect.objectContaining({ expected: 3 }), []]);
  expect(await worldsLeft()).toEqual(["main"]);
});

async function worldsLeft(): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${made.token}` };
  const worlds = (await (await fetch(`${url}/_vitrine/worlds`, { headers })).json()) as readonly {
    id: string;
  }[];
  return worlds.map(({ id }) => id);
}
