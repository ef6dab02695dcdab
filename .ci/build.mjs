// Builds dist: what package.json names in `exports` and `bin`, each as one module that brings along what it needs of
// other packages, and its declarations, which need none of these. What is imported or required on demand is a file of its own
// (dist/chunks), and dist/THIRD-PARTY-NOTICES.txt tells the licences of the packages inside. Packages named in
// `dependencies` or `peerDependencies` stay outside. dist is replaced at the very end, so a build that fails leaves the last good one.
// `node .ci/build.mjs FOLDER` writes the same there, but as readable as the bundler makes it.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { declarationsOf } from "./declarations.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const [, , readable] = process.argv;
const DIST = readable ?? join(ROOT, "dist");
/** Names stay, and each statement its own line: an error that nobody catches is shown with both. */
const NAMES = { class: true, function: true };
/** The bundler asks for Node's modules wherever it could use them; where it does not, a page cannot have them. */
const BARE = /^import "node:[^"]+";\n/gm;
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

/**
 * What the package ships, as a part of the program where there are no files.
 * @type {import("rolldown").Plugin}
 */
const library = {
  name: "library",
  resolveId: (id) => (id === "vitrine:library" ? "\0vitrine:library" : undefined),
  load(id) {
    if (id !== "\0vitrine:library") return;
    const parts = {
      version: manifest.version,
      fixtures: Object.fromEntries(
        jsonFiles("fixtures").map((name) => [name, readJson(join(ROOT, "fixtures", `${name}.json`))]),
      ),
      presets: Object.fromEntries(
        jsonFiles("scenarios").map((name) => [
          name,
          readFileSync(join(ROOT, "scenarios", `${name}.json`), "utf8"),
        ]),
      ),
    };
    return Object.entries(parts)
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
      .join("\n");
  },
};

const { programs, modules } = await bundle(entries());
const declarations = declarationsOf(ROOT, entries(), isOutside);
const notices = notice(modules);
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
    codeSplitting: {
      // Each with all that it imports: what every place has, and then what is only there in Node.
      groups: [
        { name: "core", test: /[\\/]src[\\/]open-sandbox\.ts$/, priority: 2 },
        { name: "node", test: /[\\/]src[\\/]vitrine\.ts$/, priority: 1 },
      ],
    },
  });
  const others = [...required].map((name) =>
    chunksOf({ [name]: name }, [], { format: "cjs", entryFileNames: "chunks/[name].cjs" }),
  );
  const chunks = [...own, ...(await Promise.all(others)).flat()];
  return {
    programs: chunks.map(({ fileName, code }) => [fileName, code.replace(BARE, "")]),
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
    plugins: [everyVersionWillDo, library, ...plugins],
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

/** The names of the JSON files of a folder and the folders in it, in alphabetical order. */
function jsonFiles(/** @type {string} */ folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length).replaceAll("\\", "/"))
    .sort();
}

function readJson(/** @type {string} */ file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

function write(/** @type {string} */ file, /** @type {string} */ text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
