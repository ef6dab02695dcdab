// Runs every block of the manual: TypeScript as the tests they are, shell against a running sandbox, the scenario as a
// scenario. The two commands at the top are what .ci/run runs; here they are checked against the scripts they name.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { countPoints } from "../src/evidence/compare.ts";
import { createSandbox } from "../src/index.ts";
import { buildProblemsTable } from "../src/operation/table.ts";
import { services } from "../src/services/index.ts";
import { type Block, blocksOf, PAGES } from "./support/manual.ts";

const blocks: readonly Block[] = (await Promise.all(PAGES.map(blocksOf))).flat();
const folder = new URL("readme-blocks/", import.meta.url);

afterAll(() => rm(folder, { recursive: true, force: true }));

await mkdir(folder, { recursive: true });
for (const { page, text, line } of blocks.filter(({ language }) => language === "ts")) {
  const file = new URL(`${page.replaceAll("/", "-")}-${line}.ts`, folder);
  const own = text.replaceAll('from "vitrine"', 'from "../../src/index.ts"');
  await writeFile(file, own.replaceAll(/from "vitrine\/(\w+)"/g, 'from "../../src/testing/$1.ts"'));
  await import(file.href); // registers the tests of the block here
}

test("the two commands at the top are scripts that a clean clone has, and are run by it", async () => {
  const [run, pass] = blocks.filter(({ text }) => text.startsWith("npm ci"));
  expect([run?.text, pass?.text]).toEqual(["npm ci && npm start\n", "npm ci && npm test\n"]);
  const { scripts } = JSON.parse(await readFile("package.json", "utf8"));
  expect(scripts).toMatchObject({
    start: expect.any(String),
    test: expect.any(String),
    prepare: expect.any(String),
  });
  const ci = await readFile(".ci/run", "utf8");
  expect(ci).toMatch(/npm ci/);
  expect(ci).toMatch(/npm test/);
});

test("the shell blocks run, in order, against a running sandbox", async () => {
  const shell = blocks.filter(({ language, text }) => language === "sh" && !text.startsWith("npm "));
  const sandbox = await createSandbox();
  const { port } = await sandbox.listen();
  const script = shell.map(({ text }) =>
    text.replaceAll("localhost:4010", `localhost:${port}`).replaceAll("curl -s", "curl -sSf"),
  );
  const { stdout } = await promisify(execFile)("bash", [
    "-e",
    "-o",
    "pipefail",
    "-c",
    script.join("\necho\n"),
  ]);
  expect(shell.length).toBeGreaterThan(3);
  expect(stdout).toContain('"eventId"');
  expect(stdout).toContain('"current_credit_available"');
  expect(sandbox.journal.list().map(({ status }) => status)).toEqual([200, 200, 200]);
  await sandbox.close();
});

describe("the scenario", () => {
  const own = blocks.find(({ page, language }) => page === "docs/scenarios.md" && language === "json");
  const text = own?.text ?? "";

  test("loads, and loses the response to the first expensive event once", async () => {
    const sandbox = await createSandbox({ scenario: JSON.parse(text) });
    const body = { name: "A", location: "B", eventDescription: "C", dates: ["2026-03-31"], price: 12 };
    await expect(sandbox.museum.createSpecialEvent({ body })).rejects.toThrow("fetch failed");
    expect((await sandbox.museum.createSpecialEvent({ body })).status).toBe(201);
    expect(sandbox.data.museum.specialEvents.all()).toHaveLength(2);
    await sandbox.close();
  });
});

test("the rules on the page about scenarios are valid", async () => {
  await using sandbox = await createSandbox();
  const page = await readFile("docs/scenarios.md", "utf8");
  const effects = Array.from(page.matchAll(/`(\{ "[^`]+ \})`/g), ([, text = ""]) => JSON.parse(text));
  expect(effects.length).toBeGreaterThan(8);
  for (const effect of effects) {
    const then = effect.uniform || effect.lognormal || effect.dribble ? { delay: effect } : effect;
    const rule = { when: { operation: "museum.getSpecialEvent" }, then };
    expect([effect, (await sandbox.check({ rule })).mistakes]).toEqual([effect, []]);
  }
});

test("every code block has a language that these tests run, or is a known exception", () => {
  const others = blocks.filter(({ language }) => !["ts", "sh", "json"].includes(language));
  // A failing test, which consumers/failing.slow.test.ts runs; calls of a real server; and the generated help.
  expect(others.map(({ page, language }) => [page, language])).toEqual([
    ["README.md", "text"],
    ["docs/assumptions.md", "text"],
    ["docs/assumptions.md", "text"],
    ["docs/command-line.md", "text"],
  ]);
});

test("the first page counts problems and assumptions correctly", async () => {
  await using sandbox = await createSandbox();
  const assumptions = sandbox.catalogue.assumptions();
  const problems = buildProblemsTable(services).split("\n").slice(2);
  const assumed = problems.filter((row) => row.includes(" |  | ")).length;
  const page = (await readFile("README.md", "utf8")).replaceAll(/\s+/g, " ");
  expect(page).toContain(`describe ${problems.length - assumed} of the ${problems.length} [problems]`);
  expect(page).toContain(`${assumed} are assumed.`);
  const { seen, assumed: open, contradicted } = countPoints(services, { points: {} });
  expect(page).toContain(
    `Comparisons with real servers confirmed ${seen} of these assumptions, and contradicted ${contradicted}.`,
  );
  expect(page).toContain(`leave ${seen + open + contradicted} [points]`);
  expect(page).toContain(`${assumptions.filter(({ setting }) => setting).length} points have a [setting]`);
});

const { files: packed }: { readonly files: readonly string[] } = JSON.parse(
  await readFile("package.json", "utf8"),
);
const shipped = (await readdir("docs", { recursive: true })).filter((name) => name.endsWith(".md"));

/** Of the package, only these pages have links. */
test.for(["README.md", ...shipped.map((name) => `docs/${name}`)])(
  "%s links to packed files and to headings that exist",
  async (page) => {
    const text = (await readFile(page, "utf8")).replaceAll(/^```[\s\S]*?^```$/gm, "");
    const links = text.matchAll(/(?:\]\(|(?:src|srcset|href)=")(?!https?:)([^)#"]*)(?:#([^)"]+))?[)"]/g);
    for (const [link, path = "", heading] of links) {
      const target = path === "" ? page : join(dirname(page), path);
      expect(existsSync(target), `${page}: ${link}`).toBe(true);
      expect([...packed, "README.md", "LICENSE"], `${page}: ${link}`).toContain(target.split("/")[0]);
      if (heading === undefined) continue;
      const headings = (await readFile(target, "utf8")).matchAll(/^#+ (.+)$/gm);
      const anchors = Array.from(headings, ([, name = ""]) => name.toLowerCase().replaceAll(/[^\w -]/g, ""));
      expect(
        anchors.map((name) => name.replaceAll(" ", "-")),
        `${page}: ${link}`,
      ).toContain(heading);
    }
  },
);

test("the first page has at most 12 KiB", async () => {
  expect((await stat("README.md")).size).toBeLessThanOrEqual(12_288);
});
