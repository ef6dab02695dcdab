// `node .ci/built.mjs` succeeds where dist is what the build makes of the sources as they are, so that `npm test` builds
// only after a change. What it goes by is one digest of all files that a build reads or writes.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FILES = ["README.md", "LICENSE", "package.json", "package-lock.json", "tsconfig.json"];
const READ = [".ci", "src", "docs", "fixtures", "scenarios", ...FILES];
/** In dist, so that a copy of the repository that shares node_modules has its own. */
const NOTE = "dist/.built";
/** Has only copies. */
const PACKAGE = "dist/package";

/** To be called when dist has been written. */
export function noteBuilt() {
  writeFileSync(join(ROOT, NOTE), digest());
}

/** Whether dist is what the build makes of the sources. */
export function isBuilt() {
  try {
    return readFileSync(join(ROOT, NOTE), "utf8") === digest();
  } catch {
    return false; // never built here, or something that it needs is gone
  }
}

function digest() {
  const hash = createHash("sha256");
  for (const file of [...READ, "dist"].flatMap(filesUnder)) {
    const bytes = readFileSync(join(ROOT, file));
    hash.update(`${file} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex");
}

/** @returns {readonly string[]} */
function filesUnder(/** @type {string} */ path) {
  if (path === NOTE || path === PACKAGE) return [];
  if (statSync(join(ROOT, path)).isFile()) return [path];
  return readdirSync(join(ROOT, path))
    .sort()
    .flatMap((name) => filesUnder(`${path}/${name}`));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = isBuilt() ? 0 : 1;
