// Builds dist: what package.json names in `exports` and `bin`, each as one module that brings along what it needs of
// other packages, and its declarations, which need none of these. What is imported or required on demand is a file of its own
// (dist/chunks), and dist/THIRD-PARTY-NOTICES.txt tells the licences of the packages inside. Packages named in
// `dependencies` or `peerDependencies` stay outside. dist is replaced at the very end, so a build that fails leaves the last good one.
// The script that the dashboard sends to browsers is made first, and is a text in the program.
// `node .ci/build.mjs FOLDER` writes the same there, but as readable as the bundler makes it.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { asModule, browserFiles } from "./browser.mjs";
import { declarationsOf } from "./declarations.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const [, , readable] = process.argv;
const DIST = readable ?? join(ROOT, "dist");
/** Names stay, and each statement its own line: an error that nobody catches is shown with both. */
const NAMES = { class: true, function: true };
/** The folder and the name of the package that a file belongs to. */
const PACKAGE = /^(.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+))[\\/]/;

const manifest = readJson(join(ROOT, "package.json"));
const outside = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
const isOutside = (/** @type {string} */ id) =>
  id.startsWith("node:") || outside.some((name) => id === name || id.startsWith(`${name}/`));

/**
 * jsonwebtoken brings semver along to ask, as it is loaded, whether this Node is at least 8, 15.7 and 16.9. Every Node
 * that `engines` allows is.
 * @type {import("rolldown").Plugin}
 */
const everyVersionWillDo = {
  name: "every-version-will-do",
  resolveId: (id) => (id === "semver" ? "\0semver" : undefined),
  load: (id) => (id === "\0semver" ? "exports.satisfies = () => true;" : undefined),
};

const browser = await browserFiles();
/** @type {import("rolldown").Plugin} */
const bundledForBrowsers = {
  name: "bundled-for-browsers",
  load: (id) => (/[\\/]dashboard[\\/]bundled\.ts$/.test(id) ? asModule(browser) : undefined),
};

const { programs, modules } = await bundle(entries());
const declarations = declarationsOf(ROOT, entries(), isOutside);
const notices = notice([...modules, ...browser.modules]);
rmSync(DIST, { recursive: true, force: true });
for (const [name, text] of [...programs, ...declarations, ["THIRD-PARTY-NOTICES.txt", notices]])
  write(join(DIST, name), text);

/** Names of the modules that others may load, as they stand in dist and in src: `index`, `cli`, … */
function entries() {
  const named = JSON.stringify([manifest.exports, manifest.bin]).matchAll(/"(?:\.\/)?dist\/([^"]+)\.js"/g);
  return [...new Set(Array.from(named, ([, name]) => name))];
}

/** The programs by their name in dist, and the files of which they are made. */
async function bundle(/** @type {readonly string[]} */ names) {
  const required = new Set();
  const input = Object.fromEntries(names.map((name) => [name, join(ROOT, "src", `${name}.ts`)]));
  /** @type {import("rolldown").Plugin} */
  const requiring = {
    name: "requiring",
    transform: (code, id) =>
      PACKAGE.test(id)
        ? undefined
        : code.replace(/\brequire\("([\w-]+)"\)/g, (_call, name) => {
            required.add(name);
            return `require("./${name}.cjs")`;
          }),
  };
  const own = await chunksOf(input, [requiring], {
    format: "esm",
    codeSplitting: { groups: [{ name: "vitrine", test: /[\\/]src[\\/]vitrine\.ts$/ }] }, // with all that it imports
  });
  const others = [...required].map((name) =>
    chunksOf({ [name]: name }, [], { format: "cjs", entryFileNames: "chunks/[name].cjs" }),
  );
  const chunks = [...own, ...(await Promise.all(others)).flat()];
  return {
    programs: chunks.map(({ fileName, code }) => [fileName, code]),
    modules: chunks.flatMap(({ moduleIds }) => moduleIds),
  };
}

async function chunksOf(
  /** @type {Readonly<Record<string, string>>} */ input,
  /** @type {readonly import("rolldown").Plugin[]} */ plugins,
  /** @type {import("rolldown").OutputOptions} */ options,
) {
  const build = await rolldown({
    cwd: ROOT,
    input,
    platform: "node",
    external: isOutside,
    plugins: [everyVersionWillDo, bundledForBrowsers, ...plugins],
    resolve: { mainFields: ["module", "main"] },
    transform: { target: `node${/[\d.]+/.exec(manifest.engines.node)}` }, // the oldest there is
    onwarn: ({ message }) => {
      throw new Error(message); // such as a package that is nowhere
    },
  });
  const { output } = await build.generate({
    chunkFileNames: "chunks/[name].js",
    comments: { annotation: false, jsdoc: false }, // the declarations have them
    minify: readable === undefined && {
      compress: { keepNames: NAMES },
      mangle: { keepNames: NAMES },
      codegen: { removeWhitespace: false, asciiOnly: true }, // read faster, and half the size in memory
    },
    ...options,
  });
  await build.close();
  return output.filter((file) => file.type === "chunk");
}

/** Name, version and licence of each package to which the files belong. */
function notice(/** @type {readonly string[]} */ files) {
  const bundler = fileURLToPath(import.meta.resolve("rolldown")); // its own few lines have ids that are no files
  const folders = files.map((file) => PACKAGE.exec(file.startsWith("\0") ? bundler : file)?.[1]);
  const parts = [...new Set(folders)].filter((folder) => folder !== undefined).map(describe);
  return ["vitrine contains code of the following packages.", ...parts.sort()].join(
    `\n\n${"-".repeat(80)}\n\n`,
  );
}

function describe(/** @type {string} */ folder) {
  const { name, version, license } = readJson(join(folder, "package.json"));
  const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  if (texts.length === 0) throw new Error(`${name} ships no licence text.`);
  return [
    `${name} ${version} (${license})`,
    ...texts.map((file) => readFileSync(join(folder, file), "utf8").trim()),
  ].join("\n\n");
}

function readJson(/** @type {string} */ file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

function write(/** @type {string} */ file, /** @type {string} */ text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
