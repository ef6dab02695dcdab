// Projects in which the packed package is installed. The stories of projects/ run with each runner, in each of its pools,
// environments and module formats; the blocks of docs/recipes are the files of the others. Prints what ran where. Slow:
// installs the runners.

import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../support/built.ts";
import { type Block, blocksOf } from "../support/manual.ts";
import { applyBlock } from "../support/working-copy.ts";

type Tally = { readonly passed: number; readonly failed: number };
/** By place: the pool and environment of a runner that has several, or "". */
type Report = Readonly<Record<string, Tally>>;
type Run = {
  readonly name: string;
  /** A program of the project's node_modules with its arguments; it writes `report`, or prints it. */
  readonly command: string;
  readonly read: (report: string) => Report;
  /** How many tests pass in each place. */
  readonly tests: Readonly<Record<string, number>>;
  /** A line of the report for each test that has to fail. Default: none. */
  readonly fails?: readonly string[];
  /** After the change that the page shows: `shown`, the output contains the page's failure; `again`, another runner's. */
  readonly changed?: "shown" | "again";
};
type Project = {
  readonly name: string;
  /** The folders of projects/ that it consists of, with client and stories. */
  readonly folders?: readonly string[];
  /** The page whose blocks are its files. */
  readonly page?: string;
  readonly packages: Readonly<Record<string, string>>;
  /** Whether client and stories are there as JavaScript, for runners that read no TypeScript. */
  readonly isBuilt?: true;
  /** A major version, where the runner wants a newer Node than the oldest that vitrine wants. */
  readonly node?: number;
  readonly runs: readonly Run[];
};

const SOURCES = join(import.meta.dirname, "projects");
const STORIES = 9;
/** What an installation, or all places of a runner, may take on a busy machine. */
const PATIENCE_MS = 600_000;
const run = promisify(execFile);

/** In process, over a port and in a world of the run's server; and by msw, where vitest.config.ts says. */
const VITEST_TESTS = Object.fromEntries(
  ["threads", "forks", "vmThreads", "vmForks"].flatMap((pool) => [
    [`${pool} node`, 4 * STORIES],
    [`${pool} jsdom`, (pool.startsWith("vm") ? 3 : 4) * STORIES],
    [`${pool} happy-dom`, 3 * STORIES],
  ]),
);

/** A user's compiler, which checks the declarations of all packages too. */
const types = (options: string): Run => ({
  name: "types",
  command: `typescript/bin/tsc --noEmit ${options}`,
  read: ofCompiler,
  tests: { "": 1 },
});
const TYPES = { typescript: "5.9.3", "@types/node": "26.6.7", "@types/debug": "4.1.13" };
const REACT = {
  react: "19.3.1",
  "react-dom": "19.3.1",
  "@types/react": "19.3.3",
  "@types/react-dom": "19.3.0",
  "@vitejs/plugin-react": "5.2.0",
};
const BROWSER = 'launchOptions: { executablePath: process.env["CHROMIUM"], args: ["--no-sandbox"] }';
const VITEST = "vitest/vitest.mjs run --reporter=default --reporter=json --outputFile.json=report";
const MOCHA = "mocha/bin/mocha.js --reporter json --reporter-option output=report";
const PLAYWRIGHT = "@playwright/test/cli.js test --workers=1 --reporter=list,json";
const STRICT = "--strict --skipLibCheck false --target es2022 --module preserve --types node";

const vitest = (version: string, msw: string, more: Pick<Project, "node"> = {}): Project => ({
  ...more,
  name: `vitest ${version}, msw ${msw}`,
  folders: ["vitest", "many"],
  packages: { ...TYPES, vitest: version, msw, jsdom: "26.1.0", "happy-dom": "21.0.4" },
  runs: [
    types(`${STRICT} stories.test.ts node_modules/vitrine/dist/testing/global-setup.d.ts`),
    {
      name: "",
      command: "vitest/vitest.mjs run --reporter=json --outputFile=report",
      read: ofJest,
      tests: VITEST_TESTS,
    },
    {
      name: "500 sandboxes",
      command: "vitest/vitest.mjs run --config=many.config.mjs --reporter=json --outputFile=report",
      read: ofJest,
      tests: { "": 501 },
    },
  ],
});

const jest = (environment: string): Run => ({
  name: environment,
  command: `jest/bin/jest.js --json --outputFile=report --env ${environment}`,
  read: ofJest,
  tests: { "": 2 * STORIES }, // over a port and in process
});

/** Two tests that fail: each shows what its client did. */
const failing = (name: string, command: string, read: Run["read"]): Run => ({
  name: `${name}, failing`,
  command,
  read,
  tests: { "": 0 },
  fails: ["#1 GET /~w1/museum/v1.1/special-events 200", "#1 GET /~w2/museum/v1.1/museum-hours 200"],
});
const jestFails = failing(
  "jest",
  "jest/bin/jest.js --json --outputFile=report --testMatch **/failing.ts",
  ofJest,
);
const projects: readonly Project[] = [
  vitest("3.2.7", "2.15.0"),
  vitest("4.0.18", "2.15.0"),
  vitest("4.1.12", "2.15.0"),
  vitest("5.1.2", "3.0.5", { node: 24 }),
  {
    name: "jest 29, babel",
    folders: ["jest", "babel"],
    packages: {
      jest: "29.7.0",
      "jest-environment-jsdom": "29.7.0",
      "jest-fixed-jsdom": "0.0.11",
      "@babel/core": "7.28.5",
      "@babel/preset-env": "7.28.5",
      "@babel/preset-typescript": "7.28.5",
    },
    runs: [jest("node"), jest("jest-fixed-jsdom"), jestFails],
  },
  {
    name: "jest 30, ts-jest",
    folders: ["jest", "ts-jest"],
    packages: {
      jest: "30.5.2",
      "jest-environment-jsdom": "30.5.2",
      "jest-fixed-jsdom": "0.0.11",
      "ts-jest": "29.4.15",
      typescript: "5.9.3",
      "@types/jest": "30.0.0",
      "@types/node": "20.19.43",
    },
    runs: [types("-p ."), jest("node"), jest("jest-fixed-jsdom"), jestFails],
  },
  {
    name: "node:test, mocha 11",
    folders: ["node-test", "mocha"],
    isBuilt: true,
    packages: { mocha: "11.8.0" },
    runs: [
      { name: "node:test", command: "--test --test-reporter=tap", read: ofTap, tests: { "": STORIES } },
      {
        name: "mocha",
        command: `${MOCHA} *.spec.cjs`,
        read: ofMocha,
        tests: { "": STORIES },
      },
      failing("node:test", "--test --test-reporter=tap failing.cjs", ofTap),
      failing("mocha", `${MOCHA} failing.cjs`, ofMocha),
    ],
  },
  {
    name: "playwright, vite 7",
    folders: ["playwright"],
    packages: { ...TYPES, "@playwright/test": "1.65.1", vite: "7.3.8" },
    runs: [
      types(`${STRICT} stories.spec.ts page.spec.ts playwright.config.ts`),
      {
        name: "chromium",
        command: PLAYWRIGHT,
        read: ofPlaywright,
        tests: { "": STORIES + 3 },
      },
      {
        name: "vite build within exec",
        command:
          "vitrine/dist/cli.js exec --env VITE_MUSEUM_URL=museum --env VITE_ACCOUNT_URL=account -- node build.mjs",
        read: ofTap,
        tests: { "": 1 },
      },
    ],
  },
];

/** A project that consists of the blocks of a page. Its tests pass; after the change that the page shows, one fails. */
function recipe(page: string, packages: Project["packages"], ...runs: readonly Run[]): Project {
  const changed = runs
    .filter(({ name }) => name !== "types")
    .map((run, index) => ({
      ...run,
      name: `${run.name}, changed`,
      tests: { "": (run.tests[""] ?? 0) - 1 },
      fails: ["What the client did:"],
      changed: index === 0 ? ("shown" as const) : ("again" as const),
    }));
  return { name: `${page}.md`, page: `docs/recipes/${page}.md`, packages, runs: [...runs, ...changed] };
}
const recipes: readonly Project[] = [
  recipe(
    "vitest",
    { ...TYPES, vitest: "4.1.12" },
    types(`${STRICT} night.test.ts world.test.ts vitest.config.ts`),
    { name: "vitest", command: VITEST, read: ofJest, tests: { "": 2 } },
  ),
  recipe(
    "msw",
    { ...TYPES, vitest: "4.1.12", msw: "2.15.0", jsdom: "26.1.0" },
    types(`${STRICT} museum.test.ts sandbox.ts`),
    { name: "vitest", command: VITEST, read: ofJest, tests: { "": 1 } },
  ),
  recipe(
    "jest",
    { jest: "30.5.2", mocha: "11.8.0" },
    { name: "jest", command: "jest/bin/jest.js --json --outputFile=report", read: ofJest, tests: { "": 1 } },
    { name: "mocha", command: `${MOCHA} night.mocha.cjs`, read: ofMocha, tests: { "": 1 } },
    {
      name: "node:test",
      command: "--test --test-reporter=tap night.node.mjs",
      read: ofTap,
      tests: { "": 1 },
    },
  ),
  recipe(
    "playwright",
    { ...TYPES, "@playwright/test": "1.65.1", vite: "7.3.8" },
    types(`${STRICT} night.spec.ts playwright.config.ts`),
    { name: "chromium", command: PLAYWRIGHT, read: ofPlaywright, tests: { "": 1 } },
  ),
  recipe(
    "vite",
    { ...TYPES, ...REACT, "@playwright/test": "1.65.1", vite: "7.3.8" },
    types(
      `${STRICT},vite/client --jsx react-jsx main.tsx events.spec.ts playwright.config.ts vite.config.ts`,
    ),
    {
      name: "chromium",
      command: `vitrine/dist/cli.js exec -- node node_modules/${PLAYWRIGHT}`,
      read: ofPlaywright,
      tests: { "": 1 },
    },
  ),
];

let home: string;
let tarball: string | undefined;
const matrix: Record<string, Tally & { readonly seconds: number }> = {};

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "vitrine-projects-"));
  await run("npm", ["pack", "./dist/package", "--pack-destination", home], { cwd: ROOT });
  tarball = (await readdir(home)).find((name) => name.endsWith(".tgz"));
}, PATIENCE_MS);
afterAll(async () => {
  console.table(matrix);
  await rm(home, { recursive: true, force: true }); // of many installations
}, PATIENCE_MS);

describe.for([...projects, ...recipes])(
  "$name",
  { timeout: PATIENCE_MS },
  ({ name, folders = [], page, packages, isBuilt, node, runs }) => {
    let folder: string;
    let blocks: readonly Block[] = [];

    beforeAll(async () => {
      folder = join(home, name.replaceAll(/\W+/g, "-"));
      for (const one of folders) await cp(join(SOURCES, one), folder, { recursive: true });
      for (const shared of page === undefined ? ["client", "stories"] : [])
        await (isBuilt ? build : copy)(join(SOURCES, `${shared}.ts`), join(folder, shared));
      if (page !== undefined) blocks = await blocksOf(join(ROOT, page));
      const port = await findFreePort();
      for (const { text } of blocks.filter(({ text }) => /^(?:\/\/|<!--) \S+\.\w+\b/.test(text)))
        await applyBlock(
          folder,
          text.replaceAll("5173", `${port}`).replace("  use: {", `  use: { ${BROWSER},`),
        );
      const devDependencies = { ...packages, vitrine: `file:../${tarball}` };
      await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, devDependencies }));
      await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], {
        cwd: folder,
      });
    }, PATIENCE_MS);

    test.for(runs)("$name", async ({ name: place, command, read, tests, fails = [], changed }) => {
      const diffs = changed === "shown" ? blocks.filter(({ language }) => language === "diff") : [];
      for (const { text } of diffs) await applyBlock(folder, text);
      const [program = "", ...args] = command.split(" ");
      const script = program.startsWith("--") ? program : join("node_modules", program);
      const started = Date.now();
      const output = await runNode(folder, node, [script, ...args]);
      const report = await readFile(join(folder, "report"), "utf8").catch(() => output.stdout);
      await rm(join(folder, "report"), { force: true });
      const seconds = Math.round((Date.now() - started) / 1_000);
      const found = tryRead(read, report);
      for (const [part, tally] of Object.entries(found))
        matrix[[name, place, part].filter((text) => text !== "").join(", ")] = { ...tally, seconds };
      const told = `${output.stdout}\n${output.stderr}`.slice(-5_000);
      const wanted = Object.entries(tests).map(([part, passed]) => [part, { passed, failed: fails.length }]);
      expect(found, told).toEqual(Object.fromEntries(wanted));
      for (const line of fails) expect(report).toContain(line);
      const shown = blocks.filter(({ language }) => language === "text");
      for (const { text } of changed === "shown" ? shown : [])
        expect(output.stdout + output.stderr).toContain(text);
      expect(output.code === 0, told).toBe(fails.length === 0);
      expect(told).not.toMatch(/close timed out|did not exit|asynchronous operations that weren't stopped/i);
    });
  },
);

function copy(source: string, target: string): Promise<void> {
  return cp(source, `${target}.ts`);
}

/** For those who import it and those who require it. */
async function build(input: string, target: string): Promise<void> {
  const bundle = await rolldown({ input, platform: "node" });
  await bundle.write({ file: `${target}.mjs`, format: "esm" });
  await bundle.write({ file: `${target}.cjs`, format: "cjs" });
  await bundle.close();
}

function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address() as AddressInfo; // Safe: a TCP server that listens has a port.
      server.close(() => resolve(port));
    });
  });
}

type Output = { readonly stdout: string; readonly stderr: string; readonly code: number | null };

/** Runs a script in the project, on this Node or another; resolves however it ends. */
function runNode(cwd: string, version: number | undefined, args: readonly string[]): Promise<Output> {
  const npx = ["--yes", "--package", `node@${version}`, "--", "node"];
  const [program, given] = version === undefined ? [process.execPath, args] : ["npx", [...npx, ...args]];
  const env = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    NO_COLOR: "1",
    CHROMIUM: "/usr/bin/chromium",
    PLAYWRIGHT_JSON_OUTPUT_NAME: "report",
  };
  return new Promise((resolve) => {
    const child = execFile(program, given, { cwd, env, maxBuffer: 1e8 }, (_failure, stdout, stderr) =>
      resolve({ stdout, stderr, code: child.exitCode }),
    );
  });
}

function tryRead(read: Run["read"], report: string): Report {
  try {
    return read(report);
  } catch {
    return {}; // it did not come so far; what it printed is shown
  }
}

/** Of Jest, and of vitest, whose suites begin with their place in brackets. */
function ofJest(report: string): Report {
  const tallies: Record<string, Tally> = {};
  for (const { assertionResults } of JSON.parse(report).testResults) {
    for (const { fullName, status } of assertionResults) {
      const place = /^\[(.+?)\]/.exec(fullName)?.[1] ?? "";
      const { passed, failed } = tallies[place] ?? { passed: 0, failed: 0 };
      tallies[place] = status === "passed" ? { passed: passed + 1, failed } : { passed, failed: failed + 1 };
    }
  }
  return tallies;
}

function ofCompiler(report: string): Report {
  return { "": { passed: report === "" ? 1 : 0, failed: report.split("error TS").length - 1 } };
}

function ofMocha(report: string): Report {
  const { passes: passed, failures: failed } = JSON.parse(report).stats;
  return { "": { passed, failed } };
}

function ofPlaywright(report: string): Report {
  const { expected: passed, unexpected: failed } = JSON.parse(report).stats;
  return { "": { passed, failed } };
}

function ofTap(report: string): Report {
  const [passed, failed] = ["pass", "fail"].map((name) =>
    Number(new RegExp(`^# ${name} (\\d+)$`, "m").exec(report)?.[1]),
  );
  return { "": { passed: passed ?? 0, failed: failed ?? 0 } };
}
