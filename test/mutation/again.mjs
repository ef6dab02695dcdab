// node test/mutation/again.mjs REPORT.json… [-- test/rules …]: puts each survivor of Stryker's reports into the sources by itself and runs the
// same tests in a new process. Stryker runs all mutants in one, where what is made once, such as a schema or the table of
// verbs, stays as it was before the mutant. Prints those that survive here too, and the score; the sources end as they were.
// After `--` come the tests to run instead of all: faster, for a score that is the least it can be.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

/** @typedef {{ readonly line: number; readonly column: number }} Place */
/**
 * @typedef {object} Mutant
 * @property {string} status
 * @property {string} mutatorName
 * @property {string} replacement
 * @property {{ readonly start: Place; readonly end: Place }} location
 */

const COUNTED = ["Killed", "Timeout", "Survived", "NoCoverage"];
const VITEST = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/mutation/vitest.config.mjs"];

const given = process.argv.slice(2);
const end = given.includes("--") ? given.indexOf("--") : given.length;
const [reports, tests] = [given.slice(0, end), given.slice(end + 1)];

if (fails("world")) throw new Error("The tests fail without any mutant.");
for (const report of reports) {
  /** @type {{ readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>> }} */
  const { files } = JSON.parse(readFileSync(report, "utf8"));
  const all = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.filter(({ status }) => COUNTED.includes(status)).map((mutant) => ({ file, source, ...mutant })),
  );
  const survivors = all.filter(({ status }) => status === "Survived" || status === "NoCoverage");
  const surviving = survivors.filter((mutant) => survives(mutant));
  const killed = all.length - surviving.length;
  console.log(
    `${report}: ${killed} of ${all.length} killed, ${((100 * killed) / all.length).toFixed(1)} %\n`,
  );
}

function survives(/** @type {Mutant & { readonly file: string; readonly source: string }} */ mutant) {
  const { file, source, location, replacement } = mutant;
  const now = readFileSync(file, "utf8");
  if (now !== source) throw new Error(`${file} is no longer what was mutated.`);
  const [from, to] = [offsetOf(source, location.start), offsetOf(source, location.end)];
  try {
    writeFileSync(file, source.slice(0, from) + replacement + source.slice(to));
    if (fails(file.split("/")[1] ?? "")) return false;
  } finally {
    writeFileSync(file, source);
  }
  const was = source.slice(from, to).replaceAll(/\s+/g, " ").slice(0, 80);
  console.log(`${file}:${location.start.line} ${was} => ${replacement.replaceAll(/\s+/g, " ").slice(0, 60)}`);
  return true;
}

/** Runs the tests, those of this folder first. */
function fails(/** @type {string} */ folder) {
  const { status } = spawnSync(process.execPath, [...VITEST, "--bail", "1", "--maxWorkers", "1", ...tests], {
    env: { ...process.env, FOLDER: folder },
    timeout: 300_000,
  });
  return status !== 0;
}

/** From a line and a column, both from 1. */
function offsetOf(/** @type {string} */ source, /** @type {Place} */ { line, column }) {
  const before = source.split("\n").slice(0, line - 1);
  return before.reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
}
