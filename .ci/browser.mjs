// What the dashboard sends to a browser: its script as modules, made from src/dashboard/browser, and its style sheet. The
// components that the server renders are in them as well, over hono's runtime for the DOM.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const DASHBOARD = fileURLToPath(new URL("../src/dashboard", import.meta.url));

/** The same components are made of elements there, and of text on the server. */
const DOM = { "hono/jsx/jsx-runtime": "hono/jsx/dom/jsx-runtime", "hono/jsx": "hono/jsx/dom" };

/** The parts of the style sheet; a later one wins where both say something. */
const STYLE = "base fields frame start tables requests detail misbehave others over narrow".split(" ");

/** Without comments, and without space that means nothing. */
function styleIn(/** @type {string} */ name) {
  const text = readFileSync(join(DASHBOARD, "style", `${name}.css`), "utf8");
  const bare = text.replaceAll(/\/\*.*?\*\//gs, "").replaceAll(/\s+/g, " ");
  return bare
    .replaceAll(/ ?([{};,]) ?/g, "$1")
    .replaceAll(": ", ":")
    .trim();
}

/**
 * `scripts`: by file name. `dashboard.js` comes first; with `dashboard-frame.js` it is on every page, the others are pages.
 * @returns {Promise<{ readonly scripts: Readonly<Record<string, string>>, readonly style: string, readonly modules: readonly string[] }>}
 */
export async function browserFiles() {
  const build = await rolldown({
    cwd: DASHBOARD,
    input: { dashboard: "browser/main.tsx" },
    platform: "browser",
    tsconfig: join(DASHBOARD, "tsconfig.json"),
    resolve: { alias: DOM },
    transform: { target: "es2022" },
    onwarn: ({ message }) => {
      throw new Error(message);
    },
  });
  const { output } = await build.generate({
    format: "esm",
    minify: true,
    comments: false,
    entryFileNames: "[name].js",
    chunkFileNames: "dashboard-[name].js",
    codeSplitting: { groups: [{ name: "frame", minShareCount: 2 }] },
  });
  await build.close();
  const chunks = output.filter((file) => file.type === "chunk");
  return {
    scripts: Object.fromEntries(chunks.map(({ fileName, code }) => [fileName, code])),
    style: STYLE.map(styleIn).join(""),
    modules: chunks.flatMap(({ moduleIds }) => moduleIds),
  };
}

/** For the bundler: what stands for src/dashboard/bundled.ts wherever nothing is left to bundle. */
export function bundledForBrowsers(
  /** @type {{ readonly scripts: Readonly<Record<string, string>>, readonly style: string }} */ {
    scripts,
    style,
  },
) {
  const code = `export const scripts = ${JSON.stringify(scripts)};\nexport const style = ${JSON.stringify(style)};\n`;
  return {
    name: "bundled-for-browsers",
    load: (/** @type {string} */ id) => (/[\\/]dashboard[\\/]bundled\.ts$/.test(id) ? code : undefined),
  };
}
