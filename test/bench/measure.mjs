// What is measured of a running server, from outside: CPU of its main thread, memory, and the delays of its event loop.

import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** Seconds of CPU that the main thread has used. */
export function cpuSeconds(/** @type {number} */ pid) {
  const [nanoseconds = "0"] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ");
  return Number(nanoseconds) / 1e9;
}

/** Megabytes of resident memory. */
export function residentMegabytes(/** @type {number} */ pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
}

/** The longest delay of the event loop since the last call, in milliseconds. */
export async function longestDelay(/** @type {number} */ pid, /** @type {string} */ file) {
  const before = readDelays(file).length;
  process.kill(pid, "SIGUSR2");
  for (let tries = 0; tries < 100; tries += 1) {
    const delays = readDelays(file);
    if (delays.length > before) return delays.at(-1)?.max ?? 0;
    await setTimeout(10);
  }
  return Number.NaN;
}

/** @returns {readonly { readonly max: number }[]} */
function readDelays(/** @type {string} */ file) {
  try {
    return readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  } catch {
    return []; // nothing was written yet
  }
}

export function quantile(/** @type {readonly number[]} */ values, /** @type {number} */ part) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN;
}
