// `npm run size` prints how large the project is next to its budgets in size.json, and fails above one. Flags, methods,
// settings and exports are counted in the files that `npm run docs` writes and the tests compare with the code.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const isGenerated = (/** @type {string} */ file) => /\/(surface|preset-name|grammar|views)\.ts$/.test(file);
const isDashboard = (/** @type {string} */ file) => file.startsWith("src/dashboard/");
const lines = (/** @type {readonly string[]} */ names) =>
  names.reduce((sum, name) => sum + (read(name).match(/\n/g)?.length ?? 0), 0);
const matches = (/** @type {string} */ name, /** @type {RegExp} */ pattern) =>
  read(name).match(pattern)?.length ?? 0;
const settings = /<!-- table: settings -->([\s\S]*?)<!-- end -->/.exec(read("docs/settings.md"))?.[1] ?? "";

const source = filesIn("src", /\.tsx?$/).filter((file) => !isGenerated(file));
const core = source.filter((file) => !isDashboard(file));
/** @type {Readonly<Record<string, number>>} */
const sizes = {
  "lines of src": lines(core),
  "lines of the dashboard": lines(filesIn("src/dashboard", /\.(tsx?|css)$/)),
  "lines generated": lines(filesIn("src", /\.ts$/).filter(isGenerated)),
  "lines of tests": lines(filesIn("test", /\.(tsx?|mjs)$/)),
  "files in src without the dashboard": core.length,
  "flags of start": matches("test/surface/help/vitrine-start.txt", /^ +--(?!help)/gm),
  methods: matches("test/surface/control.txt", /^(GET|POST|PUT|PATCH|DELETE) /gm),
  settings: settings.match(/^\| `/gm)?.length ?? 0,
  exports: matches("test/surface/exports.txt", /\n/g),
};
/** @type {Readonly<Record<string, number>>} */
const budgets = JSON.parse(read(".ci/size.json"));

for (const [name, size] of Object.entries(sizes)) {
  const budget = budgets[name];
  const verdict = budget === undefined ? "" : `of ${budget}${size > budget ? "  ABOVE THE BUDGET" : ""}`;
  console.log(`${name.padEnd(36)}${String(size).padStart(7)}  ${verdict}`.trimEnd());
  if (budget !== undefined && size > budget) process.exitCode = 1;
}

function filesIn(/** @type {string} */ folder, /** @type {RegExp} */ ending) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name}`)
    .filter((name) => ending.test(name) && !name.includes("/node_modules/"));
}

function read(/** @type {string} */ name) {
  return readFileSync(name, "utf8");
}
