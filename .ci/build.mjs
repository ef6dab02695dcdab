// Builds dist: what package.json names in `exports` and `bin`, with all that it needs of other packages inside, and its
// declarations, which need none of these. `node .ci/build.mjs FOLDER` writes the same there, but as readable as the bundler
// makes it.
//
// The program is there once, as CommonJS: every runner can load that, and who imports shares it with who requires it in the
// same process. Two programs would have two of everything that a module keeps, and the UsageError of one would be none of
// the other's. What is imported is thin: `index.js` names what `index.cjs` exports. The command and what binds the program
// to a runner (src/testing) are built as modules too, over the same program, as a runner may be there twice itself.
//
// One more line in `exports` is one more entry: X.cjs, X.js, X.d.cts and X.d.ts come by themselves. What is imported or
// required on demand is a file of its own (dist/chunks), and dist/THIRD-PARTY-NOTICES.txt tells the licences of the packages
// inside. Packages named in `dependencies` or `peerDependencies` stay outside, except hono. dist is replaced at the very end, so a build
// that fails leaves the last good one. The script that the dashboard sends to browsers is made first, and is a text in the program.

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { browserFiles, bundledForBrowsers } from "./browser.mjs";
import { noteBuilt } from "./built.mjs";
import { declarationsOf, inCommonJs } from "./declarations.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SRC = join(ROOT, "src");
const [, , readable] = process.argv;
const DIST = readable ?? join(ROOT, "dist");
/** Names stay, and each statement its own line: an error that nobody catches is shown with both. */
const NAMES = { class: true, function: true };
/** What pages load, and the runtime of Durable Objects, which loads nothing else. */
const WEB = ["browser", "connect", "testing/msw", "worker"];
/** What is imported alone. */
const MODULES = WEB.filter((name) => name === "worker");
/** The bundler asks for Node's modules wherever it could use them; where it does not, a page cannot have them. */
const BARE = /\bimport ?"node:[^"]+";\n?/g;
/** The folder and the name of the package that a file belongs to. */
const PACKAGE = /^(.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+))[\\/]/;

const manifest = readJson(join(ROOT, "package.json"));
const outside = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
const isOutside = (/** @type {string} */ id) =>
  id.startsWith("node:") ||
  id.startsWith("cloudflare:") ||
  outside.some((name) => id === name || id.startsWith(`${name}/`));
/** Only the declarations import the user's hono. The program contains a copy. */
const isHono = (/** @type {string} */ id) => /^hono(\/|$)/.test(id);
/** Of a module, by its name in src and dist: whether it only leads to the program. */
const isThin = (/** @type {string} */ name) => name === "cli" || name.startsWith("testing/");

/** Modules that others may load, as they are named in dist and in src: `index`, `testing/vitest`. */
const entries = Array.from(
  JSON.stringify(manifest.exports).matchAll(/"\.\/dist\/([^"]+)\.cjs"/g),
  ([, name = ""]) => name,
);
const commands = Object.values(manifest.bin).map((file) => /^dist\/(.+)\.js$/.exec(file)?.[1] ?? file);

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
      base: readJson(join(ROOT, "fixtures/base.json")),
      presets: Object.fromEntries(
        jsonFiles("scenarios")
          .filter((name) => !name.includes("/")) // scenarios/schema holds no preset
          .map((name) => [name, readFileSync(join(ROOT, "scenarios", `${name}.json`), "utf8")]),
      ),
    };
    return Object.entries(parts)
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
      .join("\n");
  },
};

/**
 * All copies of zod in a process share settings and a registry, which are global. Ours has its own: no schema of ours is in a
 * user's registry, and no language of theirs in our messages.
 * @type {import("rolldown").Plugin}
 */
const zodOfItsOwn = {
  name: "zod-of-its-own",
  transform: (code, id) =>
    /[\\/]zod[\\/]v4[\\/]core[\\/](core|registries)\.js$/.test(id)
      ? `const ofThisCopy = {};\n${code.replaceAll("globalThis", "ofThisCopy")}`
      : undefined,
};

const browser = await browserFiles();
const thin = await thinModules([...entries, ...commands].filter(isThin));
const program = await theProgram([...new Set([...entries, ...thin.needs])]);
const chunks = [...program.chunks, ...thin.chunks, ...(await webProgram())];
const declarations = declarationsOf(ROOT, [...entries, ...commands, ...MODULES], isOutside);
const files = [
  ...chunks.map(({ fileName, code }) => [fileName, code]),
  ...entries.filter((name) => !isThin(name)).map((name) => [`${name}.js`, program.faceOf(name)]),
  ...declarations,
  ...inCommonJs(declarations, [...commands, ...MODULES]),
  ["THIRD-PARTY-NOTICES.txt", notice([...chunks.flatMap(({ moduleIds }) => moduleIds), ...browser.modules])],
];
rmSync(DIST, { recursive: true, force: true });
for (const [name = "", text = ""] of files) write(join(DIST, name), text);
if (readable === undefined) {
  writePackage();
  noteBuilt();
}

/** Writes dist/package, the folder to pack and publish. Its manifest has no scripts, so that npm has none to warn about. */
function writePackage() {
  const { scripts: _scripts, knip: _knip, devDependencies: _tools, ...published } = manifest;
  const folders = manifest.files.filter((/** @type {string} */ name) => !name.startsWith("!"));
  const folder = join(DIST, "package");
  for (const [name = "", text = ""] of files) write(join(folder, "dist", name), text);
  for (const name of [...folders, "README.md", "LICENSE"])
    if (name !== "dist") cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  write(join(folder, "package.json"), `${JSON.stringify({ ...published, files: folders }, undefined, 2)}\n`);
}

/** All that runs, in CommonJS, and how it is imported. */
async function theProgram(/** @type {readonly string[]} */ names) {
  const required = new Set();
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
  /** @type {import("rolldown").Plugin} */
  const pageInNode = {
    name: "page-in-node",
    resolveId: (id) =>
      id === "./runtimes/web/runtime.ts" ? join(SRC, "runtimes/node/page-runtime.ts") : undefined,
  };
  const own = await chunksOf(inputOf(names), [requiring, pageInNode], {
    format: "cjs",
    entryFileNames: "[name].cjs",
    codeSplitting: { groups: [{ name: "vitrine", test: /[\\/]open[\\/]create-sandbox\.ts$/ }] }, // with all that it imports
  });
  const others = [...required].map((name) =>
    chunksOf({ [name]: name }, [], { format: "cjs", entryFileNames: "chunks/[name].cjs" }),
  );
  return {
    chunks: [...own, ...(await Promise.all(others)).flat()],
    faceOf(/** @type {string} */ name) {
      const { exports = [] } = own.find(({ fileName }) => fileName === `${name}.cjs`) ?? {};
      return `import program from "./${name.split("/").at(-1)}.cjs";\nexport const { ${exports.join(", ")} } = program;\n`;
    },
  };
}

/** What leads to the program, as modules; `needs` is what they ask of it, by name. */
async function thinModules(/** @type {readonly string[]} */ names) {
  /** @type {Set<string>} */
  const needs = new Set();
  /** @type {import("rolldown").Plugin} */
  const ofTheProgram = {
    name: "of-the-program",
    resolveId(id, importer) {
      if (importer === undefined || !id.startsWith(".")) return undefined;
      const name = relative(SRC, join(dirname(importer), id))
        .replaceAll("\\", "/")
        .replace(/\.ts$/, "");
      if (isThin(name)) return undefined;
      needs.add(name);
      return { id: id.replace(/\.ts$/, ".cjs"), external: true };
    },
  };
  const chunks = await chunksOf(inputOf(names), [ofTheProgram], {
    format: "esm",
    preserveModules: true, // or what they import of the program would not be where they look for it
    preserveModulesRoot: SRC,
  });
  return { chunks, needs };
}

/**
 * The program once more for pages and all else that is no Node: modules, which front ends bundle with their own. They have no
 * module twice, as only those load it who have no CommonJS.
 */
async function webProgram() {
  const names = { entryFileNames: "web/[name].js", chunkFileNames: "web/chunks/[name].js" };
  const chunks = await chunksOf(inputOf(WEB), [], { format: "esm", ...names }, true); // whose own build says where a line is
  return chunks.map((chunk) => ({ ...chunk, code: chunk.code.replace(BARE, "") }));
}

function inputOf(/** @type {readonly string[]} */ names) {
  return Object.fromEntries(names.map((name) => [name, join(SRC, `${name}.ts`)]));
}

async function chunksOf(
  /** @type {Readonly<Record<string, string>>} */ input,
  /** @type {readonly import("rolldown").Plugin[]} */ plugins,
  /** @type {import("rolldown").OutputOptions} */ options,
  isForBundlers = false,
) {
  const build = await rolldown({
    cwd: ROOT,
    input,
    platform: "node",
    external: (id) => isOutside(id) && !isHono(id),
    plugins: [everyVersionWillDo, library, bundledForBrowsers(browser), zodOfItsOwn, ...plugins],
    resolve: { mainFields: ["module", "main"] },
    transform: { target: `node${/[\d.]+/.exec(manifest.engines.node)}` }, // the oldest there is
    onwarn: ({ message }) => {
      throw new Error(message); // such as a package that is nowhere
    },
  });
  const { output } = await build.generate({
    chunkFileNames: "chunks/[name].cjs",
    comments: { annotation: false, jsdoc: false }, // the declarations have them
    minify: readable === undefined && {
      compress: { keepNames: NAMES },
      mangle: { keepNames: NAMES },
      codegen: { removeWhitespace: isForBundlers, asciiOnly: true }, // ASCII is read faster, and half the size in memory
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
