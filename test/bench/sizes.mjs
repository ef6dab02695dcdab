// What must not depend on how much there is: a list right after a write, the turns of the event loop while a large state is
// written, the heap that the journals of many worlds take.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { quantile } from "./measure.mjs";

const [FEW, MANY, WORLDS] = [100, 100_000, 1_000];
/** Estimated by the journals themselves; what it really takes must be less. */
const ROOM_MEGABYTES = 128;

/** The rows of its table, of the tree that is built at `root`. */
export function sizes(/** @type {string} */ root) {
  const figure = (/** @type {string} */ what, /** @type {number} */ size) =>
    JSON.parse(
      execFileSync(process.execPath, [join(import.meta.dirname, "size.mjs"), what, root, String(size)], {
        encoding: "utf8",
      }),
    );
  const lowerQuartile = (/** @type {string} */ what, /** @type {number} */ size) =>
    quantile(
      Array.from({ length: 3 }, () => figure(what, size)),
      0.25,
    );
  const [few, many] = [lowerQuartile("listAfterCreate", FEW), lowerQuartile("listAfterCreate", MANY)];
  const { before, full, after, fewest } = figure("journals", WORLDS);
  const row = (/** @type {string} */ name, /** @type {number} */ value, /** @type {string} */ goal) => ({
    figure: name,
    value: value.toFixed(1),
    goal,
  });
  return [
    row(`list right after a create, ${FEW} events: µs of CPU`, few, ""),
    row(`the same, ${MANY} events`, many, `${(few * 1.5).toFixed(1)} at most`),
    row(
      `longest turn beside a snapshot of ${MANY} events: ms of CPU`,
      lowerQuartile("snapshot", MANY),
      "20 at most",
    ),
    row("heap before other worlds, MB", before, ""),
    row(`heap with ${WORLDS} worlds of 1,000 exchanges each, MB`, full, `${ROOM_MEGABYTES} more at most`),
    row("fewest exchanges that one of these has", fewest, "20 at least"),
    row("heap after they ended, MB", after, "as before"),
  ];
}
