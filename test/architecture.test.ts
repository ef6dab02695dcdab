// The lines of the code map, checked by reading the source: who may import whom, who may touch the machine, what a file
// looks like. A new file is covered by itself.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../src");

type Source = {
  /** Relative to src, with slashes. */
  readonly path: string;
  readonly text: string;
  /** Without comments. */
  readonly code: string;
  /** Paths of our own files that it imports, relative to src. */
  readonly imports: readonly string[];
  /** Other modules that it imports. */
  readonly modules: readonly string[];
};

/** In the order in which they import: a part imports only parts of earlier rows. Parts of one row do not import each other. */
const ORDER: readonly (readonly string[])[] = [
  ["errors"],
  ["world"],
  ["http"],
  ["operation"],
  ["rules"],
  ["scenario"],
  ["journal"],
  ["sandbox"],
  ["pipeline"],
  ["services/museum", "services/account"],
  ["services"], // what both share
  ["linter"],
  ["evidence"],
  ["control"],
  ["dashboard"],
  ["server"],
  ["runtimes"],
  ["open"],
  ["connect.ts", "browser.ts", "worker.ts"],
  ["index.ts"],
  ["testing", "cli"],
  ["cli.ts"],
];

/** The only parts that these import, apart from themselves. */
const SEES: Readonly<Record<string, readonly string[]>> = {
  "services/museum": ["operation", "http", "world", "errors"],
  "services/account": ["operation", "http", "world", "errors"],
  // What a test could do itself, and a file for what it leaves. The errors: pages have these too.
  testing: ["index.ts", "runtimes", "errors"],
};

/** The renderer, its schemas, and the advice about links that a client was given and did not follow. */
const SPEAKS_HYDRA =
  /^services\/account\/(render\/|(schemas|assumptions|probes)\.ts$)|^linter\/rules\/paging\.ts$/;
const MACHINE =
  /^(node:)?(fs|fs\/promises|net|tls|http|https|http2|dgram|dns|os|process|child_process|worker_threads|cluster|readline|tty|repl|vm)$/;
const MACHINE_GLOBALS = /\bprocess\.(?! )|\bprocess\[|\bconsole\s*\./;
const WALL_OR_CHANCE =
  /\bDate\.now\b|\bnew Date\(\s*\)|\bDate\(\s*\)|\bperformance\s*\.|\bMath\.random\b|\brandom(UUID|Bytes|Int)\b|\bgetRandomValues\b/;
const TIMERS = /\bset(Timeout|Interval|Immediate)\b/;

const sources = readdirSync(ROOT, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => /\.tsx?$/.test(path))
  .sort()
  .map(toSource);

describe("the guides for those who change it", () => {
  const guides = ["src/README.md", "test/README.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md"];
  const textOf = (name: string) => readFileSync(join(ROOT, "..", name), "utf8");

  test.each(guides)("%s names only existing files and scripts", (guide) => {
    const { scripts } = JSON.parse(textOf("package.json")) as { readonly scripts: object };
    const text = textOf(guide);
    const named = text.matchAll(/`((?:src|test|\.ci|\.github)\/[\w./-]+)`/g);
    const missing = Array.from(named, ([, path = ""]) => path).filter(
      (path) => !existsSync(join(ROOT, "..", path)),
    );
    const run = Array.from(text.matchAll(/`npm run ([\w:]+)/g), ([, script = ""]) => script);
    expect([...missing, ...run.filter((script) => !Object.hasOwn(scripts, script))]).toEqual([]);
  });

  test("the map has a row for each folder of the sources, in the order in which they import", () => {
    const map = textOf("src/README.md");
    const rows = Array.from(map.matchAll(/^\| `(\w+)` \|/gm), ([, folder = ""]) => folder);
    const folders = ORDER.flat().filter((part) => /^\w+$/.test(part));
    expect(rows).toEqual(folders);
  });
});

describe("a source file", () => {
  test("imports only from lower layers, and not from siblings", () => {
    const wrong = sources.flatMap(({ path, imports }) =>
      imports.filter((target) => !mayImport(path, target)).map((target) => `${path} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test("touches sockets, files and environment only in runtimes/ and cli", () => {
    const wrong = sources
      .filter(({ path }) => !/^(runtimes|cli)\/|^cli\.ts$/.test(path))
      .flatMap(({ path, modules, code }) => [
        ...modules.filter((name) => MACHINE.test(name)).map((name) => `${path}: ${name}`),
        ...(MACHINE_GLOBALS.exec(code)?.slice(0, 1) ?? []).map((use) => `${path}: ${use}`),
      ]);
    expect(wrong).toEqual([]);
  });

  test("uses Node only in runtimes/node and the command line, so that the rest runs in a page", () => {
    const wrong = sources
      .filter(({ path }) => !/^(runtimes\/node|cli)\/|^cli\.ts$/.test(path))
      .flatMap(({ path, modules, code }) => [
        ...modules.filter((name) => name.startsWith("node:")).map((name) => `${path}: ${name}`),
        ...(/\bBuffer\b/.test(code) ? [`${path}: Buffer`] : []),
      ]);
    expect(wrong).toEqual([]);
  });

  test("reads the system clock and random numbers only in world/ and runtimes/, and waits only there, in cli and in the browser", () => {
    const wrong = sources
      .filter(({ path }) => !/^(world|runtimes)\//.test(path))
      .flatMap(({ path, code }) => [
        ...(WALL_OR_CHANCE.exec(code)?.slice(0, 1) ?? []).map((use) => `${path}: ${use}`),
        ...(/^cli|^dashboard\/browser\//.test(path) ? [] : (TIMERS.exec(code)?.slice(0, 1) ?? [])).map(
          (use) => `${path}: ${use}`,
        ),
      ]);
    expect(wrong).toEqual([]);
  });

  test("waits with timers that fake timers of a test runner cannot stop", () => {
    const fakeable = sources
      .filter(({ path }) => path !== "world/timers.ts" && !/^cli|^dashboard\/browser\//.test(path))
      .filter(({ code, imports }) => TIMERS.test(code) && !imports.includes("world/timers.ts"))
      .map(({ path }) => path);
    expect(fakeable).toEqual([]);
  });

  test("speaks of Hydra and JSON-LD only in the account's renderer and schemas", () => {
    const wrong = sources
      .filter(({ path }) => !SPEAKS_HYDRA.test(path))
      .filter(({ code }) => /hydra|json-?ld|ld\+json|"@(id|type|context)"/i.test(code))
      .map(({ path }) => path);
    expect(wrong).toEqual([]);
  });

  test("begins with a docstring that says what it is", () => {
    const bare = sources
      .filter(({ text }) => !/^(#!.*\n)?\/\*\*(\n \*)? \S/.test(text))
      .map(({ path }) => path);
    expect(bare).toEqual([]);
  });

  test("fits on a few screens, unless it is generated", () => {
    const written = sources.filter(({ text }) => !/^\/\*\*\s+(\* )?Generated: /.test(text));
    const long = written.filter(({ text }) => text.split("\n").length > 301).map(({ path }) => path);
    expect(long).toEqual([]);
  });

  test("is named in kebab-case, by a noun", () => {
    const wrong = sources
      .map(({ path }) => path)
      .filter(
        (path) =>
          !/^([a-z0-9-]+\/)*[a-z0-9-]+(\.d)?\.tsx?$/.test(path) ||
          /(^|[/-])(utils?|helpers?|common|managers?|misc|types)(\.tsx?$|[/-])/.test(path),
      );
    expect(wrong).toEqual([]);
  });

  test("exports by name, and re-exports in index.ts alone", () => {
    const wrong = sources
      .filter(
        ({ path, code }) =>
          /^export default/m.test(code) || (path !== "index.ts" && /^export (type )?\*/m.test(code)),
      )
      .map(({ path }) => path);
    expect(wrong).toEqual([]);
  });
});

test("the parser of these tests finds the known imports", () => {
  expect(sources.length).toBeGreaterThan(40);
  expect(sources.find(({ path }) => path === "pipeline/pipeline.ts")?.imports).toContain(
    "operation/problem.ts",
  );
  expect(mayImport("world/clock.ts", "operation/service.ts")).toBe(false);
  expect(mayImport("services/museum/index.ts", "services/account/index.ts")).toBe(false);
  expect(mayImport("services/museum/index.ts", "sandbox/sandbox.ts")).toBe(false);
  expect(mayImport("testing/vitest.ts", "sandbox/sandbox.ts")).toBe(false);
  expect(mayImport("rules/rules.ts", "scenario/scenario.ts")).toBe(false);
  expect(sources.find(({ path }) => path === "rules/gates.ts")?.imports).toContain("world/world.ts"); // a type alone
  expect(mayImport("server/server.ts", "pipeline/router.ts")).toBe(true);
  expect(WALL_OR_CHANCE.test("new Date(instant)")).toBe(false);
});

function toSource(path: string): Source {
  const text = readFileSync(join(ROOT, path), "utf8");
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
  const named = [...code.matchAll(/(?:from|import|import\()\s*"([^"]+)"/g)].map(([, name = ""]) => name);
  const own = named.filter((name) => name.startsWith("."));
  return {
    path,
    text,
    code,
    imports: own.map((name) => relative(ROOT, resolve(ROOT, dirname(path), name)).replaceAll("\\", "/")),
    modules: named.filter((name) => !name.startsWith(".")),
  };
}

function mayImport(from: string, to: string): boolean {
  const [here, there] = [partOf(from), partOf(to)];
  if (here === there) return true;
  if (SEES[here] !== undefined) return SEES[here].includes(there);
  return rankOf(here) > rankOf(there);
}

/** The folder a file belongs to, or the file if it is at the top; for services, the service. */
function partOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  const own = `${first}/${second}`;
  return SEES[own] === undefined ? first : own;
}

function rankOf(part: string): number {
  const rank = ORDER.findIndex((parts) => parts.includes(part));
  if (rank < 0) throw new Error(`The code map knows no folder ${part}.`);
  return rank;
}
