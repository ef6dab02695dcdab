// A checker of Stryker's that lets a sample through: as many mutants as SAMPLE says, drawn by SEED from all that could be
// run. The rest is reported as not compiling, so that the score is the sample's.

import { createHash } from "node:crypto";
import { relative } from "node:path";

const SIZE = Number(process.env["SAMPLE"] ?? 200);
const SEED = process.env["SEED"] ?? "1";

/**
 * @typedef {{ readonly line: number; readonly column: number }} Place
 * @typedef {object} Mutant
 * @property {string} id
 * @property {string} fileName
 * @property {{ readonly start: Place; readonly end: Place }} location
 * @property {string} mutatorName
 * @property {string} replacement
 */

class Sample {
  /** @type {ReadonlySet<string> | undefined} */
  #drawn;

  async init() {}

  /** Called once, with all of them: each is planned before the first is checked. */
  async group(/** @type {readonly Mutant[]} */ mutants) {
    if (this.#drawn !== undefined) throw new Error("The mutants came in more than one part.");
    const inOrder = mutants.map((mutant) => ({ id: mutant.id, lot: lotOf(mutant) }));
    inOrder.sort((one, other) => (one.lot < other.lot ? -1 : 1));
    this.#drawn = new Set(inOrder.slice(0, SIZE).map(({ id }) => id));
    return [mutants.map(({ id }) => id)];
  }

  async check(/** @type {readonly Mutant[]} */ mutants) {
    const leftOut = { status: "compileError", reason: "not in the sample" };
    return Object.fromEntries(
      mutants.map(({ id }) => [id, this.#drawn?.has(id) ? { status: "passed" } : leftOut]),
    );
  }
}

/** The same for the same change at the same place, whatever else is in the folder. */
function lotOf(/** @type {Mutant} */ { fileName, location: { start, end }, mutatorName, replacement }) {
  const place = [relative(process.cwd(), fileName), start.line, start.column, end.line, end.column];
  return createHash("sha256")
    .update(JSON.stringify([SEED, place, mutatorName, replacement]))
    .digest("hex");
}

export const strykerPlugins = [{ kind: "Checker", name: "sample", injectableClass: Sample }];
