// What the largest wrong bodies cost: 16 MiB with nothing right in them, for each control operation that takes one. A
// server of its own for each, so that its peak of memory is known.

import { cpuSeconds, peakMegabytes } from "./measure.mjs";
import { start } from "./peers.mjs";

const SIZE = 16 * 1_048_576 - 64;
const fill = (/** @type {string} */ head, /** @type {string} */ item, /** @type {string} */ tail) =>
  head + `${item},`.repeat((SIZE - head.length) / (item.length + 1) - 1) + item + tail;
const BODIES = {
  "wrong items": fill('{"name":[', "0", "]}"),
  "as many items as are read": `{"name":[${"0,".repeat(49_000)}0]}`,
  fields: `{${Array.from({ length: 1_000_000 }, (_, index) => `"k${index}":0`).join(",")}}`,
  "one text": `{"operation":"${"x".repeat(SIZE - 100)}"}`,
};

/** CPU and peak memory of the dearest body for each operation; throws where one is not refused, or nothing answers after it. */
export async function controlBodies(/** @type {import("./peers.mjs").Peer} */ peer) {
  const rows = [];
  for (const { method, path } of await takersOf(peer)) {
    const one = await start(peer);
    let [dearest, what] = [0, ""];
    for (const [name, body] of Object.entries(BODIES)) {
      const before = cpuSeconds(one.pid);
      const response = await fetch(`${one.origin}/_vitrine${path}`, {
        method,
        headers: { "content-type": "application/json" },
        body,
      });
      const text = await response.text();
      const used = cpuSeconds(one.pid) - before;
      if (response.status < 400 || response.status > 499 || text.length > 4_096)
        throw new Error(`${method} ${path}: ${response.status} in ${text.length} bytes for ${name}`);
      if (used > dearest) [dearest, what] = [used, name];
    }
    if (!(await fetch(`${one.origin}/_vitrine/ready`)).ok)
      throw new Error(`${method} ${path}: no answer after it`);
    rows.push({
      operation: `${method} ${path}`,
      "dearest body": what,
      "CPU s": dearest.toFixed(2),
      "peak RSS, MB": peakMegabytes(one.pid).toFixed(0),
    });
    one.stop();
  }
  return rows;
}

/** The operations that take a body, from the document of the control API. */
async function takersOf(/** @type {import("./peers.mjs").Peer} */ peer) {
  const one = await start(peer);
  /** @type {{ paths: Record<string, Record<string, { requestBody?: object }>> }} */
  const { paths } = JSON.parse(await (await fetch(`${one.origin}/_vitrine/openapi.json`)).text());
  one.stop();
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { requestBody }]) => requestBody !== undefined)
      .map(([method]) => ({
        method: method.toUpperCase(),
        path: path.replace("{service}/{collection}", "museum/specialEvents").replace(/\{\w+\}/g, "checkout"),
      })),
  );
}
